/* SPDX-License-Identifier: MIT */
/* The table of verdicts on quantities and events. */
#include "cli/results.h"

#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/answers/answers.h"
#include "cli/context.h"
#include "cli/progress.h"
#include "cli/rows.h"
#include "cli/stored.h"
#include "base/text.h"

struct verdicts {
	struct context *context;
	unsigned agree, disagree, other, unasked;
	char kernel[64];	/* kernel of the current table */
	struct kept_rows noted;	/* rows of the table with a note */
	struct phrase unasked_for;	/* quantities of the kernel */
	unsigned class_[ASSAY_CLASSES];
	unsigned laws;		/* violated */
	unsigned accused;	/* events */
	char accused_names[300];
	bool events_begun, letters;	/* letters: in the column 'by' */
	bool brief;		/* hide quantities that agree */
	const char *on;
	char place[128];	/* of several places the current one */
	unsigned places;
	struct progress progress;
};

static struct assay_field row_field(const struct assay_row *row,
				    const char *name)
{
	const struct assay_field *f = row_find(row, name);

	return f ? *f : (struct assay_field){
		.name = name, .kind = ASSAY_FIELD_ABSENT,
	};
}

static bool is(const struct assay_row *row, const char *verdict)
{
	return !strcmp(row_text(row, "verdict"), verdict);
}

static void put_note(struct report *report, const struct assay_row *row,
		     const char *what, const char *text)
{
	if (*text)
		report_note(report, "%s from %s: %s%s",
			    row_text(row, "quantity"), row_text(row, "from"),
			    what, text);
}

/* Puts the notes of this row below its table. */
static void put_notes(struct report *report, const struct assay_row *row)
{
	if (!strcmp(row->type, "event")) {
		report_note(report, "%s: worst at %s", row_text(row, "event"),
			    row_text(row, "fails"));
		return;
	}
	if (is(row, "disagrees"))
		put_note(report, row, "worst at ", row_text(row, "at"));
	put_note(report, row, "", row_text(row, "note"));
}

/* Did the user ask for no event of this quantity? Then the row is empty. */
static bool is_unasked(const struct assay_row *row)
{
	const char *why = row_field(row, "worst error").text;

	return why && strstr(why, "no event that was asked for");
}

static void end_kernel(struct verdicts *shown)
{
	struct report *report = shown->context->report;

	report_flush(report);
	if (shown->unasked_for.used)
		report_note(report, "- no event was asked for that gives: %s",
			    shown->unasked_for.text);
	shown->unasked_for = (struct phrase){ .used = 0 };
	for (size_t i = 0; i < shown->noted.rows; i++)
		put_notes(report, &shown->noted.row[i]);
	kept_rows_free(&shown->noted);
}

/* One table per kernel; the shapes that fail are noted below. */
static int show(struct verdicts *shown, const struct assay_row *row)
{
	const bool disagrees = is(row, "disagrees");
	const bool verbose = shown->context->settings.verbose;
	const char *kernel = row_text(row, "kernel");
	const double shapes = row_number(row, "shapes");
	char good[64];
	struct assay_field field[] = {
		field_text("quantity", row_text(row, "quantity")),
		field_text("from", row_text(row, "from")),
		field_text("verdict", row_text(row, "verdict")),
		field_text("shapes", good),
		row_field(row, "worst error"),
	};

	snprintf(good, sizeof(good), "%.0f of %.0f",
		 disagrees || is(row, "agrees") ?
		 shapes - row_number(row, "disagree") : 0, shapes);
	if (strcmp(shown->kernel, kernel)) {
		end_kernel(shown);
		snprintf(shown->kernel, sizeof(shown->kernel), "%s", kernel);
		report_title(shown->context->report, kernel);
	}
	if (is_unasked(row) && !verbose) {
		phrase_add(&shown->unasked_for, "%s%s",
			   shown->unasked_for.used ? ", " : "",
			   row_text(row, "quantity"));
		return 0;
	}
	if (disagrees || verbose)
		keep_row(&shown->noted, row);
	return report_row(shown->context->report,
			  &(struct assay_row){ "verdict", field, 5 });
}

static void count(struct verdicts *shown, const struct assay_row *row)
{
	if (is_unasked(row))
		shown->unasked++;
	else if (is(row, "agrees"))
		shown->agree++;
	else if (is(row, "disagrees"))
		shown->disagree++;
	else
		shown->other++;
}

/*
 * "FST": closed form, simulation and timing agree with every count that they
 * bound; a small letter: not with every one.
 */
#define WITNESS_LETTERS 8

