/* SPDX-License-Identifier: MIT */
/* assay doctor: what works on this machine, why not, and what to do. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/context.h"
#include "cli/rows.h"
#include "report/cell.h"
#include "report/wrap.h"

#define FINDINGS 128
#define INDENT 29		/* where evidence begins */

/* Copies: a row's strings are borrowed for the call. */
struct finding {
	char part[32], what[64], state[12];
	char evidence[512], effect[512], cure[512];
};

struct findings {
	struct finding *finding;
	char machine[400];	/* one line */
	size_t count;
	bool bad;		/* any of them */
	struct report *report;	/* not for people: there each row goes */
};

static void copy(char *out, size_t room, const struct assay_row *row,
		 const char *name)
{
	snprintf(out, room, "%s", row_text(row, name));
}

/* "assay 0.1.0 on milan: AMD EPYC 7763, 128 CPUs, Linux 6.1.0 x86-64" */
static void say_machine(struct findings *all, const struct assay_row *row)
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

static int collect(void *ctx, const struct assay_row *row)
{
	struct findings *all = ctx;
	struct finding *f = &all->finding[all->count];

	all->bad |= !strcmp(row_text(row, "state"), "bad");
	if (all->report)
		return report_row(all->report, row);
	if (!strcmp(row->type, "machine"))
		say_machine(all, row);
	if (all->count == FINDINGS || strcmp(row->type, "finding"))
		return 0;
	copy(f->part, sizeof(f->part), row, "part");
	copy(f->what, sizeof(f->what), row, "what");
	copy(f->state, sizeof(f->state), row, "state");
	copy(f->evidence, sizeof(f->evidence), row, "evidence");
	copy(f->effect, sizeof(f->effect), row, "effect");
	copy(f->cure, sizeof(f->cure), row, "cure");
	all->count++;
	return 0;
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

/* Continuation lines stand below the first one. */
static void put_lines(FILE *out, const char *text, unsigned columns)
{
	fprintf(out, "%*s", INDENT, "");
	wrap_print(out, text, INDENT, INDENT, columns);
}

static void put_finding(FILE *out, const struct report_style *style,
			const struct finding *f)
{
	unsigned at = style->utf8 ? 4 : 7;
	unsigned width = text_width(f->what);

	put_sign(out, style, f->state);
	fputs(f->what, out);
	if (at + width + 2 > INDENT)
		fprintf(out, "\n%*s", INDENT, "");
	else
		fprintf(out, "%*s", (int)(INDENT - at - width), "");
	wrap_print(out, f->evidence, INDENT, INDENT, style->columns);
	if (*f->effect)
		put_lines(out, f->effect, style->columns);
}

static void put_heading(FILE *out, const struct report_style *style,
			const char *text)
{
	fprintf(out, style->colour ? "\033[1m%s\033[0m\n" : "%s\n", text);
}

static void put_findings(FILE *out, const struct report_style *style,
			 const struct findings *all)
{
	const char *part = "";

	for (size_t i = 0; i < all->count; i++) {
		const struct finding *f = &all->finding[i];

		if (strcmp(part, f->part)) {
			if (i)
				fputc('\n', out);
			put_heading(out, style, f->part);
			part = f->part;
		}
		put_finding(out, style, f);
	}
}

static bool cured_before(const struct findings *all, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(all->finding[i].cure, all->finding[n].cure))
			return true;
	return false;
}

static void put_cures(FILE *out, const struct report_style *style,
		      const struct findings *all, bool verbose)
{
	bool any = false;

	for (size_t i = 0; i < all->count; i++) {
		const struct finding *f = &all->finding[i];

		if (!*f->cure || (!verbose && !strcmp(f->state, "info")) ||
		    !strcmp(f->state, "ok") ||
		    cured_before(all, i))
			continue;
		if (!any) {
			fputc('\n', out);
			put_heading(out, style, "what to do");
		}
		any = true;
		fprintf(out, "  %-*s", INDENT - 2, f->what);
		if (text_width(f->what) + 4 > INDENT)
			fprintf(out, "\n%*s", INDENT, "");
		wrap_print(out, f->cure, INDENT, INDENT, style->columns);
	}
}

