/* SPDX-License-Identifier: MIT */
/* SQLite, loaded on first use (base/loading/load.h). */
#include <sqlite3.h>
#include <stdarg.h>
#include <stddef.h>

#include "base/loading/load.h"

/* The program has no slot for a function with "..."; the room uses (int, int *)
 * only. */
int sqlite3_db_config(sqlite3 *db, int option, ...)
{
	static void *cache;
	int (*real)(sqlite3 *, int, ...) = (int (*)(sqlite3 *, int, ...))
		load_function(&cache, LIBRARY_SQLITE, "sqlite3_db_config");
	va_list args;
	int on, *was;

	va_start(args, option);
	on = va_arg(args, int);
	was = va_arg(args, int *);
	va_end(args);
	return real ? real(db, option, on, was) : SQLITE_ERROR;
}

FORWARD(SQLITE, int, SQLITE_ERROR, sqlite3_open_v2,
	(const char *path, sqlite3 **db, int flags, const char *vfs),
	(path, db, flags, vfs))
FORWARD(SQLITE, int, SQLITE_OK, sqlite3_close, (sqlite3 *db), (db))
FORWARD(SQLITE, int, SQLITE_ERROR, sqlite3_busy_timeout,
	(sqlite3 *db, int ms), (db, ms))
FORWARD(SQLITE, int, SQLITE_ERROR, sqlite3_exec,
	(sqlite3 *db, const char *sql,
	 int (*fn)(void *, int, char **, char **), void *ctx, char **error),
	(db, sql, fn, ctx, error))
FORWARD(SQLITE, int, SQLITE_ERROR, sqlite3_prepare_v3,
	(sqlite3 *db, const char *sql, int bytes, unsigned flags,
	 sqlite3_stmt **out, const char **tail),
	(db, sql, bytes, flags, out, tail))
FORWARD(SQLITE, int, SQLITE_ERROR, sqlite3_step, (sqlite3_stmt *s), (s))
FORWARD(SQLITE, int, SQLITE_ERROR, sqlite3_reset, (sqlite3_stmt *s), (s))
FORWARD(SQLITE, int, SQLITE_OK, sqlite3_finalize, (sqlite3_stmt *s), (s))
FORWARD(SQLITE, int, 0, sqlite3_stmt_readonly, (sqlite3_stmt *s), (s))
FORWARD(SQLITE, int, SQLITE_ERROR, sqlite3_bind_int64,
	(sqlite3_stmt *s, int i, sqlite3_int64 value), (s, i, value))
FORWARD(SQLITE, int, SQLITE_ERROR, sqlite3_bind_double,
	(sqlite3_stmt *s, int i, double value), (s, i, value))
FORWARD(SQLITE, int, SQLITE_ERROR, sqlite3_bind_null,
	(sqlite3_stmt *s, int i), (s, i))
FORWARD(SQLITE, int, SQLITE_ERROR, sqlite3_bind_text,
	(sqlite3_stmt *s, int i, const char *text, int bytes,
	 void (*release)(void *)), (s, i, text, bytes, release))
FORWARD(SQLITE, int, 0, sqlite3_column_count, (sqlite3_stmt *s), (s))
FORWARD(SQLITE, const char *, NULL, sqlite3_column_name,
	(sqlite3_stmt *s, int i), (s, i))
FORWARD(SQLITE, int, SQLITE_NULL, sqlite3_column_type,
	(sqlite3_stmt *s, int i), (s, i))
FORWARD(SQLITE, sqlite3_int64, 0, sqlite3_column_int64,
	(sqlite3_stmt *s, int i), (s, i))
FORWARD(SQLITE, double, 0, sqlite3_column_double,
	(sqlite3_stmt *s, int i), (s, i))
FORWARD(SQLITE, const unsigned char *, NULL, sqlite3_column_text,
	(sqlite3_stmt *s, int i), (s, i))
FORWARD(SQLITE, int, 0, sqlite3_column_bytes,
	(sqlite3_stmt *s, int i), (s, i))
FORWARD(SQLITE, const char *, "cannot load libsqlite3.so.0", sqlite3_errmsg,
	(sqlite3 *db), (db))
FORWARD(SQLITE, int, SQLITE_ERROR, sqlite3_system_errno, (sqlite3 *db), (db))
FORWARD(SQLITE, int, SQLITE_ERROR, sqlite3_extended_errcode, (sqlite3 *db),
	(db))
FORWARD(SQLITE, sqlite3_int64, 0, sqlite3_last_insert_rowid, (sqlite3 *db),
	(db))
FORWARD(SQLITE, int, 0, sqlite3_changes, (sqlite3 *db), (db))
FORWARD(SQLITE, int, SQLITE_ERROR, sqlite3_set_authorizer,
	(sqlite3 *db, int (*fn)(void *, int, const char *, const char *,
				const char *, const char *), void *ctx),
	(db, fn, ctx))
FORWARD_VOID(SQLITE, sqlite3_progress_handler,
	(sqlite3 *db, int steps, int (*fn)(void *), void *ctx),
	(db, steps, fn, ctx))
FORWARD(SQLITE, int, -1, sqlite3_limit, (sqlite3 *db, int what, int value),
	(db, what, value))
