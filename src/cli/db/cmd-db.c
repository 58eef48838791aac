/* SPDX-License-Identifier: MIT */
/* assay db: the database of runs. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "base/utf8.h"
#include "cli/db/db.h"
#include "cli/progress.h"
#include "cli/rows.h"

typedef int verb_fn(struct context *context, struct database *db,
		    struct assay_error *err);

/* ---- runs that the arguments name ---------------------------------------- */

struct numbers { int64_t *run; size_t runs; };

static int keep_number(void *ctx, const struct database_row *row)
{
	struct numbers *n = ctx;
	int64_t *grown = reallocarray(n->run, n->runs + 1, sizeof(*grown));

	if (!grown)
		return -ASSAY_ENOMEM;
	n->run = grown;
	grown[n->runs++] = database_int(row, 0);
	return 0;
}

/* The runs that there are of "12" or "12..17". */
static int numbers_of(struct numbers *out, struct database *db,
		      const char *word, struct assay_error *err)
{
	const size_t old = out->runs;
	struct database_range range;
	int rc;

	if (!database_range(&range, word))
		return error_set(err, -ASSAY_EINVAL, "'%.60s' is no run: 12 or "
				 "12..17\ntry: assay db ls", word);
	rc = database_each(db, "SELECT id FROM run WHERE id BETWEEN ?1 AND ?2 "
			   "ORDER BY id", (const int64_t[]){ range.first,
			   range.last }, 2, keep_number, out, err);
	if (rc == -ASSAY_ENOMEM)
		return error_memory(err);
	if (!rc && out->runs == old)
		rc = error_set(err, -ASSAY_ENOENT, "'%.600s' has no run %.60s\n"
			       "try: assay db ls", database_name(db), word);
	return rc;
}

/* Calls fn for each of the *runs that the arguments name, once all were
 * found. */
static int each_number(struct context *context, struct database *db,
		       int (*fn)(struct context *context, struct database *db,
				 int64_t run, struct assay_error *err),
		       size_t *runs, struct assay_error *err)
{
	const struct settings *s = &context->settings;
	struct numbers n = { .runs = 0 };
	int rc = s->args > 1 ? 0 : error_set(err, -ASSAY_EINVAL,
					     "which run?\ntry: assay db ls");

	for (size_t i = 1; i < s->args && !rc; i++)
		rc = numbers_of(&n, db, s->arg[i], err);
	for (size_t i = 0; i < n.runs && !rc; i++)
		rc = fn(context, db, n.run[i], err);
	*runs = n.runs;
	free(n.run);
	return rc;
}

/* ---- the verbs ----------------------------------------------------------- */

static int show(struct context *context, struct database *db,
		struct assay_error *err)
{
	size_t runs;

	return each_number(context, db, db_show, &runs, err);
}

/* As it was stored; in a stranger's file, what a terminal would act on is
 * escaped. */
static int put_line(void *ctx, const struct database_row *row)
{
	const unsigned char *p = (const unsigned char *)database_text(row, 0);
	FILE *out = ctx;

	while (*p) {
		const unsigned plain = utf8_plain(p);
		const unsigned n = plain ? plain : utf8_bytes(p);
		const unsigned acts = plain || *p == '\t' ? 0 :
				      utf8_acts(p, n);

		if (!n || acts)
			fprintf(out, "\\u%04x", n ? acts : 0xfffd);
		else
			fwrite(p, 1, n, out);
		p += n ? n : 1;
	}
	return putc('\n', out) == EOF;
}

static int export_run(struct context *context, struct database *db,
		      int64_t run, struct assay_error *err)
{
	return database_each(db, "SELECT text FROM line WHERE run = ?1 "
			     "ORDER BY number", &run, 1, put_line,
			     report_file(context->report), err);
}

static int export(struct context *context, struct database *db,
		  struct assay_error *err)
{
	size_t runs;

	if (!report_has(context->report, REPORT_RECORDS) &&
	    !report_has(context->report, REPORT_FILES))
		return error_set(err, -ASSAY_EINVAL, "a run is exported as "
				 "JSON Lines\ntry: -o FILE.jsonl");
	return each_number(context, db, export_run, &runs, err);
}

