/* SPDX-License-Identifier: MIT */
/* assay verify: predicted against measured; --table: published counts. */
#include <string.h>

#include "cli/fleet/ranks.h"
#include "cli/rows.h"
#include "cli/results.h"
#include "cli/stored.h"
#include "cli/tables.h"

/* ---- published tables: a sentence, then failing verdicts first ----------- */

#define SCREEN 7	/* verdicts for people without -v */

/* People without -v see the verdicts on events, not those on scopes. */
struct judged {
	struct context *context;
	struct kept_rows kept;
};

static int on_row(void *ctx, const struct assay_row *row)
{
	struct judged *j = ctx;
	const bool verdict = !strcmp(row->type, "judged");

	stored_row(j->context, row);
	if (j->kept.fn ? !verdict && !report_has(j->context->report,
						 REPORT_RECORDS) :
	    verdict && !j->context->settings.verbose &&
	    strcmp(row_text(row, "scope"), "all"))
		return 0;
	return keep_row(&j->kept, row);
}

static bool fails(const struct assay_row *row)
{
	const int class_ = assay_class_find(row_text(row, "class"));

	return class_ >= 0 && !assay_class_trust((enum assay_class)class_);
}

/* "instructions:u on fam10h is biased: ..." */
static void show_verdict(struct context *context, const struct assay_row *row)
{
	const bool verbose = context->settings.verbose;
	const char *machine = row_text(row, "machine");
	const char *next = row_text(row, "next");

	report_note(context->report, "- %s%s%s%s%s, %s: %s%s%s",
		    row_text(row, "event"), *machine ? " on " : "", machine,
		    verbose ? ", " : "",
		    verbose ? row_text(row, "scope") : "",
		    row_text(row, "class"), row_text(row, "text"),
		    *next ? " Next: " : "", next);
}

/* Shows failing verdicts, or the others. Returns how many found no room. */
static size_t show_verdicts(const struct judged *j, bool failing, size_t *room)
{
	size_t left_out = 0;

	for (size_t i = 0; i < j->kept.rows; i++) {
		const struct assay_row *row = &j->kept.row[i];

		if (strcmp(row->type, "judged") || fails(row) != failing)
			continue;
		if (!*room && !j->context->settings.verbose) {
			left_out++;
			continue;
		}
		*room -= *room > 0;
		show_verdict(j->context, row);
	}
	return left_out;
}

static void show(const struct judged *j)
{
	struct report *report = j->context->report;
	size_t left_out, room = SCREEN, certificates = 0;

	for (size_t i = 0; i < j->kept.rows; i++) {
		const struct assay_row *row = &j->kept.row[i];

		certificates += !strcmp(row->type, "certificate");
		if (!strcmp(row->type, "summary"))
			report_note(report, "%s", row_text(row, "text"));
	}
	left_out = show_verdicts(j, true, &room);
	left_out += show_verdicts(j, false, &room);
	report_flush(report);
	if (left_out)
		report_note(report, "%zu more: -v shows all, -x , writes them "
			    "with their scopes", left_out);
	if (certificates)
		report_note(report, "certificates written: %zu", certificates);
}

static int wrong_use(const struct settings *s)
{
	if (s->table && (s->faults || s->slope || s->quick || s->thorough))
		return complain_text("verify", EXIT_USAGE, "--table judges "
				     "what was counted: nothing is run, and "
				     "--fault, --slope, --quick and --thorough "
				     "are for runs");
	if (!s->table && s->args)
		return complain_text("verify", EXIT_USAGE, "a file is for "
				     "--table: assay verify --table FILE.csv");
	if (s->truth && (s->table || !s->on || strncmp(s->on, "replay:", 7)))
		return complain_text("verify", EXIT_USAGE, "--truth is for "
				     "counts of a program: --on FILE");
	return tables_wrong_use("verify", s, s->args);
}

