/* SPDX-License-Identifier: MIT */
/* assay doctor: what works on this machine, why not, and what to do. */
#include <string.h>

#include "base/text.h"
#include "cli/fleet/ranks.h"
#include "cli/context.h"
#include "cli/formats/matrix.h"
#include "cli/rows.h"
#include "report/cell.h"
#include "report/wrap.h"

#define FINDINGS 128

/* Findings are kept for people: the answer stands above the findings. */
struct diagnosis {
	struct kept_rows kept;
	char machine[400];	/* "assay 0.1.0 on HOST: CPU, Linux" */
	char answer[400], next[400];
	bool can_count;
	bool bad;		/* a finding has the state "bad" */
};

static bool is(const struct assay_row *row, const char *name, const char *text)
{
	return !strcmp(row_text(row, name), text);
}

/* ---- findings on paper --------------------------------------------------- */

#define INDENT 29		/* where evidence begins */
#define BRIEF_LINES 40

static void put_answer(FILE *out, const struct report_style *style,
		       const struct diagnosis *all)
{
	wrap_print(out, all->answer, 0, 0, style->columns);
	fputs("next: ", out);
	wrap_print(out, all->next, 6, 6, style->columns);
	fputc('\n', out);
	wrap_print(out, all->machine, 0, 0, style->columns);
}

static void put_sign(FILE *out, const struct report_style *style,
		     const char *state)
{
	const struct assay_field field = field_text("state", state);
	const struct cell_sign *sign = cell_sign(&field);
	const char *mark = "?";

	if (sign)
		mark = style->utf8 ? sign->sign : sign->ascii;
	if (sign && style->colour)
		fprintf(out, "  \033[%sm%s\033[0m", sign->colour, mark);
	else
		fprintf(out, "  %s", mark);
	fprintf(out, "%*s", (int)((style->utf8 ? 2 : 5) - text_width(mark)),
		"");
}

/* A name in column `at`, and its text from INDENT on, or below a long name. */
static void put_lines(FILE *out, const char *name, unsigned at,
		      const char *text, unsigned columns)
{
	const unsigned end = at + text_width(name);

	fputs(name, out);
	if (end + 2 > INDENT)
		fprintf(out, "\n%*s", INDENT, "");
	else
		fprintf(out, "%*s", (int)(INDENT - end), "");
	wrap_print(out, text, INDENT, INDENT, columns);
}

static void put_finding(FILE *out, const struct report_style *style,
			const struct assay_row *f)
{
	put_sign(out, style, row_text(f, "state"));
	put_lines(out, row_text(f, "what"), style->utf8 ? 4 : 7,
		  row_text(f, "evidence"), style->columns);
	if (*row_text(f, "effect"))
		put_lines(out, "", 0, row_text(f, "effect"), style->columns);
}

static void put_heading(FILE *out, const struct report_style *style,
			const char *text)
{
	fprintf(out, style->colour ? "\033[1m%s\033[0m\n" : "%s\n", text);
}

static void put_findings(FILE *out, const struct report_style *style,
			 const struct diagnosis *all)
{
	const char *part = "";

	for (size_t i = 0; i < all->kept.rows; i++) {
		const struct assay_row *f = &all->kept.row[i];

		if (strcmp(part, row_text(f, "part"))) {
			if (i)
				fputc('\n', out);
			put_heading(out, style, row_text(f, "part"));
			part = row_text(f, "part");
		}
		put_finding(out, style, f);
	}
}

static bool cured_before(const struct diagnosis *all, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (is(&all->kept.row[i], "cure",
		       row_text(&all->kept.row[n], "cure")))
			return true;
	return false;
}

static void put_cures(FILE *out, const struct report_style *style,
		      const struct diagnosis *all)
{
	bool any = false;

	for (size_t i = 0; i < all->kept.rows; i++) {
		const struct assay_row *f = &all->kept.row[i];

		if (!*row_text(f, "cure") || is(f, "state", "ok") ||
		    cured_before(all, i))
			continue;
		if (!any) {
			fputc('\n', out);
			put_heading(out, style, "what to do");
		}
		any = true;
		fputs("  ", out);
		put_lines(out, row_text(f, "what"), 2, row_text(f, "cure"),
			  style->columns);
	}
}

/* Is there a finding named `what` in the state "bad"? */
static bool is_bad(const struct diagnosis *all, const char *what)
{
	for (size_t i = 0; i < all->kept.rows; i++)
		if (is(&all->kept.row[i], "state", "bad") &&
		    is(&all->kept.row[i], "what", what))
			return true;
	return false;
}

