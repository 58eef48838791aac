/* SPDX-License-Identifier: MIT */
/* assay list: lists events, kernels, CPUs and other names. */
#include <stdio.h>
#include <string.h>

#include "assay/fleet.h"
#include "base/loading/library.h"
#include "base/text.h"
#include "cli/context.h"
#include "cli/cpu/list-cpus.h"
#include "cli/formats/matrix.h"
#include "cli/rows.h"

/* For people: what the rows are, in a list that has no answer of its own. */
static const struct { const char *word, *rows; } lists[] = {
	[ASSAY_LIST_EVENTS] = { "events", NULL },
	[ASSAY_LIST_KERNELS] = { "kernels",
		"workloads whose true counts are known" },
	[ASSAY_LIST_CPUS] = { "cpus", NULL },
	[ASSAY_LIST_FORMULAS] = { "formulas", "files of formulas" },
	[ASSAY_LIST_PROVIDERS] = { "providers", "sources of counts" },
	[ASSAY_LIST_QUANTITIES] = { "quantities",
		"quantities that have a true count" },
	[ASSAY_LIST_IDENTITIES] = { "identities",
		"laws that the counts of a run obey" },
	[ASSAY_LIST_RECIPES] = { "recipes", "published experiments" },
	[ASSAY_LIST_FAULTS] = { "faults",
		"ways in which a simulated counter can be wrong" },
	[ASSAY_LIST_SIGNALS] = { "signals",
		"signals of the simulator, which CPU files add up to events" },
};
#define LISTS (sizeof(lists) / sizeof(*lists))

static int unknown_list(const struct context *context, const char *word)
{
	const char *names[LISTS + 2] = { "formats" };
	struct assay_error err;

	for (size_t i = 0; i < LISTS; i++)
		names[1 + i] = lists[i].word;
	error_set(&err, -ASSAY_EINVAL, *word
		  ? "'%.60s' cannot be listed" : "list what?%s", word);
	if (*word)
		error_meant(&err, word, names);
	error_add(&err, "try: assay list events, kernels, cpus, formulas, "
		  "providers, quantities, identities, recipes, faults, "
		  "signals or formats");
	return complain(context, &err);
}

/* ---- for people: the answer first, and only the wanted rows -------------- */

/* A quantity that no event of the CPU counts. */
static bool is_uncounted(const struct assay_row *row)
{
	return !strcmp(row->type, "asked") && !*row_text(row, "event");
}

/*
 * Rows for people without -v: which event counts what, and the chip. The texts
 * of the errata and the other events are left to -v.
 */
static bool is_brief(const struct assay_row *row)
{
	const char *about = row_text(row, "about");

	if (!strcmp(row->type, "asked"))
		return !is_uncounted(row);
	return !strcmp(row->type, "about") && strcmp(about, "erratum") &&
	       strcmp(about, "usable");
}

static void note_uncounted(struct report *report, const struct kept_rows *kept)
{
	char text[400] = "";
	size_t used = 0;

	for (size_t i = 0; i < kept->rows && used < sizeof(text); i++)
		if (is_uncounted(&kept->row[i]))
			used += (size_t)snprintf(text + used,
				sizeof(text) - used, "%s%s", used ? ", " : "",
				row_text(&kept->row[i], "quantity"));
	if (used)
		report_note(report, "no event counts: %s", text);
}

/* One CPU: on a screen; with -v every fact. */
static void show_cpu(struct context *context, const struct kept_rows *kept)
{
	const bool verbose = context->settings.verbose;
	const char *name = "";

	for (size_t i = 0; i < kept->rows; i++) {
		const struct assay_row *row = &kept->row[i];

		if (!strcmp(row->type, "cpu"))
			name = row_text(row, "name");
		if (!strcmp(row->type, "answer"))
			report_note(context->report, "%s", row_text(row,
				    "answer"));
	}
	for (size_t i = 0; i < kept->rows; i++)
		if ((verbose && strcmp(kept->row[i].type, "answer")) ||
		    is_brief(&kept->row[i]))
			report_row(context->report, &kept->row[i]);
	report_flush(context->report);
	note_uncounted(context->report, kept);
	if (verbose)
		report_note(context->report, "%s", confidence_letters);
	else
		report_note(context->report, "more: assay explain EVENT --cpu "
			    "%s; assay list signals; -v", name);
}

/* ---- events ------------------------------------------------------------- */