static int query(struct context *context, struct database *db,
		 struct assay_error *err)
{
	if (context->settings.args != 2)
		return error_set(err, -ASSAY_EINVAL, "one statement is wanted"
				 "\ntry: assay db query 'SELECT * FROM run'");
	interrupt_catch();
	return database_query(db, context->settings.arg[1], report_row,
			      context->report, interrupt_stops, err);
}

static int import(struct context *context, struct database *db,
		  struct assay_error *err)
{
	const struct settings *s = &context->settings;
	int rc = s->args > 1 ? 0 : error_set(err, -ASSAY_EINVAL,
					     "import which file?");

	for (size_t i = 1; i < s->args && !rc; i++)
		rc = db_import(context, db, s->arg[i], err);
	return rc;
}

static int remove_run(struct context *context, struct database *db,
		      int64_t run, struct assay_error *err)
{
	const struct assay_field field = {
		.name = "run", .kind = ASSAY_FIELD_COUNT,
		.count = (uint64_t)run, .flags = ASSAY_FIELD_PLAIN,
	};
	const int rc = database_remove(db, run, err);

	return rc ? rc : report_row(context->report,
				    &(struct assay_row){ "deleted", &field, 1 });
}

static int rm(struct context *context, struct database *db,
	      struct assay_error *err)
{
	size_t runs;
	int rc;

	report_hold(context->report);
	rc = each_number(context, db, remove_run, &runs, err);
	if (!rc)
		report_answer(context->report, "%zu run%s deleted.", runs,
			      runs == 1 ? "" : "s");
	return rc;
}

/* With what waits in the WAL. */
static off_t size_of(const char *path)
{
	char wal[DATABASE_PATH + 8];
	struct stat st;
	const off_t size = stat(path, &st) ? 0 : st.st_size;

	snprintf(wal, sizeof(wal), "%s-wal", path);
	return size + (stat(wal, &st) ? 0 : st.st_size);
}

/* Runs that were killed before their first result, then unused names. */
static int gc(struct context *context, struct database *db,
	      struct assay_error *err)
{
	const off_t before = size_of(database_name(db));
	struct numbers n = { .runs = 0 };
	char old[40], now[40];
	int rc = database_each(db, "SELECT id FROM run WHERE ended IS NULL AND "
			       "points = 0 AND id NOT IN (SELECT run FROM "
			       "line)", NULL, 0, keep_number, &n, err);
	size_t deleted = 0;

	report_hold(context->report);
	for (size_t i = 0; i < n.runs && !rc; i++)
		if (!database_runs(db, n.run[i])) {
			rc = remove_run(context, db, n.run[i], err);
			deleted++;
		}
	free(n.run);
	rc = rc ? rc : database_compact(db, err);
	text_about_bytes(old, sizeof(old), (double)before);
	text_about_bytes(now, sizeof(now),
			 (double)size_of(database_name(db)));
	if (!rc)
		report_answer(context->report, "%zu run%s without a result "
			    "deleted; the file had %s, and has %s.", deleted,
			    deleted == 1 ? "" : "s", old, now);
	return rc;
}

/* ---- the command --------------------------------------------------------- */

/* READS; CHANGES what is there; MAKES the file, too. */
enum effect { READS, CHANGES, MAKES };

static const struct { const char *name; verb_fn *fn; enum effect effect; }
verbs[] = {
	{ "ls", db_list, READS },
	{ "show", show, READS },
	{ "query", query, READS },
	{ "export", export, READS },
	{ "import", import, MAKES },
	{ "rm", rm, CHANGES },
	{ "gc", gc, CHANGES },
};
enum { VERBS = sizeof(verbs) / sizeof(*verbs) };

static int show_path(struct context *context)
{
	char path[DATABASE_PATH];
	struct assay_error err;

	if (database_path(path, sizeof(path), &err))
		return complain(context, &err);
	if (report_has(context->report, REPORT_PROSE))
		fprintf(report_file(context->report), "%s\n", path);
	else
		report_row(context->report, &(struct assay_row){
			   "path", &(struct assay_field){
			   .name = "path", .text = path }, 1 });
	return EXIT_OK;
}

