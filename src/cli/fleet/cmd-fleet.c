/* SPDX-License-Identifier: MIT */
/* assay fleet: many nodes measured, compared and reported. */
#include "cli/fleet/fleet.h"

#include <string.h>

#include "assay/fleet.h"
#include "base/text.h"
#include "cli/progress.h"

/* What people see without -v: odd nodes, and what these have in common. */
enum { SCREEN = 12, COMMON = 4 };

static const struct assay_row *first(const struct kept_rows *kept,
				     const char *type)
{
	for (size_t i = 0; i < kept->rows; i++)
		if (!strcmp(kept->row[i].type, type))
			return &kept->row[i];
	return NULL;
}

/* "All 2 have microcode 0x461, which no other node has." */
static void note_common(struct context *context, const struct assay_row *row)
{
	const double odd = row_number(row, "odd");
	const double of = row_number(row, "of_odd");
	const double others = row_number(row, "others");
	char who[60], rest[60] = "no other node has";

	if (of == 1)
		snprintf(who, sizeof(who), "It has");
	else
		snprintf(who, sizeof(who), odd == of ? "All %.0f have" :
			 "%.0f of %.0f have", odd, of);
	if (others > 0)
		snprintf(rest, sizeof(rest), "%.0f of the %.0f others %s",
			 others, row_number(row, "of_others"),
			 others == 1 ? "has" : "have");
	report_note(context->report, "%s %s '%s', which %s.", who,
		    row_text(row, "what"), row_text(row, "value"), rest);
}

static void show_common(struct context *context, const struct kept_rows *kept)
{
	size_t all = 0;

	for (size_t i = 0; i < kept->rows; i++) {
		if (strcmp(kept->row[i].type, "common"))
			continue;
		if (context->settings.verbose || all < COMMON)
			note_common(context, &kept->row[i]);
		all++;
	}
	if (all > COMMON && !context->settings.verbose)
		report_note(context->report, "%zu more in common: -v",
			    all - COMMON);
}

/* One line a node: what is surest. With -v each line. */
static void show_odd(struct context *context, const struct kept_rows *kept)
{
	const char *node = "";
	size_t shown = 0, hidden = 0;

	for (size_t i = 0; i < kept->rows; i++) {
		const struct assay_row *row = &kept->row[i];
		const bool again = !strcmp(row_text(row, "node"), node);

		if (strcmp(row->type, "odd"))
			continue;
		node = row_text(row, "node");
		if (context->settings.verbose || (!again && shown < SCREEN)) {
			report_row(context->report, row);
			shown++;
		} else {
			hidden++;
		}
	}
	report_flush(context->report);
	if (hidden)
		report_note(context->report, "%zu more difference%s: -v",
			    hidden, hidden == 1 ? "" : "s");
}

static void show(struct context *context, const struct kept_rows *kept)
{
	struct report *report = context->report;

	report_note(report, "%s", row_text(first(kept, "answer"), "answer"));
	show_common(context, kept);
	show_odd(context, kept);
	for (size_t i = 0; i < kept->rows; i++)
		if (!strcmp(kept->row[i].type, "split"))
			report_row(report, &kept->row[i]);
	report_flush(report);
	for (size_t i = 0; i < kept->rows; i++)
		if (!strcmp(kept->row[i].type, "group"))
			report_row(report, &kept->row[i]);
}

int fleet_compare(struct context *context)
{
	const struct settings *s = &context->settings;
	struct kept_rows kept = context_rows(context);
	struct assay_fleet_outcome o;
	struct assay_error err = { 0 };
	int rc;

	if (s->args < 2)
		return complain_text("fleet", EXIT_USAGE, "no files: assay "
				     "fleet %s FILE...", s->arg[0]);
	rc = assay_fleet_check(context->assay, s->arg + 1, s->args - 1,
			       keep_row, &kept, &o, &err);
	if (!rc && kept.no_memory)
		rc = error_memory(&err);
	if (!rc && !kept.fn)
		show(context, &kept);
	kept_rows_free(&kept);
	if (rc)
		return complain(context, &err);
	context->partial = true;
	return o.odd ? EXIT_CHECK : o.judged ? EXIT_OK : EXIT_NO_COUNTERS;
}

/* A report for others: every difference; that nodes differ is no failure. */
static int report(struct context *context)
{
	int code;

	context->settings.verbose = true;
	code = fleet_compare(context);
	return code == EXIT_CHECK ? EXIT_OK : code;
}