static void put_summary(FILE *out, const struct report_style *style,
			const struct diagnosis *all)
{
	static const char always[] = "topo --measure; run and sweep --on "
		"time (levels and shares by timing), --on sim:CPU (simulated "
		"counters), --on replay:FILE (saved ones); verify and judge "
		"--on sim:CPU";
	static const char software[] = "; software events such as "
		"-e page-faults,task-clock";
	static const char none[] = "hardware events (-e cycles, -e "
		"cache-misses ...), verify of this CPU";
	const bool counts = !is_bad(all, "software events");
	char text[400];

	fputs("\nworks here:     ", out);
	snprintf(text, sizeof(text), "%s%s", always, counts ? software : "");
	wrap_print(out, all->can_count
		   ? "everything: hardware events, simulation, replay, time"
		   : text, 16, 16, style->columns);
	if (all->can_count)
		return;
	fputs("does not work:  ", out);
	snprintf(text, sizeof(text), "%s%s", none, counts ? "" :
		 "; software events");
	wrap_print(out, text, 16, 16, style->columns);
}

static void put_full_form(FILE *out, const struct report_style *style,
			  const struct diagnosis *all)
{
	put_answer(out, style, all);
	fputc('\n', out);
	put_findings(out, style, all);
	put_summary(out, style, all);
	put_cures(out, style, all);
}

/* ---- brief -------------------------------------------------------------- */

/* Detail of each finding: the most for which the screen has room. */
enum detail { EVIDENCE_AND_CURE, CURE, NEITHER };

/* Is f shown without -v: a bad finding that the answer does not imply? */
static bool is_brief(const struct diagnosis *all, const struct assay_row *f)
{
	const bool counting = is(f, "part", "counters") ||
			      is(f, "part", "permission");

	if (is(f, "part", "measured"))
		return true;
	if (!all->can_count && counting &&
	    (is(f, "state", "bad") || is(f, "what", "--on perf")))
		return false;
	return is(f, "state", "bad") || is(f, "state", "warn");
}

/* The findings that are shown, bad ones first. */
struct brief {
	const struct assay_row *finding[FINDINGS];
	size_t count;
};

static void choose_findings(struct brief *out, const struct diagnosis *all)
{
	out->count = 0;
	for (int bad = 1; bad >= 0; bad--)
		for (size_t i = 0; i < all->kept.rows; i++) {
			const struct assay_row *f = &all->kept.row[i];

			if (is_brief(all, f) && out->count < FINDINGS &&
			    is(f, "state", "bad") == bad)
				out->finding[out->count++] = f;
		}
}

#define BRIEF_TEXT 1200

/* "EVIDENCE: EFFECT"; evidence may be a line of the kernel's log. */
static void brief_text(char out[BRIEF_TEXT], const struct assay_row *f,
		       enum detail detail)
{
	const char *evidence = row_text(f, "evidence");
	const char *effect = row_text(f, "effect");
	int length = (int)strlen(evidence);

	while (length && strchr(".:!", evidence[length - 1]))
		length--;
	if (*effect && detail == EVIDENCE_AND_CURE)
		snprintf(out, BRIEF_TEXT, "%.*s: %s", length, evidence, effect);
	else
		text_copy(out, BRIEF_TEXT, *effect ? effect : evidence);
}

static unsigned lines_of(const char *text, unsigned columns, unsigned indent)
{
	const unsigned room = columns ? columns : ~0u;

	return wrap_count(text, room < indent + 20 ? 20 : room - indent, " ");
}

/* Where the brief form's text begins: behind the sign and the longest name. */
static unsigned brief_indent(const struct report_style *style)
{
	return style->utf8 ? 23 : 26;
}

static unsigned brief_lines(const struct assay_row *f, enum detail detail,
			    const struct report_style *style)
{
	const unsigned indent = brief_indent(style);
	char text[BRIEF_TEXT];
	unsigned lines;

	brief_text(text, f, detail);
	lines = lines_of(text, style->columns, indent);
	if (*row_text(f, "cure") && detail != NEITHER)
		lines += lines_of(row_text(f, "cure"), style->columns,
				  indent + 4);
	return lines;
}

