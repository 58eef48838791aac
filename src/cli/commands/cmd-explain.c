/* SPDX-License-Identifier: MIT */
/* assay explain: the meaning of an event or a code, and its real count. */
#include "cli/context.h"
#include "cli/rows.h"

static int run(struct context *context)
{
	const struct settings *s = &context->settings;
	struct assay_error err = { 0 };

	if (!s->args)
		return complain_text("explain", EXIT_USAGE, "explain which "
				     "event? Try: assay explain %s",
				     "cache-misses");
	if (assay_explain(context->assay, s->arg[0], s->cpu_name, report_row,
			  context->report, &err))
		return complain(context, &err);
	if (report_has(context->report, REPORT_PROSE))
		report_note(context->report, "%s", confidence_letters);
	return EXIT_OK;
}

static const struct option own[] = {
	TEXT(0, "cpu", "NAME", cpu_name,
	  "on this CPU: of assay list cpus, or a name of the event tables "
	  "(SKL, amdzen5); without it on this machine's, and on all that have "
	  "the name"),
	{ 0 }
};

static const struct option *const options[] = {
	own, output_options, common_options, NULL
};

static const struct example examples[] = {
	{ "assay explain L2D_CACHE --cpu cortex-a76",
	  "write-backs and page walks are in it" },
	{ "assay explain rcf74e0 --cpu k10",
	  "a code of a published script: not the event that it was meant "
	  "to be" },
	{ "assay explain cache-misses --cpu k10",
	  "what Linux programs for this name" },
	{ "assay explain skl::L2_LINES_OUT:SILENT",
	  "a name of libpfm4's tables" },
	{ "assay explain ls_dmnd_fills_from_sys.all --cpu zen4 --event-tables "
	  "linux", "perf's name, from Linux's source tree" },
	{ 0 }
};

const struct command explain_command = {
	.name = "explain",
	.group = "see what there is",
	.summary = "what an event or a code really counts, on which CPU",
	.arguments = "EVENT|CODE",
	.args = 1,
	.options = options,
	.text =
		"Takes a code apart field by field: event select, unit mask, "
		"edge, inv, cmask, and reserved bits that are set. Says what "
		"the event counts: accesses on mispredicted paths, prefetches, "
		"page walks, write-backs; and whether it counts for one core "
		"or for all cores of a node. Each fact has its source and a "
		"confidence (D documented, R recalled from memory, M measured, "
		"F fitted to a measurement, G guessed). For a mistaken code it "
		"names the code that was probably meant, and it lists other "
		"CPUs that have the same name or code.\n\n"
		"What the CPU file does not describe is looked up in the event "
		"tables at hand (--event-tables), then in libpfm4's table of "
		"the CPU, by name, alias or code; the row says which file and "
		"line. \"No such event\" is said only where a table at hand "
		"lists all events of the CPU; a name that nothing has is "
		"\"unknown here\", exit 2.\n\n"
		"An event is written as for -e: a name of the CPU file, of a "
		"table, of libpfm4 or of Linux (LLC-loads: what Linux programs "
		"for the name on the CPU), rNNN or 0xNNN, "
		"cpu/event=0x42,umask=0x1e/, cpu/NAME,umask=0x1e/ (a term "
		"replaces the field of the event), a tracepoint or a "
		"breakpoint.",
	.example = examples,
	.run = run,
};
