/* SPDX-License-Identifier: MIT */
/* assay sweep: one kernel over many shapes; one row for each. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/fleet/ranks.h"
#include "cli/answers/answers.h"
#include "cli/results.h"
#include "cli/rows.h"
#include "cli/stored.h"

/* Times by size, for a plot when all is done. */
struct sweep {
	const struct assay_job *job;
	const char *size;	/* the only varying option, or NULL */
	bool bytes;
	double *x, *y;
	size_t points, room;
	struct sweep_answer answer;	/* with --formulas */
	struct run_answer runs;		/* without */
	const char *pace;	/* meaning of times per access, or "" */
};

static bool varies(const struct assay_setting *setting)
{
	return strchr(setting->text, ',') || strstr(setting->text, "..");
}

static const struct assay_setting *given(const struct assay_job *job,
					 const char *option)
{
	for (size_t i = 0; i < job->settings; i++)
		if (!strcmp(job->setting[i].name, option))
			return &job->setting[i];
	return NULL;
}

static bool is_swept(const struct assay_job *job, const char *option)
{
	const struct assay_setting *setting = given(job, option);

	return setting && varies(setting);
}

static const char *only_swept(const struct assay_job *job)
{
	const char *name = NULL;

	for (size_t i = 0; i < job->settings; i++) {
		if (!varies(&job->setting[i]))
			continue;
		if (name)
			return NULL;
		name = job->setting[i].name;
	}
	return name;
}

/* ---- one row per shape -------------------------------------------------- */

#define FIELDS (ASSAY_SHAPE_OPTIONS + ASSAY_EVENTS + SWEPT_FIELDS + 13)

static size_t swept_fields(const struct assay_job *job,
			   const struct assay_shape *shape,
			   struct assay_field *field)
{
	struct assay_field all[ASSAY_SHAPE_OPTIONS];
	size_t n = shape_fields(shape, all, ASSAY_SHAPE_OPTIONS), kept = 0;

	for (size_t i = 0; i < n; i++)
		if (is_swept(job, all[i].name))
			field[kept++] = all[i];
	return kept ? kept : shape_fields(shape, field, ASSAY_SHAPE_OPTIONS);
}

static size_t verdict_fields(const struct assay_result *r,
			     struct assay_field *field)
{
	unsigned count[ASSAY_UNAVAILABLE + 1] = { 0 };

	for (size_t i = 0; i < r->compareds; i++)
		count[r->compared[i].verdict]++;
	if (!count[ASSAY_AGREES] && !count[ASSAY_DISAGREES])
		return 0;
	field[0] = field_count("agree", count[ASSAY_AGREES]);
	field[1] = field_count("disagree", count[ASSAY_DISAGREES]);
	return 2;
}

/* The kernel's true quantity, where it is known without any event. */
static size_t truth_fields(const struct assay_result *r,
			   struct assay_field *field)
{
	const struct assay_record *record = r->record;
	size_t n = 0;

	for (unsigned i = 0; !record->events && i < r->shown; i++) {
		struct assay_value truth = record->truth.of[r->shows[i]];

		if (!truth.why)
			field[n++] = value_field(
				assay_quantity_name(r->shows[i]), truth);
	}
	return n;
}

/* For people who did not give -v. */
static bool is_short(const struct context *context)
{
	return report_has(context->report, REPORT_PROSE) &&
	       !context->settings.verbose;
}

/* Are there hypotheses and a true pie? */
static bool is_judged(const struct sweep *sweep, const struct context *context,
		      const struct assay_result *r)
{
	return sweep->answer.hypotheses && sweep_truth(r) && !r->slopes &&
	       is_short(context);
}

/* The formulas' values; without formulas the counts. */
static size_t count_fields(const struct assay_result *r,
			   struct assay_field *field)
{
	const struct assay_record *record = r->record;
	size_t n = 0;

	for (; n < r->metrics && n < ASSAY_EVENTS; n++)
		field[n] = value_field(r->metric[n].name, r->metric[n].value);
	for (unsigned e = 0; !r->metrics && e < record->events; e++)
		field[n++] = value_field(record->event[e].name,
					 assay_record_value(record, e));
	return n;
}

static int show_row(const struct sweep *sweep, struct context *context,
		    const struct assay_result *r)
{
	const struct assay_record *record = r->record;
	struct assay_field field[FIELDS];
	struct sweep_columns columns;
	struct timing_text text;
	size_t n = swept_fields(sweep->job, r->shape, field);

	if (is_judged(sweep, context, r)) {
		n += sweep_answer_fields(r, field + n, &columns);
		return report_row(context->report,
				  &(struct assay_row){ "shape", field, n });
	}
	if (r->timing)
		n += timing_fields(r->timing, field + n, &text);
	if (!r->timing)
		n += count_fields(r, field + n);
	if (!r->ns_per_access.why && !r->timing)
		field[n++] = real_field("per access|ns",
					r->ns_per_access.number, 2);
	if (!r->cycles_per_access.why && !r->timing)
		field[n++] = real_field("per access|cycles",
					r->cycles_per_access.number, 2);
	n += truth_fields(r, field + n);
	n += verdict_fields(r, field + n);
	if (record->noise.disturbed && !r->timing)
		field[n++] = field_text("noise", "disturbed");
	return report_row(context->report,
			  &(struct assay_row){ "shape", field, n });
}