static const char *why_absent(const struct assay_row *row)
{
	const struct assay_field *here = row_find(row, "counts here");

	return here && here->kind == ASSAY_FIELD_ABSENT ?
	       here->text ? here->text : "" : NULL;
}

static size_t count_why(const struct kept_rows *kept, const char *why)
{
	size_t n = 0;

	for (size_t i = 0; i < kept->rows; i++) {
		const char *here = why_absent(&kept->row[i]);

		n += here && (!why || !strcmp(here, why));
	}
	return n;
}

/*
 * The most frequent reason, and in *count its frequency. Equal reasons follow
 * each other: a reason just counted is not counted again.
 */
static const char *usual_why(const struct kept_rows *kept, size_t *count)
{
	const char *usual = NULL, *last = NULL;

	*count = 0;
	for (size_t i = 0; i < kept->rows; i++) {
		const char *why = why_absent(&kept->row[i]);
		size_t n;

		if (!why || (last && !strcmp(why, last)))
			continue;
		last = why;
		n = count_why(kept, why);
		if (n > *count) {
			*count = n;
			usual = why;
		}
	}
	return usual;
}

static void note_events(struct report *report, const struct kept_rows *kept,
		       bool all)
{
	const size_t hidden = count_why(kept, NULL);
	size_t usual;
	const char *why = usual_why(kept, &usual);
	const char *option = all ? "" : "; --all lists what cannot";

	if (kept->rows == 1)
		report_note(report, "The event can%s be counted%s%s%s.",
			    hidden ? "not" : "", hidden ? ": " : "",
			    hidden ? why : "", hidden ? option : "");
	else if (!hidden)
		report_note(report, "All %zu events can be counted.",
			    kept->rows);
	else if (usual == kept->rows)
		report_note(report, "None of %zu events can be counted: %s%s.",
			    hidden, why, option);
	else if (usual == hidden)
		report_note(report, "%zu of %zu events can be counted; the "
			    "others cannot: %s%s.", kept->rows - hidden,
			    kept->rows, why, option);
	else
		report_note(report, "%zu of %zu events can be counted; the "
			    "others cannot, %zu of them because: %s%s.",
			    kept->rows - hidden, kept->rows, usual, why,
			    option);
}

/*
 * Countable events, and the number and reason of the others; with --all all
 * events.
 */
static void show_events(struct context *context, const struct kept_rows *kept)
{
	const struct settings *s = &context->settings;
	const bool all = s->all || (s->cpu_name &&
				    count_why(kept, NULL) == kept->rows);
	struct assay_error missing;

	if (!kept->rows)
		return;
	note_events(context->report, kept, all);
	for (size_t i = 0; i < kept->rows; i++)
		if (all)
			report_row(context->report, &kept->row[i]);
		else if (!why_absent(&kept->row[i]))
			/* without a column in which every row says "yes" */
			show_without(context, &kept->row[i], "counts here");
	report_flush(context->report);
	report_note(context->report, "assay explain EVENT: what an event "
		    "counts, and how sure that is");
	if (!s->cpu_name && !s->on && library_need(LIBRARY_PFM, &missing))
		report_note(context->report, "%s", missing.text);
}

/* ---- the list ------------------------------------------------------------ */

/* Counts the wanted rows and passes them on. */
struct counter {
	struct kept_rows kept;
	unsigned long rows;
	struct assay_trust *trust;	/* not NULL: only this mark */
	enum assay_mark mark;
};

static int count_row(void *ctx, const struct assay_row *row)
{
	struct counter *counter = ctx;
	struct assay_trusted trusted;

	if (counter->trust) {
		assay_trust_of(counter->trust, row_text(row, "event"),
			       &trusted);
		if (trusted.mark != counter->mark)
			return 0;
	}
	counter->rows++;
	return keep_row(&counter->kept, row);
}

static enum assay_mark mark(const struct settings *s)
{
	return s->verified ? ASSAY_MARK_VERIFIED : s->wrong ?
	       ASSAY_MARK_WRONG : ASSAY_MARK_UNKNOWN;
}

/* Opens the certificate for the events of `on`, and prints its name. */
static int open_trust(struct context *context, enum assay_list what,
		      const char *on, struct counter *counter)
{
	const struct settings *s = &context->settings;
	struct assay_error err = { 0 };

	if (what != ASSAY_LIST_EVENTS)
		return complain_text("list", EXIT_USAGE, "--verified, --wrong "
				     "and --unknown are for events");
	if (s->verified + s->wrong + s->unknown > 1)
		return complain_text("list", EXIT_USAGE, "--verified, --wrong "
				     "or --unknown: one of them");
	if (assay_trust_open(&counter->trust, context->assay, on, &err))
		return complain(context, &err);
	if (!s->quiet)
		report_say(stderr, "%s\n", assay_trust_about(counter->trust));
	return 0;
}

