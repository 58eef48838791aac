/* SPDX-License-Identifier: MIT */
/* assay verify: predicted against measured. */
#include <stddef.h>

#include "cli/context.h"
#include "cli/tables.h"
#include "cli/verdicts.h"

static int run(struct context *context)
{
	const struct settings *s = &context->settings;

	if (s->table)
		return tables_show(context);
	if (s->args || s->map || s->experiment || s->sets)
		return complain_text("verify", EXIT_USAGE, "a file, --map, "
				     "--experiment and --set are for --table: "
				     "assay verify --table FILE.csv");
	return verdicts_show(context, context->settings.on);
}

#define FIELD(name) offsetof(struct settings, name)

static const struct option own[] = {
	{ 'e', "event", OPTION_LIST, "EVENTS",
	  "verdicts on these events only",
	  FIELD(events), 0, NULL },
	{ 0, "all", OPTION_FLAG, NULL,
	  "also name the events that cannot be counted, and why",
	  FIELD(all), 0, NULL },
	{ 0, "quick", OPTION_FLAG, NULL, "fewer and smaller shapes",
	  FIELD(quick), 0, NULL },
	{ 0, "thorough", OPTION_FLAG, NULL,
	  "more sizes, more repetitions, other seeds",
	  FIELD(thorough), 0, NULL },
	{ 0, "slope", OPTION_FLAG, NULL,
	  "also run twice and four times the work; -v, -j and -x show counts "
	  "per unit of work, overhead apart",
	  FIELD(slope), 0, NULL },
	{ 0, "seed", OPTION_NUMBER, "N",
	  "other orders and data, where they are drawn at random",
	  FIELD(seed), 1, NULL },
	{ 0, "save", OPTION_FLAG, NULL,
	  "write a certificate, and the records beside it",
	  FIELD(save), 0, NULL },
	{ 0, "fault", OPTION_LIST, "FAULT",
	  "sim: plant a fault that verify must find (assay list faults); may "
	  "be repeated",
	  FIELD(faults), 0, NULL },
	{ 0, "table", OPTION_FLAG, NULL,
	  "nothing is run: judge the tables of counts that the arguments name",
	  FIELD(table), 0, NULL },
	{ 0, "map", OPTION_TEXT, "'FIELD=EXPRESSION;...'",
	  "with a table: where the fields are, as in 'count=Value;expected=2*n+1'",
	  FIELD(map), 0, NULL },
	{ 0, "experiment", OPTION_TEXT, "FILE",
	  "with a table: what is true of the programs that ran",
	  FIELD(experiment), 0, NULL },
	{ 0, "set", OPTION_LIST, "KEY=NUMBER",
	  "with a table: a name for the expressions; may be repeated",
	  FIELD(sets), 0, NULL },
	{ 0 }
};

static const struct option *const options[] = {
	on_option, own, cert_options, page_map_option, control_options,
	pin_option, output_options, common_options, NULL
};

static const struct example examples[] = {
	{ "assay verify", "this machine's counters; exit 4 if it has none" },
	{ "assay verify --on sim:cortex-a72",
	  "the simulator against the closed forms" },
	{ "assay verify --on sim:cortex-a72 --fault double:L1D_CACHE_REFILL",
	  "a lie planted on purpose; exit 3, and it is named" },
	{ "assay verify --on sim:cortex-a72 --save",
	  "a certificate that run, sweep, stat and list events use" },
	{ "assay verify --on replay:uart.log",
	  "what was counted on bare metal" },
	{ "assay verify --on sim:cortex-a72 -x , -o verdicts.csv",
	  "every comparison, for a spreadsheet" },
	{ "assay verify --table counts.csv",
	  "a published table of counts, whoever made it" },
	{ "assay verify --table t.csv --map "
	  "'event=name;count=value;expected=2*n+1'",
	  "its columns have other names" },
	{ 0 }
};

const struct command verify_command = {
	.name = "verify",
	.group = "check",
	.summary = "which events count what they say: predicted against "
		   "measured",
	.arguments = "[FILE...]",
	.args = SETTINGS_ARGS,
	.options = options,
	.text = "Runs kernels whose counts are known in closed form, and "
		"compares every quantity that both sides have. Exits with 3 "
		"if any disagrees, with 4 if nothing can be counted here.\n\n"
		"Each event is then fitted as a sum of what is true of the "
		"shapes: what it claims first, to the last digit; then a "
		"factor, write-backs, prefetches, page walks, another event's "
		"counts, interrupts, a counter that is too narrow, noise. The "
		"simplest explanation that gives every count wins, and "
		"explanations that are as simple and fit as well are named "
		"beside it.\n\n"
		"With --on sim:CPU a model is checked against itself and the "
		"closed forms: that says whether assay is right, and nothing "
		"about silicon. The letters in the column 'by' are the "
		"witnesses: F the closed form, S the simulation, T the "
		"timing; a small letter did not agree with every count.\n\n"
		"With --table the arguments are tables of counts that somebody "
		"published, one count a row, with what each should be where "
		"that is known. Verdicts rest on intervals: what is not "
		"proven is inconclusive, and never agreement. Exits with 3 "
		"if any event fails.\n\n"
		"^C ends the counting; verdicts are given on what was counted "
		"until then.",
	.example = examples,
	.variable = cert_variables,
	.run = run,
};
