/* SPDX-License-Identifier: MIT */
/* Opens a database file: makes one, updates one, checks a stranger's. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/loading/library.h"
#include "base/text.h"
#include "database/private.h"
#include "database/schema.h"

enum {
	PATIENCE_MS = 60000,	/* waiting for other processes */
	PAUSE_MS = 10,
};

/* ---- errors -------------------------------------------------------------- */

static int code_of(int sqlite)
{
	switch (sqlite & 0xff) {
	case SQLITE_NOTADB:
	case SQLITE_CORRUPT:
		return -ASSAY_EINVAL;
	case SQLITE_NOMEM:
		return -ASSAY_ENOMEM;
	}
	return -ASSAY_EIO;
}

int database_error(const struct database *db, const char *what,
		   struct assay_error *err)
{
	const int code = sqlite3_extended_errcode(db->sqlite);
	const int number = sqlite3_system_errno(db->sqlite);
	const bool shown = number && (code & 0xff) != SQLITE_CONSTRAINT &&
			   (code & 0xff) != SQLITE_ERROR;

	return error_set(err, code_of(code), "cannot %s '%.600s': %s%s%s%s",
			 what, db->path, sqlite3_errmsg(db->sqlite),
			 shown ? " (" : "", shown ? strerror(number) : "",
			 shown ? ")" : "");
}

/* ---- statements ---------------------------------------------------------- */

int database_exec(struct database *db, const char *sql,
		  struct assay_error *err)
{
	return sqlite3_exec(db->sqlite, sql, NULL, NULL, NULL) ?
	       database_error(db, "change", err) : 0;
}

int database_prepare(struct database *db, sqlite3_stmt **out, const char *sql,
		     bool keep, struct assay_error *err)
{
	return sqlite3_prepare_v3(db->sqlite, sql, -1,
				  keep ? SQLITE_PREPARE_PERSISTENT : 0, out,
				  NULL) ? database_error(db, "read", err) : 0;
}

int64_t database_one(struct database *db, const char *sql, int64_t none)
{
	sqlite3_stmt *s = NULL;

	if (database_prepare(db, &s, sql, false, NULL))
		return none;
	if (sqlite3_step(s) == SQLITE_ROW)
		none = sqlite3_column_int64(s, 0);
	sqlite3_finalize(s);
	return none;
}

/* ---- the schema ---------------------------------------------------------- */

static int strange(const struct database *db, struct assay_error *err)
{
	return error_set(err, -ASSAY_EINVAL, "'%.600s' is no database of assay",
			 db->path);
}

/* Are the file's tables and views those of this version? Objects of other
 * names do not matter: triggers are off. */
static int check_tables(struct database *db, int64_t version,
			struct assay_error *err)
{
	sqlite3_stmt *s;
	int found = 0, wrong = 0;
	int rc = database_prepare(db, &s, "SELECT name, sql FROM "
				  "sqlite_schema WHERE type IN ('table', "
				  "'view') AND sql IS NOT NULL", false, err);

	if (rc)
		return rc;
	while (sqlite3_step(s) == SQLITE_ROW) {
		const char *name = (const char *)sqlite3_column_text(s, 0);
		const char *sql = (const char *)sqlite3_column_text(s, 1);

		if (!name || !sql || !schema_names(name))
			continue;
		found++;
		wrong += !schema_has(sql);
	}
	sqlite3_finalize(s);
	return wrong || version < 1 || found != schema_objects[version - 1] ?
	       strange(db, err) : 0;
}

static int64_t version_of(struct database *db)
{
	return database_one(db, "PRAGMA user_version", -1);
}

/* Does the file have the schema that this version writes? */
static int check(struct database *db, struct assay_error *err)
{
	const int64_t version = version_of(db);

	if (version < 0)
		return database_error(db, "read", err);
	if (database_one(db, "PRAGMA application_id", 0) != SCHEMA_APPLICATION)
		return strange(db, err);
	if (version > SCHEMA_VERSION)
		return error_set(err, -ASSAY_EINVAL, "'%.600s' was written by "
				 "a newer assay: its schema is %lld, and this "
				 "one knows %d", db->path, (long long)version,
				 SCHEMA_VERSION);
	return check_tables(db, version, err);
}

