/* SPDX-License-Identifier: MIT */
/* assay audit: which entries of event tables are wrong. */
#include <stdio.h>
#include <string.h>

#include "cli/context.h"
#include "cli/rows.h"

/* The fields of a row; those of CELLS are for a screen. */
enum { CLASS, CONFIDENCE, CPU, EVENT, HERE, OTHERS, DECIDE, SOURCE,
       CELLS = DECIDE, FIELDS = 11 };
enum { AGAINST = 64, SHOWN = 10 };

/* A finding on the screen. */
struct shown {
	char text[CELLS][640], source[32];
	unsigned more;		/* such findings: of other CPUs or counters */
};

struct auditing {
	struct context *context;
	struct shown of[SHOWN];
	unsigned shown, rest;
};

/* Is it a screen for a person, not a report in a file or in Markdown? */
static bool is_screen(const struct context *context)
{
	const struct settings *s = &context->settings;

	return report_has(context->report, REPORT_PROSE) && !s->format &&
	       !s->output && !s->verbose;
}

static bool same(const struct shown *s, const struct assay_row *row)
{
	bool equal[CELLS];

	for (int i = 0; i < CELLS; i++)
		equal[i] = !strcmp(s->text[i], row->field[i].text);
	return equal[CLASS] && equal[CONFIDENCE] && equal[EVENT] &&
	       (equal[HERE] || equal[OTHERS]) &&
	       !strcmp(s->source, row->field[SOURCE].text);
}

/* People get the first findings, without file and line. Equal findings about
 * several CPUs or counters are kept as one row. */
static void keep(struct auditing *auditing, const struct assay_row *row)
{
	struct shown *s = auditing->of;
	const struct shown *end = s + auditing->shown;

	while (s < end && !same(s, row))
		s++;
	if (s < end) {
		s->more++;
	} else if (auditing->shown == SHOWN) {
		auditing->rest++;
	} else {
		for (int i = 0; i < CELLS; i++)
			snprintf(s->text[i], sizeof(s->text[i]), "%s",
				 row->field[i].text);
		snprintf(s->source, sizeof(s->source), "%s",
			 row->field[SOURCE].text);
		auditing->shown++;
	}
}

static void show_kept(const struct auditing *auditing)
{
	static const char *const names[CELLS] = {
		"class", "confidence", "cpu", "event", "here", "others",
	};

	for (unsigned k = 0; k < auditing->shown; k++) {
		const struct shown *s = &auditing->of[k];
		struct assay_field field[CELLS];
		char cpu[700];

		snprintf(cpu, sizeof(cpu), "%s and %u more", s->text[CPU],
			 s->more);
		for (int i = 0; i < CELLS; i++)
			field[i] = (struct assay_field){
				.name = names[i], .kind = ASSAY_FIELD_TEXT,
				.text = i == CPU && s->more ? cpu : s->text[i],
			};
		report_row(auditing->context->report, &(struct assay_row){
			   "audit", field, CELLS });
	}
}

/* Formats without reasons have an empty field where no kernel decides. */
static int show(void *ctx, const struct assay_row *row)
{
	struct auditing *auditing = ctx;
	struct report *report = auditing->context->report;
	struct assay_field field[FIELDS];

	if (is_screen(auditing->context)) {
		keep(auditing, row);
		return 0;
	}
	memcpy(field, row->field, sizeof(field));
	if (!report_has(report, REPORT_REASONS) &&
	    field[DECIDE].kind == ASSAY_FIELD_ABSENT)
		field[DECIDE].text = NULL;
	return report_row(report, &(struct assay_row){ row->type, field,
						       FIELDS });
}

static size_t split_lines(const char **out, char *text)
{
	size_t n = 0;
	char *rest;

	for (char *line = text ? strtok_r(text, "\n", &rest) : NULL;
	     line && n < AGAINST; line = strtok_r(NULL, "\n", &rest))
		out[n++] = line;
	return n;
}

static void answer(const struct auditing *auditing,
		   const struct assay_audit *audit)
{
	struct report *report = auditing->context->report;

	report_answer(report, "%zu finding%s in %zu %s, %zu of high "
		      "confidence.", audit->findings,
		      audit->findings == 1 ? "" : "s", audit->entries,
		      audit->entries == 1 ? "entry" : "entries", audit->high);
	if (auditing->rest)
		report_note(report, "%u more, and the lines of the files: -v",
			    auditing->rest);
	if (audit->twice)
		report_note(report, "%zu file%s named twice, and read once.",
			    audit->twice, audit->twice == 1 ? " is" : "s are");
}

static int run(struct context *context)
{
	struct settings *s = &context->settings;
	const char *against[AGAINST];
	struct auditing auditing = { .context = context };
	struct assay_audit audit = {
		.place = s->arg, .places = s->args, .against = against,
		.againsts = split_lines(against, s->against),
		.cpu = s->cpu_name,
	};
	struct assay_error err = { 0 };

	if (!s->args)
		return complain_text("audit", EXIT_USAGE, "audit which table? "
				     "Try: assay audit libpfm4 --cpu ivb");
	report_hold(context->report);
	if (assay_audit(context->assay, &audit, show, &auditing, &err)) {
		show_kept(&auditing);
		return complain(context, &err);
	}
	show_kept(&auditing);
	answer(&auditing, &audit);
	return audit.high ? EXIT_CHECK : EXIT_OK;
}

static const struct option own[] = {
	LINES(0, "against", "DIR", against,
	  "a table that is a witness only, or libpfm4; may be repeated"),
	TEXT(0, "cpu", "NAME", cpu_name,
	  "only the tables of this CPU (as they say: SKL, amdzen5, ivb)"),
	{ 0 }
};

static const struct option *const options[] = {
	own, output_options, common_options, NULL
};

static const struct example examples[] = {
	{ "assay audit libpfm4 --cpu ivb --against perfmon -v",
	  "libpfm4's table of Ivy Bridge, with a checkout of intel/perfmon as "
	  "witness" },
	{ "assay audit data/cpus data/formulas --against perfmon",
	  "our own files against the vendor's tables" },
	{ "assay audit likwid --against perfmon --format markdown",
	  "a report for likwid's authors" },
	{ 0 }
};

const struct command audit_command = {
	.name = "audit",
	.group = "see what there is",
	.summary = "event tables: which entries are wrong, without hardware",
	.arguments = "FILE|DIR|libpfm4...",
	.args = SETTINGS_ARGS,
	.options = options,
	.text =
		"Reads event tables as published (intel/perfmon, Linux, "
		"ARM-software/data, likwid, PAPI, libpfm4) as their own tools "
		"read them, and compares: one code under two names (dup), one "
		"name with two codes (cross, swap, digit, radix, family, "
		"twice), numbers that do not fit (field, pseudo, union), slips "
		"in names (name, prefix), lines and options that are not read "
		"(syntax, option), entries and files that cannot be "
		"(unreadable); perf's generic names in Linux's drivers "
		"(generic); groups, metrics and presets whose event, counter "
		"or operand "
		"is not there or is another than the name says (absent, "
		"counter, formula, factor, sense, withdrawn). Sibling CPUs of "
		"one source, other sources of one CPU, and other editions of "
		"the table are the witnesses. CPU and formula files of assay "
		"are checked as tables are.\n\n"
		"Each finding has the line, what stands there, what others "
		"say, a confidence, and the kernel of assay that decides on "
		"hardware. Exits with 3 if one is of high confidence.",
	.example = examples,
	.run = run,
};
