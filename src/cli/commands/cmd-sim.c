/* SPDX-License-Identifier: MIT */
/* assay sim: a trace or a program on the software PMU. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "cli/answers/sim-show.h"
#include "cli/answers/sim-text.h"
#include "cli/formats/matrix.h"
#include "cli/inputs.h"
#include "cli/progress.h"
#include "cli/results.h"
#include "cli/rows.h"
#include "cli/stored.h"
#include "store/traces/traces.def"

enum { MOST = 12 };	/* rows of --by for people */
#define LEAST 0.001	/* share of a row for people */

static bool for_people(const struct context *context)
{
	return report_has(context->report, REPORT_PROSE);
}

static unsigned most_rows(const struct context *context)
{
	return context->settings.most >= 0 ?
	       (unsigned)context->settings.most : MOST;
}

/* Without --by: lines, unless a spreadsheet is to hold other rows. */
static enum assay_by choose_by(const struct context *context)
{
	const struct settings *s = &context->settings;
	const bool other = s->events || s->per_process || sim_part_rows(s);

	if (s->trace || s->plain || s->steps || matrix_is_own(context) ||
	    (s->by && !strcmp(s->by, "none")))
		return ASSAY_BY_NOTHING;
	if (!s->by)
		return other && !report_has(context->report,
					    REPORT_MIXED_ROWS) ?
		       ASSAY_BY_NOTHING : ASSAY_BY_LINE;
	if (!strcmp(s->by, "function"))
		return ASSAY_BY_FUNCTION;
	if (!strcmp(s->by, "data"))
		return ASSAY_BY_DATA;
	return strcmp(s->by, "line") ? ASSAY_BY_OBJECT : ASSAY_BY_LINE;
}

/* The library's rows: for people, with the source, all but the smallest. */
static unsigned asked_rows(const struct context *context)
{
	const struct settings *s = &context->settings;

	return s->source || (s->most < 0 && !for_people(context)) ? 0 :
	       most_rows(context);
}

/* The program's own exit codes are below these. */
static int program_failed(const struct assay_error *err, int exit_code)
{
	switch (err->code) {
	case -ASSAY_ENOENT:
		return strstr(err->text, "no program") ? EXIT_NOT_FOUND
						       : EXIT_OWN;
	case -ASSAY_ENEVER:
		return exit_code;
	case -ASSAY_EINVAL:
	case -ASSAY_EPERM:
		return strstr(err->text, "cannot be simulated") ||
		       strstr(err->text, "executed") ? EXIT_NOT_RUNNABLE
						     : EXIT_OWN;
	}
	return exit_code == EXIT_OK ? EXIT_OK : EXIT_OWN;
}

/* Suggests --trace if the program is a file that cannot be executed. */
static void hint_at_trace(const char *program, struct assay_error *err)
{
	struct stat st;
	char name[400];

	text_shell(name, sizeof(name), program);
	if (*name && stat(program, &st) == 0 && S_ISREG(st.st_mode) &&
	    access(program, X_OK) != 0)
		error_add(err, "a trace? try: --trace %s", name);
}

/* Of a file for KCachegrind. */
static void say_written(const struct context *context)
{
	if (!context->settings.quiet)
		report_say(stderr, "assay sim: written: %s: the counts of all "
			   "lines, for callgrind_annotate and KCachegrind\n",
			   context->settings.output);
}

static int simulate(struct context *context,
		    const struct assay_simulation *simulation)
{
	struct sim_run run = { .context = context, .by = simulation->by };
	struct assay_error err = { 0 };
	int status, exit_code, rc;

	if (run.by)
		report_hold(context->report);
	rc = assay_simulate(context->assay, simulation, sim_on_result, sim_on_row,
			    &run, &status, &err);
	if (!rc && context->settings.source)
		rc = inputs_check_sources(&context->settings,
					  &run.answer.misses, &err);
	if (!rc && matrix_is_own(context))
		say_written(context);
	else if (!rc && for_people(context))
		sim_show(&run, most_rows(context));
	sim_answer_fini(&run.answer);
	context->partial = !rc;
	if (!rc)
		return status;
	if (simulation->trace && interrupt_seen())
		return EXIT_INTERRUPTED;
	if (simulation->program)
		hint_at_trace(simulation->program[0], &err);
	exit_code = complain(context, &err);
	return simulation->program ? program_failed(&err, exit_code)
				   : exit_code;
}