static bool is_empty(struct database *db)
{
	return version_of(db) == 0 &&
	       database_one(db, "SELECT count(*) FROM sqlite_schema", 1) == 0;
}

/* In one transaction, so that of two processes one does all of it. */
static int update(struct database *db, struct assay_error *err)
{
	char sql[120];
	int rc = database_exec(db, "BEGIN IMMEDIATE", err);

	if (rc)
		return rc;
	if (!is_empty(db))
		rc = check(db, err);
	for (int64_t v = version_of(db); v < SCHEMA_VERSION && !rc; v++)
		rc = v < 0 ? database_error(db, "read", err) :
			     database_exec(db, schema_step[v], err);
	snprintf(sql, sizeof(sql), "PRAGMA application_id = %d; "
		 "PRAGMA user_version = %d", SCHEMA_APPLICATION,
		 SCHEMA_VERSION);
	rc = rc ? rc : database_exec(db, sql, err);
	rc = rc ? rc : database_exec(db, "COMMIT", err);
	if (rc)
		database_exec(db, "ROLLBACK", NULL);
	return rc;
}

/* ---- opening ------------------------------------------------------------- */

static void pause_ms(long ms)
{
	nanosleep(&(struct timespec){ .tv_nsec = ms * 1000000 }, NULL);
}

/*
 * WAL; on a network, where several machines cannot share its memory, the old
 * journal. SQLite does not wait for others when it changes the mode.
 */
static int set_journal(struct database *db, struct assay_error *err)
{
	const char *sql = database_is_remote(db->path) ?
		"PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL" :
		"PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL";
	int rc = SQLITE_BUSY;

	for (int ms = 0; rc == SQLITE_BUSY && ms < PATIENCE_MS;
	     ms += PAUSE_MS) {
		rc = sqlite3_exec(db->sqlite, sql, NULL, NULL, NULL);
		if (rc == SQLITE_BUSY)
			pause_ms(PAUSE_MS);
	}
	return rc ? database_error(db, "open", err) : 0;
}

static int set_options(struct database *db, struct assay_error *err)
{
	static const struct { int option, on; } options[] = {
		{ SQLITE_DBCONFIG_DEFENSIVE, 1 },
		{ SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0 },
		{ SQLITE_DBCONFIG_ENABLE_TRIGGER, 0 },
		{ SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1 },
	};

	for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++)
		if (sqlite3_db_config(db->sqlite, options[i].option,
				      options[i].on, NULL))
			return database_error(db, "open", err);
	sqlite3_limit(db->sqlite, SQLITE_LIMIT_ATTACHED, 0);
	sqlite3_busy_timeout(db->sqlite, PATIENCE_MS);
	return 0;
}

static int open_named(struct database *db, const char *name, int flags,
		      struct assay_error *err)
{
	if (sqlite3_open_v2(name, &db->sqlite, flags | SQLITE_OPEN_NOMUTEX |
			    SQLITE_OPEN_PRIVATECACHE, NULL))
		return database_error(db, "open", err);
	return set_options(db, err);
}

/* A name such as ":memory:" is a file's, too. */
static const char *plain_before(const struct database *db)
{
	return *db->path == '/' || *db->path == '.' ? "" : "./";
}

static int open_file(struct database *db, int flags, struct assay_error *err)
{
	char path[DATABASE_PATH + 2];

	snprintf(path, sizeof(path), "%s%s", plain_before(db), db->path);
	return open_named(db, path, flags, err);
}

/* As a URI, in which all but a few characters stand as %41. */
static int open_uri(struct database *db, const char *query,
		    struct assay_error *err)
{
	char uri[3 * DATABASE_PATH + 64];
	size_t used = (size_t)sprintf(uri, "file:%s", plain_before(db));

