/* SPDX-License-Identifier: MIT */
/* Collects the numbers of a run. See numbers.h. */
#include "cli/numbers/numbers.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* ---- names --------------------------------------------------------------- */

static void add_option(char *out, size_t room,
		       const struct assay_shape_value *v)
{
	if (v->kind == ASSAY_OPTION_CHOICE)
		text_add(out, room, "/", "%s:%s", v->name, v->word);
	else if (v->kind == ASSAY_OPTION_REAL)
		text_add(out, room, "/", "%s:%g", v->name,
			 (double)v->value / 1e6);
	else
		text_add(out, room, "/", "%s:%lld", v->name,
			 (long long)v->value);
}

void numbers_name(char *out, size_t room, const struct assay_record *record)
{
	const struct assay_shape *shape = &record->shape;

	*out = '\0';
	text_add(out, room, "", "%s", run_file_is_kernel(record) ||
		 !*record->settings.options ? shape->kernel :
		 record->settings.options);
	for (unsigned i = 0; i < shape->options; i++)
		add_option(out, room, &shape->option[i]);
	text_harmless(out, false);
}

/* A benchmark that is there already is another one: "name#2". */
static void make_unique(const struct numbers *all, char *name, size_t room)
{
	const size_t length = strlen(name);
	unsigned n = 1;

	for (size_t i = 0; i < all->numbers; i++)
		if (!strcmp(all->number[i].benchmark, name)) {
			name[length] = '\0';
			text_add(name, room, "", "#%u", ++n);
			i = (size_t)-1;
		}
}

/* ---- numbers ------------------------------------------------------------- */

struct collecting {
	struct numbers *out;
	const struct context *context;
	struct number next;	/* benchmark, CPU and provider of a record */
};

static void add(struct collecting *c, enum number_kind kind,
		const char *measure, const char *unit, double value)
{
	struct numbers *out = c->out;
	struct number *n = reallocarray(out->number, out->numbers + 1,
					sizeof(*n));

	if (!n) {
		out->no_memory = true;
		return;
	}
	out->number = n;
	n += out->numbers++;
	*n = c->next;
	text_copy(n->measure, sizeof(n->measure), measure);
	n->kind = kind;
	n->unit = unit;
	n->value = value;
}

static void leave_out(const struct collecting *c, const char *measure,
		      const char *why)
{
	if (!c->context->settings.quiet)
		report_say(stderr, "assay %s: left out: %s of %s: %s\n",
			   c->context->command->name, measure,
			   c->next.benchmark, why);
}

/* The least and the largest count of the event. */
static void find_range(struct number *n, const struct assay_record *r,
		       unsigned event)
{
	n->range = r->repeats > 1;
	for (unsigned i = 0; i < r->repeats; i++) {
		const double count = (double)
			r->counts[i * r->events + event].value;

		n->low = !i || count < n->low ? count : n->low;
		n->high = !i || count > n->high ? count : n->high;
	}
}

/* The kernel's clocks among the software events count ns. */
static const char *unit_of(const char *code)
{
	return !strcmp(code, "sw:0") || !strcmp(code, "sw:1") ? "ns" : "events";
}

static void add_event(struct collecting *c, const struct assay_record *r,
		      unsigned event)
{
	const struct assay_value v = assay_record_value(r, event);
	const char *name = r->event[event].name;

	if (v.why || v.estimate) {
		leave_out(c, name, v.why ? v.why :
			  "counted during a part of the run only");
		return;
	}
	add(c, NUMBER_COUNT, name, unit_of(r->event[event].code), v.number);
	if (!c->out->no_memory)
		find_range(&c->out->number[c->out->numbers - 1], r, event);
}

/* Without events the quantities that a simulator knows are the result. */
static void add_counts(struct collecting *c, const struct assay_record *r)
{
	for (unsigned e = 0; e < r->events; e++)
		add_event(c, r, e);
	for (int q = 0; q < ASSAY_QUANTITIES && !r->events; q++)
		if (!r->truth.of[q].why && !r->truth.of[q].estimate)
			add(c, NUMBER_COUNT, assay_quantity_name((enum assay_quantity)q),
			    assay_quantity_unit((enum assay_quantity)q),
			    r->truth.of[q].number);
}

static int on_result(void *ctx, const struct assay_result *r)
{
	struct collecting *c = ctx;

	if (!r->ns_per_access.why && r->ns_per_access.number > 0)
		add(c, NUMBER_LATENCY, "latency", "ns",
		    r->ns_per_access.number);
	return 0;
}

