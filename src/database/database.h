/* SPDX-License-Identifier: MIT */
/*
 * The database of runs: one SQLite file in WAL mode (docs/database.md has its
 * tables). Several processes may read and write the file at once. A file may
 * come from a stranger: its tables are checked, triggers and views of its own
 * are never run, and queries of users can only read.
 *
 * Functions return 0 or a negative code: -ASSAY_ENOENT without a file or a run,
 * -ASSAY_EINVAL if the file is no database of assay, -ASSAY_EUNAVAIL without
 * libsqlite3, -ASSAY_EIO for what SQLite or the disk refuses, -ASSAY_ENOMEM.
 */
#ifndef DATABASE_DATABASE_H
#define DATABASE_DATABASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "assay/error.h"
#include "assay/record.h"
#include "assay/row.h"

struct database;

/* ---- the file ------------------------------------------------------------ */

enum { DATABASE_PATH = 4096 };

/*
 * ASSAY_DB; else assay/assay.db in XDG_DATA_HOME, or in ~/.local/share.
 * -ASSAY_ENOENT if ASSAY_DB is empty, or none of the three is set.
 */
int database_path(char *out, size_t room, struct assay_error *err);

/* Is the file, or the folder that it is to be made in, on a network? */
bool database_is_remote(const char *path);
/* Is a file system of this statfs() type on a network? */
bool database_on_network(unsigned long type);

/* path NULL: database_path(). Nothing is made or changed; a file of an older
 * schema must be opened by database_write() first. */
int database_read(struct database **out, const char *path,
		  struct assay_error *err);
/* As database_read, but neither waits for others nor writes the files of SQLite
 * beside the database; -ASSAY_EUNAVAIL where reading would. */
int database_peek(struct database **out, const char *path,
		  struct assay_error *err);
/* Makes the file and its folders, and brings an older schema up to date. */
int database_write(struct database **out, const char *path,
		   struct assay_error *err);
void database_close(struct database *db);
const char *database_name(const struct database *db);

/* ---- storing a run ------------------------------------------------------- */

struct database_run {
	const char *command;	/* "sweep" */
	const char *line;	/* the command line, quoted for a shell */
	const char *host;
	const char *node, *job;	/* of a cluster; NULL: none */
	int rank;		/* of a cluster; -1: none */
};
/* The run is listed as running until database_end() or the end of this
 * process. One run at a time. */
int database_begin(struct database *db, const struct database_run *run,
		   struct assay_error *err);
int64_t database_number(const struct database *db);	/* of the run */
/* Lines of JSON as they are printed, each with its newline. They are stored
 * when database_commit() returns 0, and so are all their records' values. */
int database_add(struct database *db, const char *text, size_t bytes,
		 struct assay_error *err);
/* Adds one line of JSON, which is a record, with the record's values. */
int database_add_record(struct database *db, const struct assay_record *record,
			const char *text, size_t bytes,
			struct assay_error *err);
int database_commit(struct database *db, struct assay_error *err);
/* The certificate that marks the run's events; one that the run writes itself
 * is known by its row "certificate". */
int database_certificate(struct database *db, const char *path,
			 struct assay_error *err);
/* Deletes the run that is being stored. */
void database_abandon(struct database *db);
/* The run is complete. A run without a line is deleted. */
int database_end(struct database *db, int status, struct assay_error *err);

/* ---- reading ------------------------------------------------------------- */

/* A row that a statement of this room or of its users gives; columns count
 * from 0. Texts are valid during the call. */
struct database_row;
int64_t database_int(const struct database_row *row, int column);
double database_real(const struct database_row *row, int column);
const char *database_text(const struct database_row *row, int column); /* "" */
size_t database_bytes(const struct database_row *row, int column);
bool database_null(const struct database_row *row, int column);

typedef int database_row_fn(void *ctx, const struct database_row *row);
/*
 * Calls fn for each row of a statement that only reads; ?1, ?2 ... are the
 * arguments. fn's first non-zero result ends the reading and is returned.
 */
int database_each(struct database *db, const char *sql, const int64_t *argument,
		  int arguments, database_row_fn *fn, void *ctx,
		  struct assay_error *err);
/*
 * Runs a user's SQL statement and hands out rows "row" with a field per column.
 * The statement can only read tables. stopped(NULL) is called often.
 */
int database_query(struct database *db, const char *sql, assay_row_fn *fn,
		   void *ctx, bool (*stopped)(void *),
		   struct assay_error *err);

/* Does a process store this run just now? */
bool database_runs(struct database *db, int64_t run);

/* Numbers of runs. */
struct database_range { int64_t first, last; };
/* "12" or "12..17". False: the word is neither; then *out is unchanged. */
bool database_range(struct database_range *out, const char *word);
/*
 * All lines of the runs that there are in a range, for free(), at most `most`
 * bytes. path NULL: database_path().
 */
int database_lines(char **out, size_t *bytes, const char *path,
		   const struct database_range *range, size_t most,
		   struct assay_error *err);
/* The counts of a range of runs as a table in CSV (docs/table-file.md), for
 * free(), at most `most` bytes. */
int database_table(char **out, size_t *bytes, const char *path,
		   const struct database_range *range, size_t most,
		   struct assay_error *err);

/* ---- removing ------------------------------------------------------------ */

/* Deletes a run that is not being stored (-ASSAY_EINVAL: this one is). */
int database_remove(struct database *db, int64_t run, struct assay_error *err);
/* Deletes what no run refers to, and gives free room back to the disk. */
int database_compact(struct database *db, struct assay_error *err);

#endif
