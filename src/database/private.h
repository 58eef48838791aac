/* SPDX-License-Identifier: MIT */
/* The parts of struct database: private to the room. */
#ifndef DATABASE_PRIVATE_H
#define DATABASE_PRIVATE_H

#include <sqlite3.h>

#include "database/database.h"

/* Statements of a run that is being stored; write.c has their texts. */
enum statement {
	BEGIN, COMMIT, ROLLBACK, ADD_RUN, ADD_LINE, ADD_MACHINE, FIND_MACHINE,
	ADD_POINT, ADD_PLACE, ADD_NAME, FIND_NAME, ADD_VALUE, COUNT_POINTS, CERTIFICATE,
	USED_CERTIFICATE,
	END_RUN, DELETE_RUN, STATEMENTS
};

struct database {
	sqlite3 *sqlite;
	char path[DATABASE_PATH];
	int locks;		/* descriptor of PATH-runs, or -1 */
	sqlite3_stmt *statement[STATEMENTS];	/* NULL: not prepared yet */
	bool open;		/* a transaction is */
	bool failed;		/* a statement did, for the reason `error` */
	struct assay_error error;
	int64_t run;		/* being stored; 0: none */
	int64_t lines, points;	/* of the run, committed or not */
};

/* "cannot WHAT 'PATH': why", and the code of SQLite's last error. */
int database_error(const struct database *db, const char *what,
		   struct assay_error *err);
/* Runs statements without results. */
int database_exec(struct database *db, const char *sql,
		  struct assay_error *err);
int database_prepare(struct database *db, sqlite3_stmt **out, const char *sql,
		     bool keep, struct assay_error *err);
/* The number that a statement gives first; `none` without a row or on errors. */
int64_t database_one(struct database *db, const char *sql, int64_t none);

#endif