/* An option without effect on this list; NULL: every option has one. */
static const char *idle_option(const struct settings *s, enum assay_list what)
{
	if (what != ASSAY_LIST_EVENTS && (s->cpu_name || s->on))
		return "--cpu and --on are for events";
	if (what != ASSAY_LIST_EVENTS && s->all)
		return "--all is for events";
	if (s->cpu_name && s->on)
		return "--cpu NAME is --on sim:NAME: one of them";
	return NULL;
}

typedef void show_fn(struct context *context, const struct kept_rows *kept);

/* For people, some lists start with an answer and are printed at the end. */
static show_fn *shown_by(const struct context *context, enum assay_list what)
{
	if (!report_has(context->report, REPORT_PROSE))
		return NULL;
	return what == ASSAY_LIST_EVENTS ? show_events :
	       what != ASSAY_LIST_CPUS ? NULL :
	       context->settings.args > 1 ? show_cpu : list_cpus;
}

static int pass(struct context *context, enum assay_list what, const char *on,
		struct counter *counter, struct assay_error *err)
{
	const struct settings *s = &context->settings;
	const char *rows = s->args > 1 ? NULL : lists[what].rows;
	show_fn *show = shown_by(context, what);
	int rc;

	if (rows && report_has(context->report, REPORT_PROSE))
		report_hold(context->report);
	if (!show)
		counter->kept = (struct kept_rows){
			.fn = report_row, .ctx = context->report,
		};
	rc = assay_list(context->assay, what, s->args > 1 ? s->arg[1] : NULL,
			on, count_row, counter, err);
	if (counter->kept.no_memory)
		rc = error_set(err, -ASSAY_ENOMEM, "out of memory");
	if (show && !rc)
		show(context, &counter->kept);
	else if (rows && !rc && counter->rows)
		report_answer(context->report, "%lu %s.", counter->rows, rows);
	kept_rows_free(&counter->kept);
	return rc;
}

static int list(struct context *context, enum assay_list what)
{
	const struct settings *s = &context->settings;
	struct counter counter = { .mark = mark(s) };
	struct assay_error err = { 0 };
	const char *on = s->on;
	const char *idle = idle_option(s, what);
	char cpu[128];
	int rc;

	if (idle)
		return complain_text("list", EXIT_USAGE, "%s", idle);
	if (s->cpu_name) {
		snprintf(cpu, sizeof(cpu), "sim:%.100s", s->cpu_name);
		on = cpu;
	}
	if ((s->verified || s->wrong || s->unknown) &&
	    open_trust(context, what, on, &counter))
		return EXIT_USAGE;
	rc = pass(context, what, on, &counter, &err);
	assay_trust_close(counter.trust);
	if (rc)
		return complain(context, &err);
	if (counter.rows)
		return EXIT_OK;
	return complain_text("list", EXIT_USAGE,
			     s->args > 1 ? "no %s match '%.60s'"
					 : "there are no %s here", s->arg[0],
			     s->args > 1 ? s->arg[1] : "");
}

/* ---- what the certificates of many hosts say ----------------------------- */

static void show_fleet(struct context *context, const struct kept_rows *kept,
		       size_t contradictions)
{
	report_note(context->report, contradictions ? "Hosts with the same CPU, "
		    "microcode and hypervisor contradict each other on %zu "
		    "event%s." : "No contradiction between hosts%.0zu%s.",
		    contradictions, contradictions > 1 ? "s" : "");
	for (int first = 1; first >= 0; first--)
		for (size_t i = 0; i < kept->rows; i++)
			if (first == !strcmp(row_text(&kept->row[i],
						      "contradiction"), "yes"))
				report_row(context->report, &kept->row[i]);
}