static void put_brief(FILE *out, const struct report_style *style,
		      const struct assay_row *f, enum detail detail)
{
	char text[BRIEF_TEXT];
	const unsigned indent = brief_indent(style);
	const int pad = 19 - (int)text_width(row_text(f, "what"));

	brief_text(text, f, detail);
	put_sign(out, style, row_text(f, "state"));
	fprintf(out, "%s%*s", row_text(f, "what"), pad > 0 ? pad : 1, "");
	wrap_print(out, text, indent + (unsigned)(pad > 0 ? 0 : 1 - pad),
		   indent, style->columns);
	if (!*row_text(f, "cure") || detail == NEITHER)
		return;
	fprintf(out, "%*sdo: ", (int)indent, "");
	wrap_print(out, row_text(f, "cure"), indent + 4, indent + 4,
		   style->columns);
}

/* Names the findings for which the screen has no room. */
static void put_rest(FILE *out, const struct report_style *style,
		     const struct brief *brief, size_t from)
{
	char text[2048] = "";
	size_t used = 0;

	for (size_t i = from; i < brief->count && used < sizeof(text); i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used,
					 "%s%s", used ? ", " : "and: ",
					 row_text(brief->finding[i], "what"));
	if (!used)
		return;
	fputs("  ", out);
	wrap_print(out, text, 2, 7, style->columns);
}

static enum detail choose_detail(const struct brief *brief,
				 const struct report_style *style,
				 unsigned room)
{
	enum detail detail = EVIDENCE_AND_CURE;

	for (; detail < NEITHER; detail++) {
		unsigned lines = 0;

		for (size_t i = 0; i < brief->count; i++)
			lines += brief_lines(brief->finding[i], detail, style);
		if (lines <= room)
			break;
	}
	return detail;
}

/* Lines left for findings, after the answer, the summary and the end. */
static unsigned brief_room(const struct report_style *style,
			   const struct diagnosis *all)
{
	const unsigned head = lines_of(all->answer, style->columns, 0) +
			      lines_of(all->next, style->columns, 6) +
			      lines_of(all->machine, style->columns, 0);

	return BRIEF_LINES - 6 - (all->can_count ? 1 : 6) -
	       (head < 12 ? head : 12);
}

static void put_most(FILE *out, const struct report_style *style,
			  const struct diagnosis *all)
{
	struct brief brief;
	unsigned room = brief_room(style, all), lines;
	enum detail detail;
	size_t i;

	choose_findings(&brief, all);
	detail = choose_detail(&brief, style, room);
	for (i = 0; i < brief.count; i++) {
		lines = brief_lines(brief.finding[i], detail, style);
		if (lines > room)
			break;
		room -= lines;
		put_brief(out, style, brief.finding[i], detail);
	}
	put_rest(out, style, &brief, i);
}

static void put_brief_form(FILE *out, const struct report_style *style,
			   const struct diagnosis *all)
{
	char legend[200];

	put_answer(out, style, all);
	put_summary(out, style, all);
	fputc('\n', out);
	snprintf(legend, sizeof(legend), "%s does not work, %s disturbs or "
		 "limits measurements; all %zu findings, with evidence and "
		 "what to do: assay doctor -v", style->utf8 ? "✗" : "FAIL",
		 "!", all->kept.rows);
	put_most(out, style, all);
	wrap_print(out, legend, 0, 0, style->columns);
}

/* ---- findings ------------------------------------------------------------ */

/* "assay 0.1.0 on milan: AMD EPYC 7763, 128 CPUs, Linux 6.1.0 x86-64" */
static void keep_machine(struct diagnosis *all, const struct assay_row *row)
{
	const struct assay_field *cpus = &row->field[3];
	char count[32] = "";

	if (cpus->kind == ASSAY_FIELD_COUNT)
		snprintf(count, sizeof(count), "%u CPU%s, ",
			 (unsigned)cpus->count, cpus->count == 1 ? "" : "s");
	snprintf(all->machine, sizeof(all->machine),
		 "assay %s on %s: %s, %sLinux %s %s", row_text(row, "assay"),
		 row_text(row, "host"), row_text(row, "cpu"), count,
		 row_text(row, "kernel"), row_text(row, "isa"));
}

static int on_row(void *ctx, const struct assay_row *row)
{
	struct diagnosis *all = ctx;

	all->bad |= is(row, "state", "bad");
	if (all->kept.fn || !strcmp(row->type, "finding"))
		return keep_row(&all->kept, row);
	if (!strcmp(row->type, "machine"))
		keep_machine(all, row);
	if (!strcmp(row->type, "answer")) {
		text_copy(all->answer, sizeof(all->answer),
			  row_text(row, "answer"));
		text_copy(all->next, sizeof(all->next), row_text(row, "next"));
	}
	return 0;
}

