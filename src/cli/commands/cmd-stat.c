/* SPDX-License-Identifier: MIT */
/* assay stat: counts a program, a process or a CPU from outside. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cpulist.h"
#include "cli/answers/answers.h"
#include "cli/context.h"
#include "cli/results.h"
#include "cli/stored.h"

/* "-1" or milliseconds. */
static bool read_delay(int *out, const char *text)
{
	char *end;
	long ms;

	*out = 0;
	if (!text)
		return true;
	ms = strtol(text, &end, 10);
	if (!*text || *end || ms < ASSAY_STAT_WAIT || ms > 1000000000)
		return false;
	*out = (int)ms;
	return true;
}

/* Fails with the program's own exit code, if the code is not 0. */
static int failed(struct context *context, const struct assay_stat *stat,
		  const struct assay_error *err, int status)
{
	const int exit_code = complain(context, err);
	struct phrase instead = { .used = 0 };

	if (hand_over_fits(&context->settings, err->text)) {
		hand_over_text(&instead, stat->program);
		fprintf(stderr, "  try: %s\n", instead.text);
	}
	if (stat->program && status && status != EXIT_OWN)
		return status;
	if (exit_code == EXIT_NO_COUNTERS || !stat->program)
		return exit_code;
	return EXIT_OWN;
}

static int count(struct context *context, const struct assay_stat *stat)
{
	struct assay_error err = { 0 };
	int status;
	int rc = assay_stat(context->assay, stat, stat_print, context, &status,
			    &err);

	context->partial = true;
	return rc ? failed(context, stat, &err, status) : status;
}

/* Is this a list of CPUs, or no list at all? Says otherwise. */
static bool are_cpus(const char *option, const char *text, bool all)
{
	struct cpulist list;

	if (!text || (all && !strcmp(text, "all")) ||
	    !cpulist_parse(&list, text))
		return true;
	complain_text("stat", EXIT_USAGE, "option '%s': '%.60s' is no list of "
		      "CPUs: write 0,2-3%s", option, text,
		      all ? " or all" : "");
	return false;
}

static int run(struct context *context)
{
	const struct settings *s = &context->settings;
	struct assay_stat stat = {
		.program = s->program, .on = s->on, .events = s->events,
		.formulas = s->formulas, .groups = s->groups,
		.repeats = s->repeats > 0 ? (unsigned)s->repeats : 0,
		.cpus = s->cpus, .cgroup = s->cgroups, .pin = s->pin,
		.pids = s->pids, .tids = s->tids,
		.per_thread = s->per_thread,
		.interval_ms = s->interval > 0 ? (unsigned)s->interval : 0,
		.control = s->control, .multiplex = s->multiplex,
	};

	if (!read_delay(&stat.delay_ms, s->delay))
		return complain_text("stat", EXIT_USAGE, "option '--delay': "
				     "'%.40s' is not -1 or milliseconds",
				     s->delay);
	if (!are_cpus("-C", s->cpus, true) || !are_cpus("--pin", s->pin, false))
		return EXIT_USAGE;
	if (context_leave_output(context))
		return complain_text("stat", EXIT_OWN,
				     "standard error cannot be written");
	return count(context, &stat);
}

/* ---- the command---------------------------------------------------------- */

