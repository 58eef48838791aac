/* SPDX-License-Identifier: MIT */
/* assay judge: competing formulas and hypotheses on the same records. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/context.h"
#include "cli/progress.h"
#include "cli/answers/answers.h"
#include "cli/rows.h"
#include "cli/stored.h"
#include "cli/tables.h"
#include "report/remarks.h"

#define COLUMNS 12

struct judging {
	struct context *context;
	char on[160];		/* the place of the current tables */
	char type[16];		/* type of their rows */
	struct remarks remarks;	/* wait until their table is complete */
	struct judge_answer answer;
	char name[300];		/* name of the current claim */
};

/* The columns of each type of row, for people, in this order; "" ends. */
static const struct {
	const char *type, *title;
	const char *column[COLUMNS];
} tables[] = {
	{ "rank", "", { "about", "rank", "claim", "verdict", "shapes",
			"mean error", "worst", "" } },
	{ "said", "", { "about", "claim", "verdict", "said", "" } },
	{ "absent", "", { "about", "claim", "verdict", "" } },
	{ "level", "where they fail", { "claim", "level", "fails", "where",
					"said", "true", "by", "error",
					"" } },
	{ "difference", "how they differ", { "claim", "than", "more by",
					     "because of", "" } },
	{ "identity", "laws between the events", { "identity", "verdict",
						   "left", "right", "law",
						   "" } },
	{ "summary", "on all of them", { "claim", "holds on",
					 "least wrong on", "false zero on",
					 "" } },
	{ "size", "", { "claim", "shape", "level", "said", "true", "by",
			"error", "verdict", "" } },
};
#define TABLES (sizeof(tables) / sizeof(*tables))

static void keep_remark(struct judging *j, const char *claim,
			const char *level, const char *why)
{
	char who[160];

	snprintf(who, sizeof(who), "%s%s%s", claim, *level ? " " : "", level);
	if (*why)
		remarks_add(&j->remarks, who, "", why);
}

/* Without -v: each claim's reason at its largest error on this place. */
static void keep_reasons(struct judging *j)
{
	const struct judge_answer *answer = &j->answer;

	for (size_t i = 0; i < answer->claims; i++)
		if (!strcmp(answer->claim[i].on, j->on))
			keep_remark(j, answer->claim[i].name,
				    answer->claim[i].level,
				    answer->claim[i].because);
}

static void show_remarks(struct judging *j)
{
	report_flush(j->context->report);
	if (!j->context->settings.verbose && !strcmp(j->type, "rank"))
		keep_reasons(j);
	for (size_t i = 0; i < j->remarks.count; i++)
		report_note(j->context->report, "%s: %s",
			    j->remarks.remark[i].columns,
			    j->remarks.remark[i].why);
	remarks_fini(&j->remarks);
}

/* Begins another table, or the tables of another place. */
static void head(struct judging *j, const struct assay_row *row,
		 const char *title)
{
	const char *on = row_text(row, "on");
	bool moved = *on && strcmp(j->on, on);

	if (!moved && !strcmp(j->type, row->type))
		return;
	show_remarks(j);
	if (moved) {
		snprintf(j->on, sizeof(j->on), "%s", on);
		report_title(j->context->report, on);
	}
	if (*title)
		report_title(j->context->report, title);
	snprintf(j->type, sizeof(j->type), "%s", row->type);
}

/* "h4 refills are misses": adds the title to a hypothesis's name. */
static const char *claim_name(struct judging *j, const struct assay_row *row)
{
	const char *name = row_text(row, "claim");
	const char *title = "";

	for (size_t i = 0; i < j->answer.claims; i++)
		if (!strcmp(j->answer.claim[i].name, name) &&
		    !strcmp(j->answer.claim[i].about, "pie"))
			title = j->answer.claim[i].title;
	snprintf(j->name, sizeof(j->name), "%s%s%s", name, *title ? " " : "",
		 title);
	return j->name;
}

/* The witness that gives the truth. */
static const char *witness_name(const char *letter)
{
	return *letter == 'F' ? "closed form" : *letter == 'S' ? "simulation" :
	       *letter == 'T' ? "time" : *letter == 'E' ? "table" : "";
}

static struct assay_field cell(struct judging *j, const struct assay_row *row,
			       const char *column)
{
	const struct assay_field *f = row_find(row, column);

	if (!strcmp(column, "claim"))
		return field_text(column, claim_name(j, row));
	if (!strcmp(column, "by"))
		return field_text("true by",
				  witness_name(row_text(row, column)));
	if (!strcmp(column, "shapes"))
		return field_text("right in", row_text(row, column));
	return f ? *f : field_text(column, "");
}