static int look(struct context *context)
{
	struct diagnosis all = { .kept = context_rows(context) };
	struct assay_error err = { 0 };
	int rc = assay_doctor(context->assay, &all.can_count, on_row, &all,
			      &err);

	if (!rc && context->settings.measure)
		rc = assay_doctor_levels(context->assay, context->settings.cpu,
					 on_row, &all, &err);
	if (all.kept.no_memory)
		rc = error_set(&err, -ASSAY_ENOMEM, "out of memory");
	if (!rc && !all.kept.fn)
		(context->settings.verbose ? put_full_form : put_brief_form)
			(report_file(context->report),
			 report_style(context->report), &all);
	kept_rows_free(&all.kept);
	if (rc)
		return complain(context, &err);
	return !all.can_count ? EXIT_NO_COUNTERS :
	       all.bad ? EXIT_CHECK : EXIT_OK;
}

static int record(struct context *context)
{
	struct assay_error err = { 0 };

	if (assay_machine_write(context->assay, report_file(context->report),
				&err))
		return complain(context, &err);
	return EXIT_OK;
}

static int restore(struct context *context)
{
	struct assay_error err = { 0 };
	unsigned undone = 0;
	char count[64];
	struct assay_field field[] = {
		field_count("undone", 0),
		field_text("journal", "removed"),
	};
	const struct assay_row row = { "restored", field, 2 };

	if (!assay_left_over(context->assay))
		field[1] = field_text("journal", "none was left");
	else if (assay_restore(context->assay, &undone, &err))
		return complain(context, &err);
	field[0].count = undone;
	if (!report_has(context->report, REPORT_PROSE))
		return report_row(context->report, &row) ? EXIT_FAILED
							 : EXIT_OK;
	snprintf(count, sizeof(count), "%u setting%s undone", undone,
		 undone == 1 ? "" : "s");
	report_note(context->report, "%s; journal: %s", count, field[1].text);
	return EXIT_OK;
}

static int run(struct context *context)
{
	const struct settings *s = &context->settings;
	const int wrong = wrong_measure(context);

	if (wrong)
		return wrong;
	if (s->record + s->restore + s->measure > 1)
		return complain_text("doctor", EXIT_USAGE, "--measure, "
				     "--record and --restore exclude each "
				     "other");
	if (s->record && !report_has(context->report, REPORT_FILES))
		return complain_text("doctor", EXIT_USAGE, "--record writes a "
				     "format of its own, not -j or -x");
	if (!s->record && matrix_is_own(context))
		return complain_text("doctor", EXIT_USAGE, "'%.80s': files of "
				     "that kind are written with --record",
				     s->output);
	if (s->record)
		return record(context);
	if (s->restore)
		return restore(context);
	return look(context);
}

static const struct option own[] = {
	FLAG(0, "measure", measure,
	  "also measure, some seconds: the noise of just now, and the caches "
	  "that timing finds beside those that are reported"),
	FLAG(0, "record", record,
	  "write down the machine instead, for --sysroot elsewhere; with its "
	  "host name"),
	NUMBER(0, "cpu", "N", cpu, 0, "measure on this CPU"),
	FLAG(0, "restore", restore,
	  "undo the settings that a killed run left changed, but none that "
	  "somebody has set since"),
	{ 0 }
};

static const struct option *const options[] = {
	own, sysroot_option, rank_options, output_options, common_options, NULL
};

static const struct example examples[] = {
	{ "assay doctor", "what works here, and why the rest does not" },
	{ "assay doctor -j", "the same for a program" },
	{ "assay doctor --restore",
	  "put back what a killed run had changed (prefetchers, governor, "
	  "huge pages)" },
	{ 0 }
};

const struct command doctor_command = {
	.name = "doctor",
	.group = "see what there is",
	.summary = "can this machine count, and if not, why and what to do",
	.arguments = "",
	.options = options,
	.text =
		"Checks the counters, the permissions, the identity of this "
		"machine, and what disturbs a measurement: load, clock, heat, "
		"mitigations, limits. The first sentence is the answer. Then "
		"come the findings that stop or disturb a measurement; -v "
		"shows all findings, each with its evidence, its effect and "
		"its cure.\n\n"
		"Exits with 0 if hardware events can be counted here, with 3 "
		"if they can but another finding is bad (\"bad\" in -j), with "
		"4 "
		"if they cannot.",
	.example = examples,
	.run = run,
};
