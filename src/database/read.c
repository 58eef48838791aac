/* SPDX-License-Identifier: MIT */
/* Reads a database: for this program's statements, and for those of users. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/row.h"
#include "base/text.h"
#include "database/private.h"

/* ---- this program's statements ------------------------------------------- */

struct database_row { sqlite3_stmt *statement; };

int64_t database_int(const struct database_row *row, int column)
{
	return sqlite3_column_int64(row->statement, column);
}

double database_real(const struct database_row *row, int column)
{
	return sqlite3_column_double(row->statement, column);
}

const char *database_text(const struct database_row *row, int column)
{
	const unsigned char *text = sqlite3_column_text(row->statement,
							column);

	return text ? (const char *)text : "";
}

size_t database_bytes(const struct database_row *row, int column)
{
	return (size_t)sqlite3_column_bytes(row->statement, column);
}

bool database_null(const struct database_row *row, int column)
{
	return sqlite3_column_type(row->statement, column) == SQLITE_NULL;
}

int database_each(struct database *db, const char *sql, const int64_t *argument,
		  int arguments, database_row_fn *fn, void *ctx,
		  struct assay_error *err)
{
	struct database_row row;
	int step = SQLITE_ROW;
	int rc = database_prepare(db, &row.statement, sql, false, err);

	if (rc)
		return rc;
	for (int i = 0; i < arguments; i++)
		sqlite3_bind_int64(row.statement, 1 + i, argument[i]);
	while (!rc && (step = sqlite3_step(row.statement)) == SQLITE_ROW)
		rc = fn(ctx, &row);
	if (step != SQLITE_ROW && step != SQLITE_DONE)
		rc = database_error(db, "read", err);
	sqlite3_finalize(row.statement);
	return rc;
}

/* ---- users' statements --------------------------------------------------- */

enum { COLUMNS = 200, LABEL = 100 };

static int allow_reading(void *ctx, int action, const char *a, const char *b,
			 const char *c, const char *d)
{
	(void)ctx, (void)a, (void)b, (void)c, (void)d;
	return action == SQLITE_SELECT || action == SQLITE_READ ||
	       action == SQLITE_FUNCTION || action == SQLITE_RECURSIVE ?
	       SQLITE_OK : SQLITE_DENY;
}

/* Labels of columns: a second "count" is "count_2". */
static void label_columns(sqlite3_stmt *s, char (*label)[LABEL], int columns)
{
	for (int i = 0; i < columns; i++) {
		const char *name = sqlite3_column_name(s, i);

		text_copy(label[i], LABEL, name ? name : "");
		text_harmless(label[i], false);
		for (int k = 0; k < i; k++)
			if (!strcmp(label[k], label[i]))
				text_add(label[i], LABEL, "", "_%d", i + 1);
	}
}

static struct assay_field field_of(sqlite3_stmt *s, int i, const char *name)
{
	const int type = sqlite3_column_type(s, i);
	struct assay_field field = { .name = name };

	if (type == SQLITE_INTEGER && sqlite3_column_int64(s, i) >= 0) {
		field = field_count(name, (uint64_t)sqlite3_column_int64(s, i));
		field.flags = ASSAY_FIELD_PLAIN;
		return field;
	}
	if (type == SQLITE_INTEGER || type == SQLITE_FLOAT) {
		field.kind = ASSAY_FIELD_REAL;
		field.real = sqlite3_column_double(s, i);
		field.decimals = type == SQLITE_FLOAT ? 6 : 0;
		return field;
	}
	if (type == SQLITE_NULL) {
		field.kind = ASSAY_FIELD_ABSENT;
		field.text = "NULL";
		return field;
	}
	return field_text(name, (const char *)sqlite3_column_text(s, i));
}

/* A mistake in the statement is the user's. */
static int mistake(const struct database *db, struct assay_error *err)
{
	const int code = sqlite3_extended_errcode(db->sqlite) & 0xff;

	if (code != SQLITE_ERROR && code != SQLITE_AUTH)
		return database_error(db, "read", err);
	return error_set(err, -ASSAY_EINVAL, "%s%s",
			 sqlite3_errmsg(db->sqlite), code == SQLITE_AUTH ?
			 ": a query can only read\ntry: SELECT ... FROM run, "
			 "reading, verdict, line" : "");
}

static int step_all(struct database *db, sqlite3_stmt *s, assay_row_fn *fn,
		    void *ctx, struct assay_error *err)
{
	const int columns = sqlite3_column_count(s);
	char (*label)[LABEL] = calloc((size_t)columns, sizeof(*label));
	struct assay_field field[COLUMNS];
	int rc = label ? 0 : error_memory(err), step = SQLITE_ROW;

	if (label)
		label_columns(s, label, columns);
	while (!rc && (step = sqlite3_step(s)) == SQLITE_ROW) {
		for (int i = 0; i < columns; i++)
			field[i] = field_of(s, i, label[i]);
		if (fn(ctx, &(struct assay_row){ "row", field,
						 (size_t)columns }))
			rc = error_set(err, -ASSAY_ESTOP, "stopped");
	}
	if (!rc && step != SQLITE_DONE)
		rc = (step & 0xff) == SQLITE_INTERRUPT ?
		     error_set(err, -ASSAY_ESTOP, "stopped") :
		     mistake(db, err);
	free(label);
	return rc;
}

struct stopping { bool (*stopped)(void *); };

static int ask(void *ctx)
{
	const struct stopping *stopping = ctx;

	return stopping->stopped(NULL);
}