static int judge_tables(struct context *context)
{
	struct settings *s = &context->settings;
	struct judged j = { context, context_rows(context) };
	struct assay_setting set[TABLE_SETS];
	struct assay_tables ask = tables_asked(s, set);
	struct assay_error err = { 0 };
	unsigned disagreements = 0;
	int rc;

	ask.save = s->save;
	ask.events = s->events;
	ask.evidence = report_has(context->report, REPORT_RECORDS);
	rc = assay_verify_tables(context->assay, &ask, on_row, &j,
				 &disagreements, &err);
	if (!rc && !j.kept.fn)
		show(&j);
	kept_rows_free(&j.kept);
	if (rc)
		return complain(context, &err);
	return disagreements ? EXIT_CHECK : EXIT_OK;
}

/* ---- the command---------------------------------------------------------- */

static int run(struct context *context)
{
	const int rc = wrong_use(&context->settings);

	if (rc)
		return rc;
	if (context->settings.table)
		return judge_tables(context);
	return verdicts_show(context, context->settings.on);
}

static const struct option own[] = {
	LIST('e', "event", "EVENTS", events, "verdicts on these events only"),
	FLAG(0, "all", all,
	  "also name the events that cannot be counted, and why"),
	FLAG(0, "quick", quick, "fewer and smaller shapes"),
	FLAG(0, "thorough", thorough,
	  "more sizes, more repetitions, other seeds"),
	FLAG(0, "slope", slope,
	  "also run twice and four times the work; -v, -j and -x show counts "
	  "per unit of work, overhead apart"),
	NUMBER(0, "seed", "N", seed, 1,
	  "other orders and data, where they are drawn at random"),
	FLAG(0, "save", save, "write a certificate, and the records beside it"),
	LIST(0, "fault", "FAULT", faults,
	  "sim: plant a fault that verify must find (assay list faults); may "
	  "be repeated"),
	TEXT(0, "truth", "'EVENT=EXPRESSION;...'|FILE", truth,
	  "what is true of the program that --on FILE counted: "
	  "'instructions=2*n+1' (--set says what n is), or a file of "
	  "cachegrind or callgrind"),
	{ 0 }
};

static const struct option *const options[] = {
	on_option, own, table_options, cert_options, page_map_option,
	control_options,
	pin_option, store_options, rank_options, output_options,
	common_options, NULL
};

static const struct example examples[] = {
	{ "assay verify", "this machine's counters; exit 4 if it has none" },
	{ "assay verify --on sim:cortex-a72",
	  "the simulator against the closed forms" },
	{ "assay verify --on sim:cortex-a72 --fault double:L1D_CACHE_REFILL",
	  "a lie planted on purpose; exit 3, and it is named" },
	{ "assay verify --on sim:cortex-a72 --save",
	  "a certificate that run, sweep, stat and list events use" },
	{ "assay verify --on 'sim:*'", "every CPU file, one after the other" },
	{ "assay verify --on uart.log",
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
	.text =
		"Runs kernels whose counts are known in closed form, and "
		"compares every quantity that is both predicted and counted. "
		"--on 'sim:NAME*' verifies every CPU file that fits. Exits "
		"with 3 if an event fails, a quantity disagrees or a law is "
		"violated, with 4 if nothing can be counted here.\n\n"
		"The first line is the answer. Each event of the software PMU "
		"is fitted as a sum of true quantities: first its own claim, "
		"to the last digit; then with a factor, write-backs, "
		"prefetches, page walks, the counts of another event, "
		"interrupts, a counter that is too narrow, or noise. The "
		"simplest explanation that gives every count wins. "
		"Explanations that are equally simple and fit equally well are "
		"named beside it.\n\n"
		"Events of a real machine, live or saved, are judged by "
		"intervals: exact (also less a constant, or less interrupts), "
		"within bounds, proportional, biased, one-sided, dead, "
		"unstable, law violated, or inconclusive. A deviation that is "
		"not proven is inconclusive; that is no agreement.\n\n"
		"With --on sim:CPU a model is checked against itself and the "
		"closed forms. That says whether assay is right, and nothing "
		"about silicon. The letters in the column 'by' are the "
		"witnesses: F the closed form, S the simulation, T the timing; "
		"a small letter means that the witness does not agree with "
		"every count.\n\n"
		"With --table nothing is run: the arguments are tables of "
		"published counts, one count a row, with the true count where "
		"it is known.\n\n"
		"^C ends the counting; verdicts are given on what was counted "
		"until then.",
	.example = examples,
	.variable = cert_variables,
	.run = run,
};