static void witness_letters(char *out, const char *witnesses)
{
	static const struct { const char *name; char letter; } all[] = {
		{ "closed form", 'F' }, { "simulation", 'S' },
		{ "timing", 'T' },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		const char *at = strstr(witnesses, all[i].name);
		unsigned agreed, spoke;

		if (at && sscanf(at + strlen(all[i].name), " %u of %u",
				 &agreed, &spoke) == 2)
			*out++ = agreed == spoke ? all[i].letter :
				 (char)(all[i].letter - 'A' + 'a');
	}
	*out = '\0';
}

/* One line per event; the shape that fails is noted below the table. */
static int show_event(struct verdicts *shown, const struct assay_row *row)
{
	char letters[WITNESS_LETTERS];
	struct assay_field field[] = {
		field_text("event", row_text(row, "event")),
		field_text("verdict", row_text(row, "verdict")),
		field_text("by", letters),
		field_text("what it counts", row_text(row, "explains")),
	};
	const struct assay_row brief = { "event", field, 4 };

	witness_letters(letters, row_text(row, "witnesses"));
	shown->letters |= *letters;

	if (!shown->events_begun) {
		end_kernel(shown);
		report_title(shown->context->report, "events");
	}
	shown->events_begun = true;
	if (shown->context->settings.verbose)
		return report_row(shown->context->report, row);
	if (*row_text(row, "fails"))
		keep_row(&shown->noted, row);
	return report_row(shown->context->report, &brief);
}

#define NAMED 4			/* events in the sentence */

/* "INST_RETIRED is proportional, BR_PRED dead" */
static void accuse(struct verdicts *shown, const struct assay_row *row)
{
	char *text = shown->accused_names;
	const size_t used = strlen(text);

	if (shown->accused++ < NAMED)
		snprintf(text + used, sizeof(shown->accused_names) - used,
			 "%s%.60s%s%.40s%s %s", used ? ", " : "",
			 row_text(row, "event"), *shown->place ? " on " : "",
			 shown->place, used ? "" : " is",
			 row_text(row, "verdict"));
}

static void count_event(struct verdicts *shown, const struct assay_row *row)
{
	int class_ = assay_class_find(row_text(row, "verdict"));

	if (class_ < 0)
		return;
	shown->class_[class_]++;
	if (assay_class_fails((enum assay_class)class_))
		accuse(shown, row);
}

/* Both sides of an identity, with the kernel and shape. */
static void remark_law(struct verdicts *shown, const struct assay_row *row)
{
	const char *doubt = row_text(row, "doubt");
	char where[240] = "";

	if (*row_text(row, "kernel"))
		snprintf(where, sizeof(where), " with %s %s",
			 row_text(row, "kernel"), row_text(row, "shape"));
	end_kernel(shown);
	report_note(shown->context->report, "violated: %s: %s, but %.15g and "
		    "%.15g were counted%s%s%s", row_text(row, "identity"),
		    row_text(row, "law"), row_number(row, "left"),
		    row_number(row, "right"), where,
		    *doubt ? "; doubt first " : "", doubt);
}

/* Remarks on a witness: shapes that it bounded, or why it is silent. */
static void remark_witness(struct verdicts *shown, const struct assay_row *row)
{
	const char *why = row_text(row, "why");
	const char *witness = row_text(row, "witness");
	const int letter = toupper(*witness);	/* closed form: F */
	const double spoke = row_number(row, "shapes");

	end_kernel(shown);
	report_note(shown->context->report, "%c %s: %.0f of %.0f shapes%s%s%s",
		    letter == 'C' ? 'F' : letter, witness, spoke,
		    spoke + row_number(row, "silent"), *why ? " (" : "", why,
		    *why ? ")" : "");
}

static void remark_formula(struct verdicts *shown, const struct assay_row *row)
{
	end_kernel(shown);
	report_note(shown->context->report, "wrong term: %s gives %.15g %s, "
		    "but %s %.15g: %s", row_text(row, "formula"),
		    row_number(row, "said"), row_text(row, "quantity"),
		    row_text(row, "than"), row_number(row, "right"),
		    row_text(row, "because of"));
}

static void remark_plan(struct verdicts *shown, const struct assay_row *row)
{
	if (!shown->context->settings.quiet && isatty(STDERR_FILENO))
		fprintf(stderr, "%.0f shapes, about %.0f s\n",
			row_number(row, "shapes"), row_number(row, "seconds"));
}

static void remark_finding(struct verdicts *shown, const struct assay_row *row)
{
	report_note(shown->context->report, "%s: %s", row_text(row, "finding"),
		    row_text(row, "text"));
}