static const struct { const char *name; int (*run)(struct context *); } verbs[]
	= { { "run", fleet_run }, { "check", fleet_compare },
	    { "report", report } };

static int run(struct context *context)
{
	const struct settings *s = &context->settings;

	interrupt_catch();
	for (size_t i = 0; s->args && i < sizeof(verbs) / sizeof(*verbs); i++)
		if (!strcmp(s->arg[0], verbs[i].name))
			return verbs[i].run(context);
	return complain_text("fleet", EXIT_USAGE, "what is to be done? run, "
			     "check or report");
}

static const struct option own[] = {
	FLAG(0, "slurm", slurm, "run: by srun"),
	FLAG(0, "mpi", mpi, "run: by mpirun of Open MPI"),
	LIST(0, "nodes", "NODES", nodes,
	  "run: on these nodes, separated by commas (else on those of this "
	  "Slurm job)"),
	NUMBER(0, "tries", "N", tries, 1,
	  "run: start missing nodes again until N starts were made (default "
	  "2)"),
	{ 0 }
};

static const struct option *const options[] = {
	own, output_options, common_options, NULL
};

static const struct example examples[] = {
	{ "assay fleet run --slurm --nodes n01,n02,n03,n04 -- sweep chase --on "
	  "time", "one file a node: sweep-n01.jsonl ..." },
	{ "assay fleet check sweep-n01.jsonl sweep-n02.jsonl sweep-n03.jsonl "
	  "sweep-n04.jsonl", "which nodes differ?" },
	{ "assay fleet report sweep-n01.jsonl sweep-n02.jsonl sweep-n03.jsonl "
	  "sweep-n04.jsonl -o fleet.html", "every difference, as a page" },
	{ 0 }
};

static const struct variable subcommands[] = {
	{ "run [--slurm|--mpi] -- COMMAND...", "start a command of assay on "
	  "each node, and again where no complete file came back" },
	{ "check FILE...", "which nodes differ, and what they have in common" },
	{ "report FILE...", "every difference, for -o" },
	{ 0 }
};

static const struct variable variables[] = {
	{ "SLURM_JOB_NODELIST", "run --slurm: the nodes, without --nodes" },
	{ "SLURM_JOB_ID", "the job; run starts a step of this job then" },
	{ "SLURM_STEP_ID", "a process with a rank and without this is the "
	  "script of sbatch: one process, not a rank of several" },
	{ "SLURM_JOB_CPUS_PER_NODE", "the CPUs of its node that a rank "
	  "compares with those that are there" },
	{ 0 }
};

const struct command fleet_command = {
	.name = "fleet",
	.group = "check",
	.summary = "many nodes: run on each, find those that differ",
	.arguments = "run|check|report [FILE...] [-- COMMAND...]",
	.args = SETTINGS_ARGS,
	.program = true,
	.options = options,
	.text =
		"check reads what other commands wrote with -j, one file a "
		"node or several in one; certificates; folders of both; a "
		"database of runs, or the numbers of runs in yours. Each value "
		"that four nodes of one CPU share is compared: counts and "
		"times by shape, levels and traits of topo --measure, "
		"findings of doctor, verdicts, microcode, kernel, settings, "
		"mitigations, the core's clock.\n\n"
		"Numbers are compared with the median of the nodes, in units "
		"of their median absolute deviation. A node differs in a "
		"series, such as the times of a sweep, if three or more points "
		"lie off the median on one side, by 2.5 % or more on average, "
		"so far that fewer than one of a thousand good nodes would. "
		"Series of one or two points need 5 % and 8 standard errors. "
		"With fewer than 12 nodes these shares are larger. Simulated "
		"counts differ if they are not equal. A text differs if 70 % "
		"of the nodes have another one. Records that were disturbed "
		"are left out.\n\n"
		"run prints the line of srun or mpirun, runs it, and knows by "
		"the last line of each node's file whether the file is "
		"complete (docs/record.md). Nodes without one are started "
		"again. A command without -o gets -j -o COMMAND-%h.jsonl; the "
		"folder must be one that all nodes share. A rank under a "
		"launcher of your own needs none of this: -o with %h and %r "
		"gives each a file.\n\n"
		"Exits with 3 if a node differs, or has no complete file; 4 if "
		"fewer than four nodes can be compared.",
	.verb = subcommands,
	.variable = variables,
	.example = examples,
	.run = run,
};