static int show(struct judging *j, const struct assay_row *row, size_t table)
{
	const bool pie = !strcmp(row_text(row, "about"), "pie");
	struct assay_field field[COLUMNS];
	size_t n = 0;

	head(j, row, tables[table].title);
	for (size_t i = 0; *tables[table].column[i]; i++)
		if (!pie || strcmp(tables[table].column[i], "about"))
			field[n++] = cell(j, row, tables[table].column[i]);
	keep_remark(j, row_text(row, "claim"), row_text(row, "level"),
		    row_text(row, strcmp(row->type, "rank") ? "because" :
			     "note"));
	return report_row(j->context->report,
			  &(struct assay_row){ row->type, field, n });
}

/*
 * Claims without a truth are listed with their values, in a table "said"; those
 * that lack an event stand in a table "absent".
 */
static const char *table_of(const struct assay_row *row)
{
	const struct assay_field *rank = row_find(row, "rank");
	const char *verdict = row_text(row, "verdict");

	if (strcmp(row->type, "rank") || !rank ||
	    rank->kind != ASSAY_FIELD_ABSENT)
		return row->type;
	return strcmp(verdict, "absent") && strcmp(verdict, "false zero") ?
	       "said" : "absent";
}

static int on_row(void *ctx, const struct assay_row *row)
{
	struct judging *j = ctx;
	struct context *context = j->context;
	const bool law = !strcmp(row->type, "identity");
	const bool detail = !strcmp(row->type, "size") ||
			    !strcmp(row->type, "level") ||
			    (law && !strcmp(row_text(row, "verdict"), "holds"));

	if (interrupt_seen())
		return 1;
	stored_row(context, row);
	judge_answer_add(&j->answer, row);
	if (!report_has(context->report, REPORT_PROSE))
		return report_row(context->report, row);
	if (detail && !context->settings.verbose)
		return 0;
	for (size_t i = 0; i < TABLES; i++)
		if (!strcmp(tables[i].type, table_of(row)))
			return show(j, row, i);
	return 0;
}

/* What the arguments name. */
struct named {
	char files[2048], on[1024];
	const char *table[SETTINGS_ARGS];
	size_t tables;
};

/* Splits the arguments into formula files and a file of records, or tables. */
static int split(const struct settings *s, struct named *out,
		 struct assay_error *err)
{
	const size_t room = sizeof(out->files);
	char *const files = out->files, *const on = out->on;
	size_t used = 0;

	for (size_t i = 0; i < s->args; i++) {
		if (s->table && tables_is_file(s->arg[i])) {
			out->table[out->tables++] = s->arg[i];
			continue;
		}
		if (!context_is_records(s->arg[i])) {
			used += (size_t)snprintf(files + used, room - used,
						 "%s%s", used ? "," : "",
						 s->arg[i]);
			if (used >= room)
				break;
			continue;
		}
		if (s->on || *on)
			return error_set(err, -ASSAY_EINVAL, "--on and a file "
					 "of records ask for two places at "
					 "once");
		snprintf(on, sizeof(out->on), "replay:%s", s->arg[i]);
	}
	if (*files && used < room)
		return 0;
	return error_set(err, -ASSAY_EINVAL, used ? "the names are too long" :
			 "which formula file?\ntry: assay list formulas");
}

static void note_false_zeros(const struct judging *j)
{
	for (size_t i = 0; i < j->answer.claims; i++)
		if (!strcmp(j->answer.claim[i].verdict, "false zero")) {
			report_note(j->context->report, "\nfalse zero: a "
				    "program that reads the missing event as 0 "
				    "reports 0 where there is something");
			return;
		}
}

/* Explains why verify and judge may differ on the same event. */
static void note_events(const struct judging *j)
{
	for (size_t i = 0; i < j->answer.claims; i++)
		if (strstr(j->answer.claim[i].because, " counts ")) {
			report_note(j->context->report, "\n'assay verify' may "
				    "call the same event exact: the event "
				    "counts what its definition says, and the "
				    "formula takes it for something else");
			return;
		}
}

/* The answer, printed above its tables. */
static void answer(struct judging *j)
{
	struct phrase phrase = { .used = 0 };

	judge_answer_sentence(&j->answer, interrupt_seen(), &phrase);
	if (!phrase.used) {
		report_release(j->context->report);
		return;
	}
	phrase_add(&phrase, ".");
	if (j->context->settings.verbose)
		judge_answer_titles(&j->answer, &phrase);
	report_answer(j->context->report, "%s", phrase_text(&phrase));
	if (!report_has(j->context->report, REPORT_PROSE))
		return;		/* programs read rows */
	note_false_zeros(j);
	note_events(j);
	if (j->answer.claims && !j->context->settings.verbose)
		report_note(j->context->report, "\n-v: every level and run, "
			    "with what each claim says and what is true there");
}