static void remark_certificate(struct verdicts *shown,
			       const struct assay_row *row)
{
	end_kernel(shown);
	report_note(shown->context->report, "certificate: %s",
		    row_text(row, "file"));
}

/* Starts the next of several CPUs: its name stands above its tables. */
static void begin_place(struct verdicts *shown, const struct assay_row *row)
{
	end_kernel(shown);
	text_copy(shown->place, sizeof(shown->place), row_text(row, "on"));
	report_title(shown->context->report, shown->place);
	shown->places++;
	shown->events_begun = false;
	shown->kernel[0] = '\0';
	shown->progress.total = 0;
}

/* Types of rows that are printed as sentences. */
static const struct {
	const char *type;
	void (*fn)(struct verdicts *shown, const struct assay_row *row);
} remarks[] = {
	{ "formula", remark_formula }, { "witness", remark_witness },
	{ "plan", remark_plan }, { "finding", remark_finding },
	{ "certificate", remark_certificate }, { "identity", remark_law },
	{ "place", begin_place },
};

static bool remark(struct verdicts *shown, const struct assay_row *row)
{
	for (size_t i = 0; i < sizeof(remarks) / sizeof(*remarks); i++)
		if (!strcmp(row->type, remarks[i].type)) {
			remarks[i].fn(shown, row);
			return true;
		}
	return false;
}

/* Brief: a simulator's quantities are shown only if they disagree. */
static bool dull(const struct verdicts *shown, const struct assay_row *row)
{
	return shown->brief && !shown->context->settings.verbose &&
	       !is(row, "disagrees");
}

/* What the first sentence needs of the row. */
static void tally(struct verdicts *shown, const struct assay_row *row)
{
	if (!strcmp(row->type, "verdict"))
		count(shown, row);
	if (!strcmp(row->type, "event"))
		count_event(shown, row);
	shown->laws += !strcmp(row->type, "identity");
}

/* People see one line per event and quantity; with -v each comparison. */
static int on_row(void *ctx, const struct assay_row *row)
{
	struct verdicts *shown = ctx;
	struct context *context = shown->context;
	bool verdict = !strcmp(row->type, "verdict");

	stored_row(context, row);
	tally(shown, row);
	if (!report_has(context->report, REPORT_PROSE))
		return !strcmp(row->type, "plan") &&
		       !report_has(context->report, REPORT_RECORDS) ? 0 :
		       report_row(context->report, row);
	if (remark(shown, row))
		return 0;
	if (!strcmp(row->type, "event"))
		return show_event(shown, row);
	if (verdict)
		return dull(shown, row) ? 0 : show(shown, row);
	return context->settings.verbose ? report_row(context->report, row)
					 : 0;
}

/* "41 exact, 1 proportional" */
static void sum_up_events(struct verdicts *shown)
{
	struct phrase text = { .used = 0 };

	for (int c = 0; c < ASSAY_CLASSES; c++)
		if (shown->class_[c])
			phrase_add(&text, "%s%u %s", text.used ? ", " : "",
				   shown->class_[c],
				   assay_class_name((enum assay_class)c));
	if (text.used)
		report_note(shown->context->report, "events: %s", text.text);
}

static unsigned trusted(const struct verdicts *shown, int trust)
{
	unsigned n = 0;

	for (int c = 0; c < ASSAY_CLASSES; c++)
		if (assay_class_trust((enum assay_class)c) == trust)
			n += shown->class_[c];
	return n;
}

/* The first line: one sentence that sums up all verdicts. */
static void sentence(const struct verdicts *shown, struct phrase *said)
{
	const unsigned right = trusted(shown, 1), open = trusted(shown, -1);
	const unsigned wrong = trusted(shown, 0), all = right + open + wrong;
	const unsigned fail = shown->accused;

	if (fail)
		phrase_add(said, "%u of %u event%s fail%s (%s%s)", fail, all,
			   all == 1 ? "" : "s", fail == 1 ? "s" : "", shown->accused_names,
			   fail > NAMED ? ", ..." : "");
	else
		phrase_add(said, right ? "No event of %u fails" :
			   all == 1 ? "Nothing is proven of %u event" :
			   "Nothing is proven of %u events", all);
	phrase_add(said, "; %u %s right, %u inconclusive", right,
		   right == 1 ? "is" : "are", open);
	if (shown->places)
		phrase_add(said, ", on %u CPUs", shown->places);
	if (wrong > fail)
		phrase_add(said, "; %u as an erratum says", wrong - fail);
	if (shown->disagree)
		phrase_add(said, "; %u quantit%s from the closed form",
			   shown->disagree, shown->disagree == 1 ?
			   "y differs" : "ies differ");
	if (shown->laws)
		phrase_add(said, "; %u law%s violated", shown->laws,
			   shown->laws == 1 ? " is" : "s are");
}