/* An option that is for other runs than this one. */
static const char *misplaced_option(const struct settings *s, enum assay_by by)
{
	if (s->trace && (s->by || s->plain || s->no_inherit ||
			 s->per_process || s->most >= 0))
		return "--by, --most, --plain, --per-process and --no-inherit "
		       "are for programs: a trace has no names";
	if (s->program && (s->trace_format || s->no_fast_forward))
		return "--trace-format and --no-fast-forward are for traces";
	if (s->why && by == ASSAY_BY_DATA)
		return "--why is for the rows of --by line, function or object";
	if (!by && (s->most >= 0 || s->sort || s->all || s->why))
		return "--most, --sort, --all and --why are for the rows of "
		       "--by";
	if (by != ASSAY_BY_LINE && (s->source || s->inline_at))
		return "--source and --inline are for the rows of --by line";
	return NULL;
}

/* An option without effect on this run; NULL: every option has one. */
static const char *idle_option(const struct context *context, enum assay_by by)
{
	const struct settings *s = &context->settings;
	const bool rows = s->by && strcmp(s->by, "none") != 0;

	if (!report_has(context->report, REPORT_MIXED_ROWS) &&
	    !!by + s->per_process + (sim_part_rows(s) || s->events) > 1)
		return "CSV has room for one kind of rows: those of --by, of "
		       "--per-process, of --per-region, of --slope, or the "
		       "counts of --event";
	if (s->why && !report_has(context->report, REPORT_MIXED_ROWS))
		return "CSV has no room for the rows of --why: use -j";
	if (s->plain && (s->page_map || s->events || rows))
		return "--page-map, --event and --by would do nothing here: "
		       "with --plain nothing is simulated";
	if (sim_part_idle(s))
		return sim_part_idle(s);
	if (s->source && !for_people(context) && !context->lines)
		return "--source is for people: -j and -x have the lines' "
		       "counts";
	return misplaced_option(s, by);
}

/* --format once was the trace's format, too. */
static const char *trace_format(const struct settings *s)
{
	enum report_format format;

	if (s->trace_format || !s->trace || !s->format ||
	    report_format_named(&format, s->format))
		return s->trace_format;
	if (!s->quiet)
		fprintf(stderr, "assay sim: --format is the output's: write "
			"--trace-format %s\n", s->format);
	return s->format;
}

static int run(struct context *context)
{
	const struct settings *s = &context->settings;
	const enum assay_by by = choose_by(context);
	const char *idle = idle_option(context, by);
	char root[4096];
	const struct assay_simulation simulation = {
		.cpu = s->cpu_name, .trace = s->trace,
		.format = trace_format(s), .program = s->program,
		.plain = s->plain, .by = by, .why = s->why,
		.from = s->from, .region = s->region, .slope = s->steps,
		.per_region = s->per_region, .only = s->only,
		.callgrind = matrix_is_own(context) ?
			     report_file(context->report) : NULL,
		.no_inherit = s->no_inherit, .per_process = s->per_process,
		.most = asked_rows(context), .events = s->events,
		.page_map = s->page_map,
		.no_fast_forward = s->no_fast_forward,
		.stopped = interrupt_stops,
		.sort = s->sort,
		.least = for_people(context) && s->most < 0 && !s->source ?
			 LEAST : 0,
		.inline_at_call = s->inline_at != NULL,
		.fold_start = for_people(context) && !s->all,
		.source_root = s->source_root ? root : NULL,
	};

	if (!s->cpu_name && s->trace)
		return complain_text("sim", EXIT_USAGE, "which CPU? "
				     "--cpu NAME (assay list cpus)");
	if (s->source_root && !realpath(s->source_root, root))
		return complain_text("sim", EXIT_USAGE, "--source-root: "
				     "'%s': %s", s->source_root,
				     strerror(errno));
	if (s->trace && s->program)
		return complain_text("sim", EXIT_USAGE, "--trace FILE or "
				     "PROGRAM, not both: '%s' is a program",
				     s->program[0]);
	if (!s->trace && !s->program)
		return complain_text("sim", EXIT_USAGE, "what is to be "
				     "simulated? --trace FILE, or PROGRAM");
	if (idle)
		return complain_text("sim", EXIT_USAGE, "%s", idle);
	if (context_leave_output(context))
		return complain_text("sim", EXIT_OWN,
				     "standard error cannot be written");
	interrupt_catch();
	return simulate(context, &simulation);
}

/* ---- the command --------------------------------------------------------- */