	for (const char *c = db->path; *c; c++)
		used += (size_t)sprintf(uri + used, strchr("/._-", *c) ||
					isalnum((unsigned char)*c) ? "%c" :
					"%%%02X", (unsigned char)*c);
	sprintf(uri + used, "?%s", query);
	return open_named(db, uri, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, err);
}

/* Makes the folders above a file, as XDG's specification asks. */
static void make_folders(const char *path)
{
	char folder[DATABASE_PATH];

	text_copy(folder, sizeof(folder), path);
	for (char *slash = strchr(folder + 1, '/'); slash;
	     slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(folder, 0700);
		*slash = '/';
	}
}

static int new_database(struct database **out, const char *path,
			struct assay_error *err)
{
	struct database *db = calloc(1, sizeof(*db));
	int rc = 0;

	if (!db)
		return error_memory(err);
	db->locks = -1;
	if (library_need(LIBRARY_SQLITE, err))
		rc = -ASSAY_EUNAVAIL;
	else if (!path)
		rc = database_path(db->path, sizeof(db->path), err);
	else if (strlen(path) >= sizeof(db->path))
		rc = error_set(err, -ASSAY_EINVAL, "the database's name is too "
			       "long");
	else
		text_copy(db->path, sizeof(db->path), path);
	if (rc)
		free(db);
	else
		*out = db;
	return rc;
}

int database_write(struct database **out, const char *path,
		   struct assay_error *err)
{
	struct database *db;
	int rc = new_database(&db, path, err);

	if (rc)
		return rc;
	make_folders(db->path);
	rc = open_file(db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, err);
	rc = rc ? rc : set_journal(db, err);
	if (!rc && version_of(db) != SCHEMA_VERSION)
		rc = update(db, err);
	rc = rc ? rc : check(db, err);
	if (rc)
		database_close(db);
	else
		*out = db;
	return rc;
}

int database_read(struct database **out, const char *path,
		  struct assay_error *err)
{
	struct database *db;
	int rc = new_database(&db, path, err);

	if (rc)
		return rc;
	if (access(db->path, F_OK) != 0)
		rc = error_read(err, db->path);
	rc = rc ? rc : open_file(db, SQLITE_OPEN_READONLY, err);
	rc = rc ? rc : check(db, err);
	if (rc)
		database_close(db);
	else
		*out = db;
	return rc;
}

/*
 * How the file can be read without writing beside the file: with a WAL, by the
 * shared memory, which is an index of the WAL; without a WAL, alone. NULL: a
 * WAL is there, but no shared memory.
 */
static const char *peek_by(const struct database *db)
{
	char wal[DATABASE_PATH + 8], shm[DATABASE_PATH + 8];
	struct stat st;

	snprintf(wal, sizeof(wal), "%s-wal", db->path);
	snprintf(shm, sizeof(shm), "%s-shm", db->path);
	if (stat(wal, &st) || !st.st_size)
		return "immutable=1";
	return access(shm, F_OK) ? NULL : "mode=ro&readonly_shm=1";
}

int database_peek(struct database **out, const char *path,
		  struct assay_error *err)
{
	const char *by;
	struct database *db;
	int rc = new_database(&db, path, err);

	if (rc)
		return rc;
	by = peek_by(db);
	if (access(db->path, F_OK) != 0)
		rc = error_read(err, db->path);
	else if (!by)
		rc = error_set(err, -ASSAY_EUNAVAIL, "reading '%.600s' would "
			       "write beside it", db->path);
	rc = rc ? rc : open_uri(db, by, err);
	if (!rc)
		sqlite3_busy_timeout(db->sqlite, 0);
	rc = rc ? rc : check(db, err);
	if (rc)
		database_close(db);
	else
		*out = db;
	return rc;
}

const char *database_name(const struct database *db)
{
	return db->path;
}

void database_close(struct database *db)
{
	if (!db)
		return;
	for (int i = 0; i < STATEMENTS; i++)
		sqlite3_finalize(db->statement[i]);
	sqlite3_close(db->sqlite);
	if (db->locks >= 0)
		close(db->locks);
	free(db);
}
