/* SPDX-License-Identifier: MIT */
/* Verdicts on published tables: one sentence, then what fails first. */
#include "cli/tables.h"

#include <stdlib.h>
#include <string.h>

#include "cli/context.h"
#include "cli/rows.h"

#define SCREEN 7	/* verdicts that people see without -v */
#define SETS 32

/* A verdict that waits for the sentence above it. */
struct kept { char *machine, *event, *scope, *class_, *text; };

struct list { struct kept *of; size_t used, room; };

struct judged {
	struct context *context;
	struct list fails, others;
	size_t left_out, certificates;
	bool no_memory;
	char *sentence;
};

static void drop(struct list *list)
{
	for (size_t i = 0; i < list->used; i++) {
		free(list->of[i].machine);
		free(list->of[i].event);
		free(list->of[i].scope);
		free(list->of[i].class_);
		free(list->of[i].text);
	}
	free(list->of);
}

/* "What it counts. Next: ..." */
static char *with_next(const struct assay_row *row)
{
	const char *text = row_text(row, "text"), *next = row_text(row, "next");
	char *out = malloc(strlen(text) + strlen(next) + 8);

	if (out)
		sprintf(out, *next ? "%s Next: %s" : "%s%s", text, next);
	return out;
}

static bool keep(struct list *list, const struct assay_row *row)
{
	struct kept *k;

	if (list->used == list->room) {
		const size_t room = list->room ? 2 * list->room : 32;
		void *grown = realloc(list->of, room * sizeof(*list->of));

		if (!grown)
			return false;
		list->of = grown;
		list->room = room;
	}
	k = &list->of[list->used++];
	*k = (struct kept){
		strdup(row_text(row, "machine")),
		strdup(row_text(row, "event")),
		strdup(row_text(row, "scope")),
		strdup(row_text(row, "class")), with_next(row),
	};
	return k->machine && k->event && k->scope && k->class_ && k->text;
}

static void take_verdict(struct judged *j, const struct assay_row *row)
{
	const int class_ = assay_class_find(row_text(row, "class"));
	struct list *list = class_ >= 0 &&
		!assay_class_trust((enum assay_class)class_) ? &j->fails :
							       &j->others;
	const bool verbose = j->context->settings.verbose;

	if (!verbose && strcmp(row_text(row, "scope"), "all"))
		return;
	if (!verbose && list->used >= SCREEN)
		j->left_out++;
	else if (!keep(list, row))
		j->no_memory = true;
}

static int take(void *ctx, const struct assay_row *row)
{
	struct judged *j = ctx;
	const bool verdict = !strcmp(row->type, "judged");

	if (!report_has(j->context->report, REPORT_PROSE))
		return verdict || report_has(j->context->report,
					     REPORT_RECORDS) ?
		       report_row(j->context->report, row) : 0;
	if (verdict)
		take_verdict(j, row);
	if (!strcmp(row->type, "summary"))
		j->sentence = strdup(row_text(row, "text"));
	if (!strcmp(row->type, "certificate"))
		j->certificates++;
	return j->no_memory;
}

/* "instructions:u on fam10h is biased: ..." */
static void show_list(struct judged *j, const struct list *list, size_t most)
{
	const bool verbose = j->context->settings.verbose;

	for (size_t i = 0; i < list->used; i++) {
		const struct kept *k = &list->of[i];

		if (!verbose && i >= most) {
			j->left_out++;
			continue;
		}
		report_note(j->context->report, "- %s%s%s%s%s, %s: %s",
			    k->event, *k->machine ? " on " : "", k->machine,
			    verbose ? ", " : "", verbose ? k->scope : "",
			    k->class_, k->text);
	}
}

static void show(struct judged *j)
{
	struct report *report = j->context->report;

	report_note(report, "%s", j->sentence ? j->sentence : "");
	show_list(j, &j->fails, SCREEN);
	show_list(j, &j->others, j->fails.used < SCREEN ?
		  SCREEN - j->fails.used : 0);
	report_flush(report);
	if (j->left_out)
		report_note(report, "%zu more: -v shows all, -x , writes them "
			    "with their scopes", j->left_out);
	if (j->certificates)
		report_note(report, "certificates written: %zu",
			    j->certificates);
}

/* "n=4096,stride=64": splits the text in place. */
static size_t take_sets(char *text, struct assay_setting *set)
{
	size_t n = 0;

	while (text && n < SETS) {
		char *item = strsep(&text, ",");
		char *equal = strchr(item, '=');

		if (equal)
			*equal = '\0';
		set[n++] = (struct assay_setting){
			item, equal ? equal + 1 : "",
		};
	}
	return n;
}

static int wrong_use(const struct settings *s)
{
	if (!s->args)
		return complain_text("verify", EXIT_USAGE, "--table: which "
				     "table? Try: assay verify --table "
				     "FILE.csv");
	if (s->on || s->faults || s->slope || s->quick ||
	    s->thorough)
		return complain_text("verify", EXIT_USAGE, "--table judges "
				     "what was counted: nothing is run, and "
				     "--on, --fault, --slope, --quick and "
				     "--thorough are for runs");
	return EXIT_OK;
}

int tables_show(struct context *context)
{
	struct settings *s = &context->settings;
	struct judged j = { .context = context };
	struct assay_setting set[SETS];
	const struct assay_tables ask = {
		.path = s->arg, .paths = s->args, .map = s->map,
		.experiment = s->experiment, .set = set,
		.sets = take_sets(s->sets, set),
		.save = s->save, .events = s->events,
		.evidence = report_has(context->report, REPORT_RECORDS),
	};
	struct assay_error err = { 0 };
	unsigned disagreements = 0;
	int rc = wrong_use(s);

	if (rc)
		return rc;
	rc = assay_verify_tables(context->assay, &ask, take, &j,
				 &disagreements, &err);
	if (!rc && report_has(context->report, REPORT_PROSE))
		show(&j);
	drop(&j.fails);
	drop(&j.others);
	free(j.sentence);
	if (rc)
		return complain(context, &err);
	return disagreements ? EXIT_CHECK : EXIT_OK;
}