static const struct option sim_options[] = {
	TEXT(0, "cpu", "NAME", cpu_name,
	  "the CPU to simulate: a name, or a CPU file"),
	TEXT(0, "trace", "FILE", trace,
	  "simulate this trace; '-' is standard input"),
	WORD(0, "trace-format", "FORMAT", trace_format,
	  TRACES(TRACE_NAME, "|", "|"),
	  "the trace's format, where it does not show: "
	  TRACES(TRACE_NAME, ", ", " or ")),
	WORD(0, "by", "WHAT", by, "line|function|object|data|none",
	  "say where a program's misses happen: line (as without --by), "
	  "function or object; data: what they miss; none: totals only"),
	TEXT(0, "sort", "COUNT", sort,
	  "the count that rows of --by are sorted by: lost_cycles (as without "
	  "--sort) or a column of theirs, such as l1d_misses"),
	FLAG(0, "why", why,
	  "say why: cold, capacity and conflict misses, strides, sets, used "
	  "bytes, what prefetchers covered"),
	NUMBER(0, "most", "N", most, 0,
	  "rows of --by, the others added up as one (0: all)"),
	FLAG(0, "all", all,
	  "do not make one row of the dynamic loader and libc's start"),
	FLAG(0, "source", source,
	  "show the source, with counts beside its lines"),
	WORD(0, "inline", "WHERE", inline_at, "call",
	  "call: count inlined code at the line that calls it"),
	TEXT(0, "source-root", "DIR", source_root,
	  "name sources relative to this folder"),
	TEXT(0, "from", "FUNCTION", from,
	  "count from the entry of a function to its return: FUNCTION, "
	  "FILE:FUNCTION or OBJECT:FUNCTION"),
	TEXT(0, "region", "NAME", region,
	  "count what the program marks as this region (assay/mark.h)"),
	TEXT(0, "only", "CODE", only,
	  "count what the code of a function, a source file or an object "
	  "causes"),
	FLAG(0, "per-region", per_region,
	  "the counts of each region that the program marks; it must mark one"),
	TEXT(0, "slope", "N,M", steps,
	  "what one step costs: runs the program with N, M and 2M - N in the "
	  "place of {n} in its arguments"),
	FLAG(0, "plain", plain,
	  "count a program's loads, stores and instructions; no model, so "
	  "--cpu need not be given"),
	FLAG('i', "no-inherit", no_inherit,
	  "simulate the program alone, not what it starts"),
	FLAG(0, "per-process", per_process,
	  "the counts of each program that ran, too"),
	LIST('e', "event", "EVENTS", events,
	  "events to count, separated by commas; may be repeated"),
	FLAG(0, "no-fast-forward", no_fast_forward,
	  "simulate every access of a trace, also where it repeats itself "
	  "(the counts are the same)"),
	{ 0 }
};

static const struct option *const options[] = {
	sim_options, page_map_option, store_options, output_options,
	common_options, NULL
};

static const struct example examples[] = {
	{ "assay sim -- ./program args",
	  "which line of a program misses the caches of a CPU like this "
	  "machine's" },
	{ "assay sim --why -- ./program args",
	  "which line misses, and why: cold, capacity or conflict misses, the "
	  "stride, the sets" },
	{ "assay sim --by data -- ./program args",
	  "which variables, and which allocated memory, a program misses" },
	{ "assay sim --source --sort mispredicts -- ./program args",
	  "the source, with the counts of mispredicted branches beside it" },
	{ "assay sim --cpu cortex-a72 --trace trace.din -j",
	  "one record: reads, writes, misses and write-backs of each level" },
	{ "valgrind --tool=lackey --trace-mem=yes --log-fd=9 ls 9>&1 "
	  ">/dev/null | assay sim --cpu my-cpu.yaml --trace -",
	  "a CPU of your own, and what valgrind sees of a program" },
	{ "assay sim --cpu cortex-a72 --by function -- ./program args",
	  "where a program misses" },
	{ "assay sim --from work -- ./program args",
	  "what a function costs, from its calls to its returns" },
	{ "assay sim --slope 1000,2000 -- ./program '{n}'",
	  "what one more step costs, and what the program costs without any" },
	{ "assay sim -o callgrind.out.program -- ./program args",
	  "counts of all lines for KCachegrind and callgrind_annotate" },
	{ "assay sim --cpu cortex-a72 --per-process -- gcc -c x.c",
	  "the compiler's driver, the compiler proper and the assembler" },
	{ 0 }
};

static const struct variable variables[] = {
	{ "QEMU_CPU", "the CPU that QEMU shows to programs. If it is not set, "
	  "that is on AArch64 the one that is simulated, if QEMU knows it: "
	  "instructions that it does not have end a program by SIGILL. Else "
	  "it is one without SVE, whose loads and stores QEMU does not show "
	  "plugins; programs that are compiled for SVE need \"max\"" },
	{ "QEMU_LD_PREFIX", "where QEMU looks for the dynamic linker and the "
	  "libraries of the other instruction set, such as "
	  "/usr/aarch64-linux-gnu" },
	{ 0 }
};

const struct command sim_command = {
	.name = "sim",
	.group = "measure",
	.summary = "which line of a program misses: any program, or a trace, on "
		   "the software PMU",
	.arguments = "[[--] PROGRAM [ARG...]]",
	.args = 0,
	.program = true,
	.program_first = true,
	.options = options,
	.text = SIM_TEXT,
	.example = examples,
	.variable = variables,
	.run = run,
};
