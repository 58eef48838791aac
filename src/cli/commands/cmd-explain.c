/* SPDX-License-Identifier: MIT */
/* assay explain: the meaning of an event or a code, and its real count. */
#include "cli/context.h"
#include "cli/rows.h"

static int run(struct context *context)
{
	const struct settings *s = &context->settings;
	int code = EXIT_OK;
	size_t known = 0;

	if (!s->args)
		return complain_text("explain", EXIT_USAGE, "explain which "
				     "event? Try: assay explain %s",
				     "cache-misses");
	for (size_t i = 0; i < s->args; i++) {
		struct assay_error err = { 0 };

		if (assay_explain(context->assay, s->arg[i], s->cpu_name,
				  report_row, context->report, &err))
			code = complain(context, &err);
		else
			known++;
	}
	if (known && report_has(context->report, REPORT_PROSE))
		report_note(context->report, "%s", confidence_letters);
	return code;
}

static const struct option own[] = {
	TEXT(0, "cpu", "NAME", cpu_name,
	  "on this CPU (assay list cpus, or as event tables say: SKL, amdzen5)"),
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
	{ "assay explain skl::L2_LINES_OUT:SILENT r1a2 --cpu skylake",
	  "a name of libpfm4's tables, and a code" },
	{ 0 }
};

const struct command explain_command = {
	.name = "explain",
	.group = "see what there is",
	.summary = "what an event or a code really counts, on which CPU",
	.arguments = "EVENT|CODE...",
	.args = SETTINGS_ARGS,
	.options = options,
	.text =
		"Takes a code apart field by field, with reserved bits that "
		"are set. Says what the event counts: accesses on mispredicted "
		"paths, prefetches, page walks, write-backs; for one core or a "
		"node. Each fact has its source and a confidence (D "
		"documented, R recalled, M measured, F fitted, G guessed). For "
		"a mistaken code it names the code that was probably meant; it "
		"lists other CPUs with the same name or code.\n\n"
		"What the CPU file lacks is looked up in --event-tables, then "
		"in libpfm4's table of the CPU. Only a complete list of the "
		"CPU's events denies one; else a name is \"unknown here\", exit 2."
		"\n\nAn event is a name of the CPU file, of a table or of "
		"Linux, rNNN or 0xNNN, cpu/event=0x42,umask=0x1e/, "
		"cpu/NAME,umask=0x1e/, a tracepoint or a breakpoint.",
	.example = examples,
	.run = run,
};