/* Is that finding, if it is there, a bad one? "": any. */
static bool is_bad(const struct findings *all, const char *what)
{
	for (size_t i = 0; i < all->count; i++)
		if (!strcmp(all->finding[i].state, "bad") &&
		    (!*what || !strcmp(all->finding[i].what, what)))
			return true;
	return false;
}

static void put_summary(FILE *out, const struct report_style *style,
			const struct findings *all, bool can_count)
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
	wrap_print(out, can_count
		   ? "everything: hardware events, simulation, replay, time"
		   : text, 16, 16, style->columns);
	if (can_count)
		return;
	fputs("does not work:  ", out);
	snprintf(text, sizeof(text), "%s%s", none, counts ? "" :
		 "; software events");
	wrap_print(out, text, 16, 16, style->columns);
}

static void put_all(struct context *context, const struct findings *all,
		    bool can_count)
{
	const struct report_style *style = report_style(context->report);
	FILE *out = report_file(context->report);

	wrap_print(out, all->machine, 0, 0, style->columns);
	fputc('\n', out);
	put_findings(out, style, all);
	put_summary(out, style, all, can_count);
	put_cures(out, style, all, context->settings.verbose);
}

static int look(struct context *context)
{
	struct findings all = {
		.finding = calloc(FINDINGS, sizeof(*all.finding)),
	};
	bool can_count = false;
	struct assay_error err = { 0 };
	int rc = all.finding ? 0 : error_set(&err, -ASSAY_ENOMEM,
					     "out of memory");

	if (!report_has(context->report, REPORT_PROSE))
		all.report = context->report;
	if (!rc)
		rc = assay_doctor(context->assay, &can_count, collect, &all,
				  &err);
	if (!rc && context->settings.measure)
		rc = assay_doctor_levels(context->assay, context->settings.cpu,
					 collect, &all, &err);
	if (!rc && !all.report)
		put_all(context, &all, can_count);
	free(all.finding);
	if (rc)
		return complain(context, &err);
	return !can_count ? EXIT_NO_COUNTERS : all.bad ? EXIT_CHECK : EXIT_OK;
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
		count_field("undone", 0, NULL),
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

	if (s->measure && s->sysroot)
		return complain_text("doctor", EXIT_USAGE, "--measure measures "
				     "this machine, not one below --sysroot");
	if (s->cpu >= 0 && !s->measure)
		return complain_text("doctor", EXIT_USAGE, "--cpu says where "
				     "--measure measures");
	if (s->record + s->restore + s->measure > 1)
		return complain_text("doctor", EXIT_USAGE, "--measure, "
				     "--record and --restore exclude each "
				     "other");
	if (s->record && !report_has(context->report, REPORT_FILES))
		return complain_text("doctor", EXIT_USAGE, "--record writes a "
				     "format of its own, not -j or -x");
	if (s->record)
		return record(context);
	if (s->restore)
		return restore(context);
	return look(context);
}

static const struct option own[] = {
	{ 0, "measure", OPTION_FLAG, NULL,
	  "also measure, some seconds: the noise of just now, and the caches "
	  "that timing finds beside those that are reported",
	  offsetof(struct settings, measure), 0, NULL },
	{ 0, "record", OPTION_FLAG, NULL,
	  "write down the machine instead, for --sysroot elsewhere; with its "
	  "host name",
	  offsetof(struct settings, record), 0, NULL },
	{ 0, "cpu", OPTION_NUMBER, "N", "measure on this CPU",
	  offsetof(struct settings, cpu), 0, NULL },
	{ 0, "restore", OPTION_FLAG, NULL,
	  "undo the settings that a killed run left changed",
	  offsetof(struct settings, restore), 0, NULL },
	{ 0 }
};

static const struct option *const options[] = {
	own, sysroot_option, output_options, common_options, NULL
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
	.text = "Looks at the counters, the permissions, the identity of this "
		"machine and all that disturbs a measurement: load, clock, "
		"heat, mitigations, limits. Each finding has its evidence, what it means, "
		"and what would change it. Exits with 0 if hardware events "
		"can be counted here, with 3 if they can but something "
		"else is bad (\"bad\" in -j), with 4 if they cannot.",
	.example = examples,
	.run = run,
};
