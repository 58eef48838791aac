/* SPDX-License-Identifier: MIT */
/* The run of a command in the database. See stored.h. */
#define _GNU_SOURCE	/* open_memstream */
#include "cli/stored.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"
#include "database/database.h"
#include "env/launcher.h"

struct stored {
	struct database *db;
	struct report *report;	/* JSON Lines into `file` */
	FILE *file;		/* of the lines that wait for the database */
	char *text;
	size_t bytes;
	int64_t passed;		/* ms: when lines were last stored */
};

enum { PATIENCE_MS = 50 };	/* rows wait that long */

const struct option store_options[] = {
	FLAG(0, "no-store", no_store, "do not store this run in the database"),
	{ 0 }
};

/* ---- beginning ----------------------------------------------------------- */

static bool stores(const struct command *command)
{
	const struct option *const *table = command->options;

	while (*table && *table != store_options)
		table++;
	return *table;
}

static void say(const struct context *context, const char *what,
		const char *why)
{
	report_say(stderr, "assay %s: %s: %s\n", context->command->name, what,
		   why);
}

/* Why a run is stored only in a database that the user names; or NULL. */
static const char *declined(const struct launcher *job, const char *path)
{
	if (job->kind || *job->job)
		return "this is a job of a cluster";
	return database_is_remote(path) ? "the data folder is on a network" :
					  NULL;
}

/* May the run be stored? If not, the first rank of a job says the reason. */
static bool wanted(const struct context *context, const struct launcher *job,
		   char *path, size_t room)
{
	const struct settings *s = &context->settings;
	const char *named = getenv("ASSAY_DB"), *why;
	struct assay_error err;

	if (s->no_store || (named && !*named))
		return false;
	if (database_path(path, room, &err)) {
		err.text[strcspn(err.text, "\n")] = '\0';
		why = err.text;
	} else {
		why = s->db ? NULL : declined(job, path);
	}
	if (why && job->rank <= 0 && !s->quiet)
		say(context, "nothing is stored without --db FILE", why);
	return !why;
}

/* "assay sweep chase --elements 32..65536": as a shell takes it. */
static char *command_line(const struct context *context)
{
	char *line = NULL, word[4096];
	size_t bytes;
	FILE *out = open_memstream(&line, &bytes);

	if (!out)
		return NULL;
	fprintf(out, "assay %s", context->command->name);
	for (int i = 0; i < context->words; i++) {
		text_shell(word, sizeof(word), context->word[i]);
		fprintf(out, " %s", *word ? word : "...");
	}
	return fclose(out) ? NULL : line;
}

static int begin(struct stored *stored, const struct context *context,
		 const struct launcher *job, const char *path,
		 struct assay_error *err)
{
	const bool in_job = job->kind || *job->job;
	char host[256] = "", *line = command_line(context);
	const struct database_run run = {
		.command = context->command->name, .line = line ? line : "",
		.host = host, .node = in_job ? job->node : NULL,
		.job = in_job ? job->job : NULL, .rank = job->rank,
	};
	int rc;

	gethostname(host, sizeof(host) - 1);
	rc = database_write(&stored->db, path, err);
	rc = rc ? rc : database_begin(stored->db, &run, err);
	free(line);
	return rc;
}

static void drop(struct context *context)
{
	struct stored *stored = context->stored;

	report_close(stored->report);
	if (stored->file)
		fclose(stored->file);
	database_close(stored->db);
	free(stored->text);
	free(stored);
	context->stored = NULL;
}

/* The measurement goes on. */
static void give_up(struct context *context, const struct assay_error *err)
{
	say(context, "from here on nothing is stored", err->text);
	drop(context);
}

void stored_begin(struct context *context)
{
	const struct report_style style = { .verbose = true };
	char path[DATABASE_PATH];
	struct assay_error err = { .text = "out of memory" };
	struct launcher job;
	struct stored *stored;

	launcher_read(&job);
	if (!stores(context->command) ||
	    !wanted(context, &job, path, sizeof(path)))
		return;
	stored = context->stored = calloc(1, sizeof(*stored));
	if (!stored)
		return;
	stored->file = open_memstream(&stored->text, &stored->bytes);
	if (stored->file)
		stored->report = report_open(stored->file, REPORT_JSON, &style);
	if (stored->report && !begin(stored, context, &job, path, &err))
		return;
	if (!context->settings.quiet || context->settings.db)
		say(context, "nothing is stored", err.text);
	drop(context);
}

/* ---- the lines ----------------------------------------------------------- */

struct report *stored_report(const struct context *context)
{
	return context->stored ? context->stored->report : NULL;
}

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * INT64_C(1000) + now.tv_nsec / 1000000;
}

void stored_row(struct context *context, const struct assay_row *row)
{
	if (!context->stored)
		return;
	report_row(context->stored->report, row);
	if (now_ms() - context->stored->passed >= PATIENCE_MS)
		stored_point(context);
}

/* Hands the waiting lines to the database. */
static int pass_lines(struct stored *stored, const struct assay_record *record,
		      struct assay_error *err)
{
	if (fflush(stored->file))
		return error_memory(err);
	rewind(stored->file);
	return record ? database_add_record(stored->db, record, stored->text,
					    stored->bytes, err) :
			database_add(stored->db, stored->text, stored->bytes,
				     err);
}

void stored_record(struct context *context, const struct assay_record *record)
{
	struct stored *stored = context->stored;
	struct assay_error err;
	int rc;

	if (!stored)
		return;
	rc = pass_lines(stored, NULL, &err);
	rc = rc ? rc : assay_record_write(stored->file, record, &err);
	rc = rc ? rc : pass_lines(stored, record, &err);
	if (rc)
		give_up(context, &err);
}

void stored_point(struct context *context)
{
	struct stored *stored = context->stored;
	struct assay_error err;

	if (!stored)
		return;
	stored->passed = now_ms();
	if (pass_lines(stored, NULL, &err) ||
	    database_commit(stored->db, &err))
		give_up(context, &err);
}

void stored_certificate(struct context *context, const char *path)
{
	struct assay_error err;

	stored_point(context);
	if (context->stored &&
	    database_certificate(context->stored->db, path, &err))
		give_up(context, &err);
}

void stored_end(struct context *context, int exit_code)
{
	struct assay_error err;

	stored_point(context);
	if (!context->stored)
		return;
	if (database_end(context->stored->db, exit_code, &err))
		give_up(context, &err);
	else
		drop(context);
}
