/* SPDX-License-Identifier: MIT */
/* assay run: one kernel, a page for each shape. */
#include "cli/answers/answers.h"
#include "cli/fleet/ranks.h"
#include "cli/results.h"
#include "cli/stored.h"

static int show(struct results *results, const struct assay_result *r)
{
	struct context *context = results->context;
	struct run_answer answer = { .runs = 0 };
	struct phrase phrase = { .used = 0 };

	run_answer_add(&answer, r, "");
	answer.total = 1;
	run_answer_sentence(&answer, &phrase);
	report_answer(context->report, "%s.", phrase_text(&phrase));
	page_head(context, r);
	if (r->record) {
		page_counts(context, r);
		page_slopes(context, r);
		page_metrics(context, r);
	}
	page_judgement(context, r);
	page_pies(context, r);
	return 0;
}

static int run(struct context *context)
{
	struct results results = { .context = context, .show = show };
	struct assay_error err = { 0 };
	struct assay_job job;
	int exit_code;

	context_job(context, &job);
	if (context->settings.dump_trace &&
	    assay_trace_write(context->assay, &job,
			      context->settings.dump_trace, &err))
		return complain(context, &err);
	exit_code = results_run(&results, &job);
	trusted_note(context);
	return exit_code;
}

static const struct option dump_option[] = {
	TEXT(0, "dump-trace", "FILE", dump_trace,
	  "write what the kernel does as a trace for 'assay sim --trace'"),
	{ 0 }
};

static const struct option *const options[] = {
	on_option, job_options, cert_options, page_map_option, dump_option,
	control_options, store_options, rank_options, output_options,
	common_options, NULL
};

static const struct example examples[] = {
	{ "assay run chase --elements 4096 -e page-faults,task-clock",
	  "on this machine, with two events" },
	{ "assay run chase --elements 4096 --on sim:cortex-a72 -v",
	  "simulated: every prediction beside its truth, with the reasons" },
	{ "assay run chase --elements 4096 -j -o run.jsonl",
	  "keep the record; '--on replay:run.jsonl' reads it again" },
	{ "assay run random --bytes 1M --predict",
	  "what must be counted; nothing is run" },
	{ 0 }
};

const struct command run_command = {
	.name = "run",
	.group = "measure",
	.summary = "one kernel at one shape: counts, predictions, verdicts",
	.arguments = "KERNEL",
	.args = 1,
	.kernel = true,
	.options = options,
	.text =
		"Runs the kernel once. Shows what was counted, what must have "
		"been counted, and whether the two agree. Without events and "
		"formulas the kernel is only timed. With -j each shape is one "
		"line: a record that --on replay: reads again.",
	.example = examples,
	.variable = cert_variables,
	.run = run,
};