void verdicts_sentence(const struct kept_rows *rows, struct phrase *out)
{
	struct verdicts shown = { .context = NULL };

	for (size_t i = 0; i < rows->rows; i++)
		tally(&shown, &rows->row[i]);
	sentence(&shown, out);
	phrase_add(out, ".");
}

static void sum_up(struct verdicts *shown)
{
	struct phrase said = { .used = 0 };

	if (!report_has(shown->context->report, REPORT_PROSE))
		return;
	end_kernel(shown);
	if (shown->letters)
		report_note(shown->context->report, "column 'by': F, S and T "
			    "agree with the event; a small letter: not with "
			    "all of its counts");
	if (shown->brief)
		report_note(shown->context->report, "\n%s is a model, checked "
			    "against itself and the closed forms: the "
			    "verdicts say whether assay and its model are "
			    "right, and nothing about silicon", shown->on);
	if (shown->agree + shown->disagree + shown->other + shown->unasked)
		report_note(shown->context->report, shown->unasked ?
			    "\n%u agree, %u disagree, %u could not be "
			    "judged, %u not asked for" :
			    "\n%u agree, %u disagree, %u could not be judged",
			    shown->agree, shown->disagree, shown->other,
			    shown->unasked);
	sum_up_events(shown);
	sentence(shown, &said);
	report_answer(shown->context->report, "%s.", phrase_text(&said));
}

/* "sim:CPU" and its faults; false: the buffer is too small. */
static bool add_faults(char *out, size_t room, const char *on,
		       const char *faults)
{
	size_t used = (size_t)snprintf(out, room, "%s", on);

	while (faults && used < room) {
		size_t n = strcspn(faults, ",");

		used += (size_t)snprintf(out + used, room - used,
					 ",fault=%.*s", (int)n, faults);
		faults = faults[n] ? faults + n + 1 : NULL;
	}
	return used < room;
}

static int step(void *ctx, unsigned done, unsigned total)
{
	struct verdicts *shown = ctx;

	if (!shown->progress.total)
		progress_start(&shown->progress, "shapes", total,
			       shown->context->settings.quiet);
	progress_step(&shown->progress, done);
	if (done == total)
		progress_end(&shown->progress);
	return interrupt_seen();
}

static enum assay_effort effort(const struct settings *s)
{
	return s->quick ? ASSAY_QUICK : s->thorough ? ASSAY_THOROUGH :
						      ASSAY_NORMAL;
}

int verdicts_show(struct context *context, const char *on)
{
	const struct settings *s = &context->settings;
	struct verdicts shown = { .context = context };
	struct assay_setting set[SETS];
	struct assay_error err = { 0 };
	unsigned disagreements = 0;
	char where[1024];
	int rc;

	if (s->faults && (!on || strncmp(on, "sim:", 4)))
		return complain_text("verify", EXIT_USAGE, "--fault is for the "
				     "software PMU, as in --on sim:cortex-a72");
	if (s->quick && s->thorough)
		return complain_text("verify", EXIT_USAGE,
				     "--quick or --thorough, not both");
	if (!add_faults(where, sizeof(where), on ? on : "perf", s->faults))
		return complain_text("verify", EXIT_USAGE,
				     "--on and --fault are too long");
	interrupt_catch();
	shown.brief = !strncmp(where, "sim:", 4);
	shown.on = on;
	const struct assay_verification ask = {
		.on = where, .page_map = s->page_map, .events = s->events,
		.all = s->all, .effort = effort(s), .save = s->save,
		.slope = s->slope,
		.seed = s->seed > 0 ? (unsigned)s->seed : 0,
		.progress = step, .ctx = &shown, .truth = s->truth,
		.set = set, .sets = sets_split(s->sets, set),
	};

	report_hold(context->report);
	rc = assay_verify(context->assay, &ask, on_row, &shown,
			  &disagreements, &err);
	progress_end(&shown.progress);
	if (!rc)
		sum_up(&shown);
	else
		report_release(context->report);
	kept_rows_free(&shown.noted);
	if (interrupt_seen())
		return EXIT_INTERRUPTED;
	if (rc)
		return complain(context, &err);
	return disagreements ? EXIT_CHECK : EXIT_OK;
}