int database_query(struct database *db, const char *sql, assay_row_fn *fn,
		   void *ctx, bool (*stopped)(void *), struct assay_error *err)
{
	struct stopping stopping = { stopped };

	const char *tail = "";
	sqlite3_stmt *s = NULL;
	int rc = 0;

	sqlite3_set_authorizer(db->sqlite, allow_reading, NULL);
	sqlite3_progress_handler(db->sqlite, 10000, ask, &stopping);
	if (sqlite3_prepare_v3(db->sqlite, sql, -1, 0, &s, &tail))
		rc = mistake(db, err);
	else if (s && !sqlite3_stmt_readonly(s))
		rc = error_set(err, -ASSAY_EINVAL, "a query can only read");
	else if (!s || tail[strspn(tail, "; \t\r\n")])
		rc = error_set(err, -ASSAY_EINVAL, "one statement is wanted");
	else if (sqlite3_column_count(s) > COLUMNS)
		rc = error_set(err, -ASSAY_EINVAL, "more than %d columns",
			       COLUMNS);
	else
		rc = step_all(db, s, fn, ctx, err);
	sqlite3_finalize(s);
	sqlite3_progress_handler(db->sqlite, 0, NULL, NULL);
	sqlite3_set_authorizer(db->sqlite, NULL, NULL);
	return rc;
}

/* ---- the lines of runs --------------------------------------------------- */

/* A number from 1 that ends at `end`; 0: there is none. */
static int64_t number(const char *word, const char *end)
{
	const size_t n = strspn(word, "0123456789");

	return n && n < 19 && word + n == end ? strtoll(word, NULL, 10) : 0;
}

bool database_range(struct database_range *out, const char *word)
{
	const char *end = word + strlen(word), *dots = strstr(word, "..");
	const struct database_range range = {
		number(word, dots ? dots : end),
		number(dots ? dots + 2 : word, end),
	};

	if (!range.first || range.last < range.first)
		return false;
	*out = range;
	return true;
}

struct text { char *text; size_t bytes, room, most; bool full; };

/* Non-zero: the text is full, or there is no memory. */
static int add_line(void *ctx, const struct database_row *row)
{
	struct text *t = ctx;
	const char *line = database_text(row, 0);
	const size_t n = database_bytes(row, 0);
	char *grown;

	t->full = n >= t->most - t->bytes;
	if (t->full)
		return 1;
	if (t->bytes + n + 2 > t->room) {
		t->room = 2 * t->room + n + 4096;
		grown = realloc(t->text, t->room);
		if (!grown)
			return 1;
		t->text = grown;
	}
	memcpy(t->text + t->bytes, line, n);
	memcpy(t->text + t->bytes + n, "\n", 2);
	t->bytes += n + 1;
	return 0;
}

static const char lines[] = "SELECT text FROM line "
	"WHERE run BETWEEN ?1 AND ?2 ORDER BY run, number";

#define QUOTED(cell) "'\"' || replace(" cell ", '\"', '\"\"') || '\",' || "
#define WITHOUT(text, part, other) "replace(" text ", '" part "', '" other "')"

static const char table[] =
	"SELECT text FROM (SELECT 0 AS a, 0 AS b, 0 AS c, 'machine,microcode,"
	"program,shape,event,run,scaled,count' AS text UNION ALL SELECT p.id, "
	"v.name, v.repetition + 1, "
	QUOTED("m.cpu") QUOTED("m.microcode") QUOTED("p.kernel")
	QUOTED(WITHOUT(WITHOUT(WITHOUT(WITHOUT(WITHOUT("p.shape", "{", ""),
		"}", ""), "\"", ""), ":", "="), ",", ";"))
	QUOTED("n.name")
	"(v.repetition + 1) || ',' || min(1, coalesce(1.0 * v.running / "
	"nullif(v.enabled, 0), 1)) || ',' || v.value "
	"FROM point p JOIN value v ON v.point = p.id "
	"JOIN name n ON n.id = v.name AND n.kind = 'event' "
	"JOIN machine m ON m.id = p.machine WHERE p.run BETWEEN ?1 AND ?2 "
	"AND v.value IS NOT NULL) ORDER BY a, b, c";

static int text_of(struct database *db, struct text *t, const char *sql,
		   const struct database_range *range, struct assay_error *err)
{
	const int64_t runs[] = { range->first, range->last };
	const int rc = database_each(db, sql, runs, 2, add_line, t, err);

	if (t->full)
		return error_set(err, -ASSAY_EINVAL, "run %" PRId64 " has more "
				 "than %zu bytes", range->first, t->most);
	if (rc > 0)
		return error_memory(err);
	return rc || t->bytes ? rc :
	       error_set(err, -ASSAY_ENOENT, "'%.600s' has no run %" PRId64
			 " with results\ntry: assay db ls", db->path,
			 range->first);
}

static int read_text(char **out, size_t *bytes, const char *path,
		     const char *sql, const struct database_range *range,
		     size_t most, struct assay_error *err)
{
	struct text t = { .most = most };
	struct database *db;
	int rc = database_read(&db, path, err);

	if (rc)
		return rc;
	rc = text_of(db, &t, sql, range, err);
	database_close(db);
	if (rc) {
		free(t.text);
		return rc;
	}
	*out = t.text;
	*bytes = t.bytes;
	return 0;
}

int database_lines(char **out, size_t *bytes, const char *path,
		   const struct database_range *range, size_t most,
		   struct assay_error *err)
{
	return read_text(out, bytes, path, lines, range, most, err);
}

int database_table(char **out, size_t *bytes, const char *path,
		   const struct database_range *range, size_t most,
		   struct assay_error *err)
{
	return read_text(out, bytes, path, table, range, most, err);
}