static int run(struct context *context)
{
	struct settings *s = &context->settings;
	struct named named = { .tables = 0 };
	struct assay_setting set[TABLE_SETS];
	struct assay_tables tables = tables_asked(s, set);
	struct judging *j = calloc(1, sizeof(*j));
	struct assay_judging judging = {
		.files = named.files, .page_map = s->page_map,
		.claims = s->claims,
		.row = on_row, .ctx = j, .stopped = interrupt_stops,
	};
	struct assay_error err = { .code = -ASSAY_ENOMEM };
	int rc, exit_code;

	if (!j)
		return complain(context, &err);
	j->context = context;
	rc = split(s, &named, &err);
	tables.path = named.table;
	tables.paths = named.tables;
	judging.on = *named.on ? named.on : s->on;
	judging.tables = s->table ? &tables : NULL;
	exit_code = rc ? EXIT_OK : tables_wrong_use("judge", s, named.tables);
	if (exit_code) {
		free(j);
		return exit_code;
	}
	interrupt_catch();
	report_hold(context->report);
	if (!rc)
		rc = assay_judge(context->assay, &judging, &err);
	show_remarks(j);
	answer(j);
	exit_code = interrupt_seen() ? EXIT_INTERRUPTED :
		    rc ? complain(context, &err) :
		    j->answer.violated ? EXIT_CHECK : EXIT_OK;
	judge_answer_fini(&j->answer);
	free(j);
	return exit_code;
}

static const struct option own[] = {
	LIST(0, "claims", "METRIC=QUANTITY", claims,
	  "judge this metric as an answer to that quantity"),
	{ 0 }
};

static const struct option *const options[] = {
	own, on_option, table_options, page_map_option, store_options,
	output_options, common_options, NULL
};

static const struct example examples[] = {
	{ "assay judge arm-pies --on sim:cortex-a76",
	  "hypotheses about who served the accesses, ranked" },
	{ "assay judge arm-pies arm-pies:reads --on 'sim:cortex-*'",
	  "and on which CPU they hold" },
	{ "assay judge k10-l2 --on replay:k10-sample",
	  "three published formulas on published counts" },
	{ "assay judge ./likwid.yaml k10-l2 --claims "
	  "l2_misses=l2_read_misses --on sim:k10",
	  "an imported metric of another tool against the published ones" },
	{ "assay judge ./mine.yaml runs.jsonl -x ,",
	  "your formulas on your records, every comparison" },
	{ "assay judge ./mine.yaml --table counts.csv",
	  "your formulas on a published table" },
	{ 0 }
};

const struct command judge_command = {
	.name = "judge",
	.group = "check",
	.summary = "competing formulas: which is right, on which CPU, and why "
		   "the others are not",
	.arguments = "FORMULA-FILE... [RECORDS.jsonl | TABLE.csv...]",
	.args = SETTINGS_ARGS,
	.options = options,
	.text = "The claims are the hypotheses of formula files, and their "
		"formulas of one quantity. All of them are computed on the "
		"same records and compared with what is true, level by level "
		"and size by size. The first line is the answer; -v shows "
		"every comparison. The records are those of kernels that are "
		"run on --on, or saved ones. --on 'sim:NAME*' judges on every "
		"CPU file that fits.\n\n"
		"What is true is known from the closed form (F in the field "
		"'by' of -j) or the simulation (S). For a chain of loads that "
		"this machine just ran, the times of the loads say who served "
		"them (T), within error bars; this takes half a second for "
		"each shape. A formula that fails on --on sim:CPU fails "
		"by its arithmetic, or by what its events are said to count, "
		"not by silicon.\n\n"
		"Errors are shares of all accesses. Equal errors are a tie. A "
		"claim that needs an event that the CPU does not have is not "
		"computed and has no rank. It is called a false zero if a "
		"program that reads the missing event as 0 reports 0 where "
		"there is something. Laws between events are checked on saved "
		"records; the exit status is 3 if one is violated.\n\n"
		"With --table the arguments that end in .csv, .tsv or .txt are "
		"tables of counts that somebody published, and what they "
		"state of a quantity is true (E in the field 'by'). Each "
		"machine is a place of its own. A formula holds within 1 % of "
		"the number that was stated, and fails if it is off by 1 % "
		"more than what is known of that number; in between it is not "
		"judged, nor are bounds that a formula keeps to, nor places "
		"that lack one of its events.",
	.example = examples,
	.run = run,
};