static int list_fleet(struct context *context)
{
	struct kept_rows kept = context_rows(context);
	struct assay_error err = { 0 };
	size_t contradictions;
	int rc;

	if (context->settings.args > 1 ||
	    strcmp(context->settings.arg[0], "events"))
		return complain_text("list", EXIT_USAGE, "--fleet is for "
				     "events, and for all of them");
	rc = assay_fleet_certificates(context->assay, NULL, 0, keep_row, &kept,
				      &contradictions, &err);
	if (!rc && !kept.fn && kept.rows)
		show_fleet(context, &kept, contradictions);
	else if (!rc && !kept.fn)
		report_note(context->report, "No certificate is there: assay "
			    "verify --save makes one.");
	kept_rows_free(&kept);
	return rc ? complain(context, &err) :
	       contradictions ? EXIT_CHECK : EXIT_OK;
}

static int run(struct context *context)
{
	const struct settings *s = &context->settings;
	const char *word = s->args ? s->arg[0] : "";

	if (s->fleet && s->args)
		return list_fleet(context);
	if (!strcmp(word, "formats"))
		return matrix_list(context);
	for (size_t i = 0; i < LISTS; i++)
		if (!strcmp(lists[i].word, word))
			return list(context, (enum assay_list)i);
	return unknown_list(context, word);
}

static const struct option own[] = {
	TEXT(0, "cpu", "NAME", cpu_name,
	  "events: of this CPU file; the same as --on sim:NAME"),
	FLAG(0, "all", all,
	  "events: also those that cannot be counted, with the reason"),
	FLAG(0, "verified", verified,
	  "events: only those that a certificate says are right"),
	FLAG(0, "wrong", wrong,
	  "events: only those that a certificate says are wrong"),
	FLAG(0, "unknown", unknown,
	  "events: only those that no certificate judges"),
	FLAG(0, "fleet", fleet,
	  "events: what all certificates of --cert-dir say, with the number "
	  "of hosts; exits with 3 if they contradict each other"),
	{ 0 }
};

static const struct option *const options[] = {
	own, cert_options, on_option, sysroot_option, output_options,
	common_options, NULL
};

static const struct example examples[] = {
	{ "assay list kernels", "every kernel, one line each" },
	{ "assay list kernels chase",
	  "its options, and what it must count, with the reasons" },
	{ "assay list events refill --cpu cortex-a72",
	  "events of a CPU whose name contains 'refill'" },
	{ "assay list events --fleet --cert-dir shared",
	  "verdicts of many hosts by CPU, microcode and hypervisor" },
	{ "assay list cpus k10",
	  "which event counts L1D misses, branches ..., and how sure that is" },
	{ "assay list cpus cortex-a76 -v",
	  "every fact of a CPU file, with its source" },
	{ "assay list cpus host",
	  "this machine as --on sim:host simulates it" },
	{ 0 }
};

static const struct variable kinds[] = {
	{ "events [NAME]", "the events whose names contain NAME, of this "
	  "machine or of --cpu or --on; those that cannot be counted are left "
	  "out: --all lists them, and -j and -x always do, with the reason" },
	{ "kernels [NAME]", "of one: its options, and the closed forms of the "
	  "default shape, which is run once on three levels of LRU caches" },
	{ "cpus [NAME]", "CPU files; of one: which event counts each quantity, "
	  "and how sure that is" },
	{ "formulas [NAME]", "formula files" },
	{ "providers", "places that count, and whether they work here" },
	{ "quantities [NAME]", "what kernels predict and formulas compute" },
	{ "identities [CPU]", "the laws between events of a CPU" },
	{ "recipes [NAME]", "published experiments" },
	{ "faults", "counting errors for verify --fault" },
	{ "signals", "what the simulator counts; an event in a CPU file is a "
	  "sum of signals" },
	{ "formats [COMMAND]", "what each command writes, and the names of "
	  "files that ask for it" },
	{ 0 }
};

const struct command list_command = {
	.name = "list",
	.group = "see what there is",
	.summary = "events, kernels, cpus, formulas, providers, quantities, "
		   "identities, recipes, faults, signals, formats",
	.arguments = "events|kernels|cpus|formulas|providers|quantities|"
		     "identities|recipes|faults|signals|formats [NAME]",
	.args = 2,
	.options = options,
	.text = "Lists everything of a kind, or shows one thing of a kind.\n\n"
		"The CPU file's confidence in an event is one of: documented, "
		"measured, fitted to a measurement, recalled from memory, "
		"guessed. The remark says which signals the event counts "
		"besides or leaves out, whether it counts accesses on "
		"mispredicted paths (speculative), and which errata it has. "
		"On this machine's CPU a certificate adds its verdict.",
	.verb = kinds,
	.example = examples,
	.variable = cert_variables,
	.run = run,
};