static int run_verb(struct context *context, int verb)
{
	struct assay_error err = { 0 };
	const enum effect effect = verbs[verb].effect;
	struct database *db = NULL;
	int rc = effect == MAKES ? 0 : database_read(&db, NULL, &err);

	if (!rc && effect != READS) {
		database_close(db);
		db = NULL;
		rc = database_write(&db, NULL, &err);
	}
	rc = rc ? rc : verbs[verb].fn(context, db, &err);
	database_close(db);
	if (rc == -ASSAY_ESTOP && interrupt_seen())
		return EXIT_INTERRUPTED;
	return rc < 0 ? complain(context, &err) : rc ? EXIT_FAILED : EXIT_OK;
}

static int run(struct context *context)
{
	const struct settings *s = &context->settings;
	const char *names[VERBS + 2] = { "path" };
	struct assay_error err;

	for (int i = 0; i < VERBS; i++) {
		if (s->args && !strcmp(s->arg[0], verbs[i].name))
			return run_verb(context, i);
		names[1 + i] = verbs[i].name;
	}
	if (s->args && !strcmp(s->arg[0], "path"))
		return show_path(context);
	error_set(&err, -ASSAY_EINVAL, s->args ? "'%.60s' is nothing to do "
		  "with a database" : "do what with the database?%s",
		  s->args ? s->arg[0] : "");
	error_meant(&err, s->args ? s->arg[0] : "", names);
	error_add(&err, "try: assay db ls, assay help db");
	return complain(context, &err);
}

static const struct option own[] = {
	TEXT(0, "from", "FORMAT", from,
	  "import: the format of the files (assay help import)"),
	TEXT(0, "cpu", "NAME", cpu_name,
	  "import: who counted, where the file does not say that"),
	TEXT(0, "map", "'FIELD=EXPRESSION;...'", map,
	  "import: where the fields of a table are"),
	{ 0 }
};

static const struct option *const options[] = {
	own, output_options, common_options, NULL
};

static const struct example examples[] = {
	{ "assay db ls", "the last runs" },
	{ "assay db show 12", "what was measured, where, and the verdicts" },
	{ "assay compare 12 13", "a run's number stands for its records" },
	{ "assay db export 12 -o run.jsonl",
	  "the lines that -j prints, to the byte" },
	{ "assay db query \"SELECT shape->>'elements', avg(value) FROM reading "
	  "WHERE run = 12 AND name = 'wall_ns' GROUP BY 1\"",
	  "any question in SQL" },
	{ "assay db import node-*.jsonl --db fleet.db",
	  "files of many nodes in one database" },
	{ 0 }
};

static const struct variable subcommands[] = {
	{ "ls", "the runs, the last one first" },
	{ "show RUN...", "one run: its machine, points and verdicts" },
	{ "query SQL", "the rows of a statement that only reads" },
	{ "import FILE...", "store files that 'assay import' reads, a run for "
	  "each" },
	{ "export RUN...", "the lines of a run, as -j prints them" },
	{ "rm RUN...", "delete runs: 12, or 12..17" },
	{ "gc", "delete what was killed before its first result, and give free "
	  "room back to the disk" },
	{ "path", "the database's file" },
	{ 0 }
};

const struct command db_command = {
	.name = "db",
	.group = "keep",
	.summary = "stored runs: list, show, query, export, import, delete",
	.arguments = "ls|show|query|import|export|rm|gc|path [RUN|SQL|FILE]...",
	.args = SETTINGS_ARGS,
	.options = options,
	.text =
		"Every run of run, sweep, stat, sim, verify, judge, recipe, "
		"derive and ci is stored: its command line, machine and "
		"microcode, every repetition of every event, and all "
		"verdicts. The environment is not. A run has a number, which "
		"is taken wherever a file of records is. A run that was killed "
		"is listed as interrupted, with all its complete points.\n\n"
		"The database is one SQLite file, assay.db in assay of "
		"XDG_DATA_HOME or of ~/.local/share; --db and ASSAY_DB name "
		"another one. An empty ASSAY_DB, or --no-store, stores "
		"nothing. Within a cluster's job and on a network's file "
		"system nothing is stored unless --db names the file. "
		"docs/database.md has the tables.\n\n"
		"A query reads: it can change nothing, and open no other "
		"file. A database that a stranger gave is safe to read.",
	.verb = subcommands,
	.example = examples,
	.run = run,
};