/* `--on time` has a better mean than the wall time of its rounds. */
static int add_latency(struct collecting *c, const struct assay_record *r,
		       struct assay_error *err)
{
	const int event = assay_record_find(r, "time.ps-per-access");

	if (event < 0)
		return run_file_is_kernel(r) && r->ns[0] ?
		       run_file_replay(r, c->context, on_result, c, err) : 0;
	add(c, NUMBER_LATENCY, "latency", "ns",
	    assay_record_value(r, (unsigned)event).number / 1000);
	return 0;
}

static int take_record(struct collecting *c, const struct assay_record *r,
		       struct assay_error *err)
{
	c->next = (struct number){ .cpu = r->machine.cpu,
				   .provider = r->provider };
	numbers_name(c->next.benchmark, sizeof(c->next.benchmark) - 16, r);
	make_unique(c->out, c->next.benchmark, sizeof(c->next.benchmark));
	if (strcmp(r->provider, "time") != 0)
		add_counts(c, r);
	return add_latency(c, r, err);
}

/* `stat`: the times of the program, whose record came before. */
static void take_times(struct collecting *c, const struct assay_row *row)
{
	static const char *const times[] = { "elapsed", "user", "system" };

	for (int i = 0; i < 3; i++) {
		const struct assay_field *f = row_find(row, times[i]);

		if (f && f->kind != ASSAY_FIELD_ABSENT)
			add(c, NUMBER_TIME, times[i], "s",
			    row_number(row, times[i]));
	}
}

/* `ci`: what the new build does, or what is recorded. */
static void take_budget(struct collecting *c, const struct assay_row *row,
			const char *value)
{
	const struct assay_field *f = row_find(row, value);
	const char *quantity = row_text(row, "quantity");
	const int q = assay_quantity_find(quantity);

	c->next = (struct number){ .cpu = "", .provider = "sim" };
	text_copy(c->next.benchmark, sizeof(c->next.benchmark),
		  row_text(row, "benchmark"));
	if (!f || f->kind == ASSAY_FIELD_ABSENT)
		leave_out(c, quantity, row_text(row, "why"));
	else
		add(c, NUMBER_COUNT, quantity, q < 0 ? "events" :
		    assay_quantity_unit((enum assay_quantity)q),
		    row_number(row, value));
}

static void take_row(struct collecting *c, const struct assay_row *row)
{
	if (!strcmp(row->type, "time"))
		take_times(c, row);
	else if (!strcmp(row->type, "budget"))
		take_budget(c, row, "head");
	else if (!strcmp(row->type, "recorded"))
		take_budget(c, row, "count");
}

int numbers_collect(struct numbers *out, const struct run_file *run,
		    const struct context *context, struct assay_error *err)
{
	struct collecting c = { .out = out, .context = context };
	int rc = 0;

	for (size_t i = 0; i < run->records && !rc; i++)
		rc = take_record(&c, run->record[i], err);
	for (size_t i = 0; i < run->rows.rows; i++)
		take_row(&c, &run->rows.row[i]);
	return out->no_memory ? error_memory(err) : rc;
}

void numbers_fini(struct numbers *numbers)
{
	free(numbers->number);
}

/* ---- the file ------------------------------------------------------------ */

static size_t put(struct context *context, const struct numbers *numbers,
		  const struct run_file *run)
{
	const char *on = context->settings.on ? context->settings.on : "perf";
	FILE *out = context->output.file;

	switch (context->format) {
	case REPORT_PROMETHEUS:
		return prometheus_write(out, numbers, run, on);
	case REPORT_ACTION:
		return action_write(out, numbers);
	case REPORT_BENCHER:
		return bencher_write(out, numbers);
	default:
		return google_write(out, run, context);
	}
}

int numbers_put(struct context *context, const struct run_file *run)
{
	struct numbers numbers = { .number = NULL };
	struct assay_error err = { 0 };
	int rc = strcmp(context->command->name, "verify") ?
		 numbers_collect(&numbers, run, context, &err) : 0;

	if (!rc && !put(context, &numbers, run)) {
		error_set(&err, -ASSAY_EINVAL, "this run has no number for the "
			  "format %s", report_format_name(context->format));
		error_add(&err, context->format == REPORT_GOOGLE ?
			  "it holds times, and this run has none; counts: "
			  "--format github-action-benchmark" :
			  "-o FILE.csv writes all rows");
		rc = -ASSAY_EINVAL;
	}
	numbers_fini(&numbers);
	return rc ? complain(context, &err) : EXIT_OK;
}
