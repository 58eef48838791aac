/* SPDX-License-Identifier: MIT */
/* assay topo: caches, TLBs, cores and memory nodes of this machine. */
#include <stddef.h>
#include <string.h>

#include "cli/context.h"
#include "cli/rows.h"

static int run(struct context *context)
{
	const struct settings *s = &context->settings;
	struct assay_error err = { 0 };

	if (s->cpu >= 0 && !s->measure)
		return complain_text("topo", EXIT_USAGE, "--cpu says where "
				     "--measure measures");
	if (s->measure && s->sysroot)
		return complain_text("topo", EXIT_USAGE, "--measure measures "
				     "this machine, not one below --sysroot");
	if (assay_topo(context->assay, report_row, context->report, &err))
		return complain(context, &err);
	if (!s->measure)
		return EXIT_OK;
	if (assay_levels(context->assay, s->cpu, report_row, context->report,
			 &err))
		return complain(context, &err);
	return EXIT_OK;
}

static const struct option own[] = {
	{ 0, "of", OPTION_TEXT, "FORM",
	  "console: tables; json: JSON Lines, as -j",
	  offsetof(struct settings, of), 0, "console|json" },
	{ 0, "measure", OPTION_FLAG, NULL,
	  "also find the levels by timing, some seconds",
	  offsetof(struct settings, measure), 0, NULL },
	{ 0, "cpu", OPTION_NUMBER, "N", "measure on this CPU",
	  offsetof(struct settings, cpu), 0, NULL },
	{ 0 }
};

static const struct option *const options[] = {
	own, sysroot_option, output_options, common_options, NULL
};

static const struct example examples[] = {
	{ "assay topo", "tables" },
	{ "assay topo --of json", "for a program" },
	{ "assay topo --measure", "what timing finds, beside what is said" },
	{ 0 }
};

const struct command topo_command = {
	.name = "topo",
	.group = "see what there is",
	.summary = "caches, TLBs, cores and memory nodes of this machine",
	.arguments = "",
	.options = options,
	.text = "Each cache with what the kernel says of it, what the CPU says "
		"(CPUID), and what the fitting CPU file says; the first of "
		"these that says anything is believed, and named under 'from'. "
		"Packages, cores and memory nodes are hwloc's. --measure times "
		"loads over growing sizes and shows the levels that appear, "
		"with what the operating system reports beside each.",
	.example = examples,
	.run = run,
};