static const struct option stat_options[] = {
	LIST('e', "event", "EVENTS", events,
	  "events to count, separated by commas; {a,b}: at the same times; may "
	  "be repeated"),
	LIST('g', "group", "GROUP", groups,
	  "quantities by the formulas for this CPU: core, branch, served, l1, "
	  "l2, l3, memory, tlb, system"),
	LIST('M', "formulas", "FILE[:SET]", formulas,
	  "count what a formula file needs and compute its metrics"),
	NUMBER('r', "repeat", "N", repeats, 1,
	  "run the program N times: means and their standard errors; events "
	  "that do not fit the counters take turns"),
	TEXT('C', "cpu", "CPUS", cpus,
	  "count all that runs on these CPUs (0,2-3 or all), while the program "
	  "runs or until ^C"),
	LIST('G', "cgroup", "CGROUPS", cgroups,
	  "count all that runs in these control groups, each and together, on "
	  "all CPUs or those of -C; their paths as /proc/PID/cgroup writes "
	  "them"),
	TEXT(0, "pin", "CPUS", pin, "run the program on these CPUs only"),
	TEXT('p', "pid", "PIDS", pids,
	  "count running processes, with all their threads"),
	TEXT('t', "tid", "TIDS", tids, "count running threads only"),
	FLAG(0, "per-thread", per_thread,
	  "the counts of each thread, too: of the program and all that it "
	  "starts, or with -p or -t of those that run"),
	NUMBER('I', "interval-print", "MS", interval, 1,
	  "also print the counts of every MS milliseconds; they add up to the "
	  "total"),
	TEXT('D', "delay", "MS", delay,
	  "start counting after MS milliseconds; -1: when --control says "
	  "enable"),
	TEXT(0, "control", "FIFO[,ACK]", control,
	  "take the lines enable, disable, ping and stop from a FIFO (or "
	  "fd:NUMBER) and answer each by ack"),
	TEXT(0, "on", "WHERE", on,
	  "perf (this machine), or replay:FILE or FILE.jsonl (saved counts)"),
	FLAG(0, "multiplex", multiplex,
	  "more events than counters share them in time: estimates, marked ~"),
	{ 0 }
};

static const struct option *const options[] = {
	stat_options, control_options, store_options, output_options,
	common_options, NULL
};

static const struct example examples[] = {
	{ "assay stat -e page-faults,context-switches,task-clock -r 5 -- true",
	  "means of five runs; no hardware counters are needed" },
	{ "assay stat -e '{instructions:u,branches:u},page-faults' ./program",
	  "two events at the same times, and a third one" },
	{ "assay stat -M k10 --on replay:k10-sample -j",
	  "published counts, and the metrics that follow from them" },
	{ "assay stat -e page-faults -I 100 -p 1234",
	  "a running process, every 100 ms" },
	{ "assay stat -e page-faults -G /user.slice,/system.slice -- sleep 1",
	  "two control groups for a second: each, and their sum" },
	{ 0 }
};

const struct command stat_command = {
	.name = "stat",
	.group = "measure",
	.summary = "count events of any program, and the metrics they make",
	.arguments = "[--] PROGRAM [ARG...]",
	.args = 0,
	.program = true,
	.program_first = true,
	.options = options,
	.text =
		"Counts a program from its first instruction, with all threads "
		"and processes that it starts. Only user code is counted, "
		"unless an event says otherwise (:k, :uk) or only the kernel "
		"has the event. Events and metrics are shown apart. The column "
		"'trust' says what a number is worth: verified, wrong or "
		"unverified by the certificate of this CPU, or doubtful "
		"because of its formula. With -M or -g the first line says how "
		"many metrics could be computed and which are wrong or "
		"doubtful; -v adds the events and the metrics that are "
		"missing. An event that was not counted has a reason in place "
		"of a number, and so has every metric that needs the event.\n\n"
		"With -r, counts are means over the runs, each with its "
		"standard error. Metrics are computed from the means. The "
		"standard error of a metric comes from leaving out one run "
		"after the other (jackknife), so that events may rise and fall "
		"together.\n\n"
		"--per-thread also shows each thread and process that the "
		"program starts, by name and number. The program is traced for "
		"this, and stops where threads begin and end; its context "
		"switches and its elapsed time show these stops.\n\n"
		"If there are more events than counters, -r counts the events "
		"in turns, run by run. Only --multiplex shares counters within "
		"a run; the counts are then estimates, and marked so.\n\n"
		"The program keeps its standard output: without -o the results "
		"go to standard error. -x prints the fields of perf stat -x, "
		"in its order. -j prints a record, which --on replay: reads "
		"again, then the counts, metrics and times.\n\n"
		"The exit status is that of the program, or 128+N if signal N "
		"killed it. It is 125 if counting failed, 126 if the program "
		"cannot be executed, 127 if there is no such program, and 4 if "
		"nothing can be counted; if that is known before, the program "
		"is not started.",
	.example = examples,
	.run = run,
};