/* ---- options common to all shapes, and varying ones ---------------------- */

static bool is_derived(const char *kernel, const char *option)
{
	struct assay_kernel_option all[ASSAY_SHAPE_OPTIONS];
	int n = assay_kernel_options(kernel, all, ASSAY_SHAPE_OPTIONS, NULL);

	for (int i = 0; i < n && i < ASSAY_SHAPE_OPTIONS; i++)
		if (!strcmp(all[i].name, option))
			return !strncmp(all[i].initial, "derived", 7);
	return false;
}

/* The shape's varying options (swept), or the constant ones. */
static struct assay_shape part_of(const struct assay_job *job,
				  const struct assay_shape *shape, bool swept)
{
	struct assay_shape part = *shape;

	part.options = 0;
	for (unsigned i = 0; i < shape->options; i++) {
		const char *name = shape->option[i].name;

		if (is_swept(job, name) != swept ||
		    (!given(job, name) && is_derived(job->kernel, name)))
			continue;
		part.option[part.options++] = shape->option[i];
	}
	return part;
}

/* The long form: counts and every hypothesis, size by size. */
static void show_page(const struct sweep *sweep, struct context *context,
		      const struct assay_result *r)
{
	struct assay_shape part = part_of(sweep->job, r->shape, true);
	char text[400];

	shape_text(text, sizeof(text), &part);
	report_title(context->report, text);
	page_counts(context, r);
	page_slopes(context, r);
	page_metrics(context, r);
	page_pies(context, r);
}

/* ---- the plot ----------------------------------------------------------- */

static void keep_point(struct sweep *sweep, const struct assay_result *r)
{
	int i = sweep->size ? assay_shape_find(r->shape, sweep->size) : -1;
	const struct assay_shape_value *v;

	if (i < 0 || r->ns_per_access.why)
		return;
	v = &r->shape->option[i];
	if (v->kind != ASSAY_OPTION_COUNT && v->kind != ASSAY_OPTION_BYTES)
		return;
	if (!sweep->x) {
		sweep->x = calloc(r->total, sizeof(*sweep->x));
		sweep->y = calloc(r->total, sizeof(*sweep->y));
		sweep->room = r->total;
	}
	if (!sweep->x || !sweep->y || sweep->points == sweep->room)
		return;
	sweep->bytes = v->kind == ASSAY_OPTION_BYTES;
	sweep->x[sweep->points] = (double)v->value;
	sweep->y[sweep->points++] = r->ns_per_access.number;
}

static void draw(const struct sweep *sweep, struct report *report)
{
	const struct report_series series = {
		"time per access", sweep->x, sweep->y, sweep->points,
		PLOT_LINE
	};
	const struct report_plot plot = {
		.x_unit = sweep->bytes ? "bytes" : sweep->size,
		.y_unit = "ns", .series = &series, .series_count = 1,
	};

	if (sweep->points > 2)
		report_plot(report, &plot);
}

/* ---- the answer --------------------------------------------------------- */

static void add_to_answer(struct sweep *sweep, const struct assay_result *r)
{
	struct assay_shape part = part_of(sweep->job, r->shape, true);
	char text[400];

	shape_text(text, sizeof(text), &part);
	if (sweep->job->formulas && r->record)
		sweep_answer_add(&sweep->answer, r, text);
	else
		run_answer_add(&sweep->runs, r, text);
}

/* The meaning of the table's columns. */
static void explain_columns(const struct sweep *sweep, struct report *report)
{
	const struct sweep_answer *answer = &sweep->answer;

	report_note(report, "\nlargest error: of L1, L2, L3, DRAM or the "
		    "total, as a share of the accesses; up to 1 %% agrees");
	for (unsigned i = 0; i < answer->hypotheses; i++)
		report_note(report, "  %s: %s", answer->of[i].name,
			    answer->of[i].title);
	report_note(report, "'assay judge' ranks them on kernels with stores, "
		    "page walks and strides, too, where more of them fail");
	report_note(report, "-v: the counts and pies of each run");
}

