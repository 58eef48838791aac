/* SPDX-License-Identifier: MIT */
/* assay doctor: what works on this machine, why not, and what to do. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/context.h"
#include "cli/commands/findings.h"
#include "cli/rows.h"

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
	if (!strcmp(row->type, "answer")) {
		copy(all->answer, sizeof(all->answer), row, "answer");
		copy(all->next, sizeof(all->next), row, "next");
	}
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

static void put_all(struct context *context, const struct findings *all)
{
	const struct report_style *style = report_style(context->report);
	FILE *out = report_file(context->report);

	(context->settings.verbose ? findings_full : findings_brief)
		(out, style, all);
}

static int look(struct context *context)
{
	struct findings all = {
		.finding = calloc(FINDINGS, sizeof(*all.finding)),
	};
	struct assay_error err = { 0 };
	int rc = all.finding ? 0 : error_set(&err, -ASSAY_ENOMEM,
					     "out of memory");

	if (!report_has(context->report, REPORT_PROSE))
		all.report = context->report;
	if (!rc)
		rc = assay_doctor(context->assay, &all.can_count, collect,
				  &all, &err);
	if (!rc && context->settings.measure)
		rc = assay_doctor_levels(context->assay, context->settings.cpu,
					 collect, &all, &err);
	if (!rc && !all.report)
		put_all(context, &all);
	free(all.finding);
	if (rc)
		return complain(context, &err);
	return !all.can_count ? EXIT_NO_COUNTERS : all.bad ? EXIT_CHECK : EXIT_OK;
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
		"heat, mitigations, limits. The first sentence is the answer; "
		"then comes what does not work or disturbs. -v shows all "
		"findings, each with its evidence, what it means, and what "
		"would change it. Exits with 0 if hardware events "
		"can be counted here, with 3 if they can but something "
		"else is bad (\"bad\" in -j), with 4 if they cannot.",
	.example = examples,
	.run = run,
};