static void answer(const struct sweep *sweep, struct context *context,
		   int exit_code)
{
	struct phrase phrase = { .used = 0 };

	if (!sweep->answer.runs && !sweep->runs.runs &&
	    exit_code != EXIT_INTERRUPTED) {
		report_release(context->report);
		return;
	}
	if (sweep->answer.runs)
		sweep_answer_sentence(&sweep->answer, &phrase);
	else
		run_answer_sentence(&sweep->runs, &phrase);
	report_answer(context->report, "%s.", phrase_text(&phrase));
	if (sweep->answer.truths && sweep->answer.hypotheses &&
	    is_short(context))
		explain_columns(sweep, context->report);
}

/* ---- the command -------------------------------------------------------- */

static int show(struct results *results, const struct assay_result *r)
{
	struct sweep *sweep = results->data;
	struct context *context = results->context;
	int rc = 0;

	if (r->index == 0) {
		struct assay_shape part = part_of(sweep->job, r->shape, false);
		struct assay_result head = *r;

		head.shape = &part;
		page_head(context, &head);
	}
	add_to_answer(sweep, r);
	if (!r->record)
		page_judgement(context, r);
	else if (is_judged(sweep, context, r))
		rc = show_row(sweep, context, r);
	else if ((r->pies > 1 || r->slopes || sweep->job->pie) &&
		 report_has(context->report, REPORT_PROSE))
		show_page(sweep, context, r);
	else
		rc = show_row(sweep, context, r);
	keep_point(sweep, r);
	sweep->pace = pace_text(r);
	return rc;
}

/* Without a list, the kernel's size option is swept over its usual range. */
static int add_range(struct assay_job *job, struct assay_setting *room,
		     struct assay_error *err)
{
	const char *option, *range;
	int rc = assay_kernel_sweep(job->kernel, &option, &range, err);

	if (rc)
		return rc;
	memcpy(room, job->setting, job->settings * sizeof(*room));
	for (size_t i = 0; i < job->settings; i++)
		if (varies(&room[i]) || !strcmp(room[i].name, option))
			return 0;
	room[job->settings] = (struct assay_setting){ option, range };
	job->setting = room;
	job->settings++;
	return 0;
}

static int run(struct context *context)
{
	struct assay_setting setting[SETTINGS_KERNEL + 1];
	struct assay_job job;
	struct sweep sweep = { .job = &job, .pace = "" };
	struct results results = {
		.context = context, .show = show, .data = &sweep,
	};
	struct assay_error err = { 0 };
	int exit_code;

	context_job(context, &job);
	if (add_range(&job, setting, &err))
		return complain(context, &err);
	sweep.size = only_swept(&job);
	report_hold(context->report);
	exit_code = results_run(&results, &job);
	answer(&sweep, context, exit_code);
	report_flush(context->report);
	if (*sweep.pace && report_has(context->report, REPORT_PROSE))
		report_note(context->report, "\n%s", sweep.pace);
	draw(&sweep, context->report);
	trusted_note(context);
	free(sweep.x);
	free(sweep.y);
	return exit_code;
}

static const struct option *const options[] = {
	on_option, job_options, cert_options, page_map_option, control_options,
	store_options, rank_options, output_options,
	common_options, NULL
};

static const struct example examples[] = {
	{ "assay sweep chase --on time", "ns and core cycles per access of "
	  "this machine, by size" },
	{ "assay sweep chase --on sim:cortex-a72 --elements 32..65536 "
	  "-e L1D_CACHE_LD,L1D_CACHE_REFILL_LD -x ,",
	  "simulated counts, one CSV row per size" },
	{ "assay sweep random --on sim:cortex-a76 --bytes 4K..16M "
	  "--formulas arm-pies",
	  "five hypotheses about hits, beside the truth" },
	{ 0 }
};

const struct command sweep_command = {
	.name = "sweep",
	.group = "measure",
	.summary = "one kernel over many shapes: a row for each",
	.arguments = "KERNEL",
	.args = 1,
	.kernel = true,
	.options = options,
	.text =
		"Each option of the kernel takes a value, a list A,B,C, or a "
		"range A..B that doubles (A..B/N: N steps per doubling). All "
		"combinations are run; the last option varies fastest. Without "
		"a list, the kernel's size takes its usual range. A range "
		"whose shapes take more than an hour, by their closed forms, "
		"is refused; a list of values is not.\n\n"
		"-x prints one header line and one row per shape: the kernel's "
		"options, a column per event, a column per quantity, and the "
		"shares of each pie.\n\n"
		"With --formulas the first line says which hypothesis about "
		"who served the accesses agrees with the truth, and over which "
		"sizes. The table has the largest error of each hypothesis; -v "
		"adds the counts and pies of every run.\n\n"
		"A time per access is the time of the run divided by its "
		"accesses; accesses that overlap share their time. With --on "
		"time each load of a list waits for the one before, so the "
		"time is the latency of a load.",
	.example = examples,
	.variable = cert_variables,
	.run = run,
};
