/* SPDX-License-Identifier: MIT */
/* Stores a run: its lines as they are printed, and its records' values. */
#define _GNU_SOURCE	/* F_OFD_SETLK */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "assay/quantity.h"
#include "base/text.h"
#include "database/private.h"

static const char *const texts[STATEMENTS] = {
	[BEGIN] = "BEGIN IMMEDIATE",
	[COMMIT] = "COMMIT",
	[ROLLBACK] = "ROLLBACK",
	[ADD_RUN] = "INSERT INTO run(started, command, line, version, host, "
		"node, rank, job) VALUES(strftime('%Y-%m-%dT%H:%M:%SZ', "
		"'now'), ?1, ?2, ?3, ?4, ?5, ?6, ?7)",
	[ADD_LINE] = "INSERT INTO line VALUES(?1, ?2, "
		"coalesce(?3, ?4->>'$.t', ''), ?4)",
	[ADD_MACHINE] = "INSERT OR IGNORE INTO machine(host, cpu, isa, kernel, "
		"hypervisor, microcode) VALUES(?1, ?2, ?3, ?4, ?5, ?6)",
	[FIND_MACHINE] = "SELECT id FROM machine WHERE host = ?1 AND cpu = ?2 "
		"AND isa = ?3 AND kernel = ?4 AND hypervisor = ?5 AND "
		"microcode = ?6",
	[ADD_POINT] = "INSERT INTO point(run, line, machine, provider, kernel, "
		"shape, settings, repeats) "
		"VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
	[ADD_PLACE] = "INSERT INTO place VALUES(?1, ?2, ?3)",
	[ADD_NAME] = "INSERT OR IGNORE INTO name(kind, name) VALUES(?1, ?2)",
	[FIND_NAME] = "SELECT id FROM name WHERE kind = ?1 AND name = ?2",
	[ADD_VALUE] = "INSERT OR REPLACE INTO value "
		"VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)",
	[COUNT_POINTS] = "UPDATE run SET points = ?2 WHERE id = ?1",
	[CERTIFICATE] = "UPDATE run SET certificate = ?2->>'$.file' "
		"WHERE id = ?1",
	[USED_CERTIFICATE] = "UPDATE run SET certificate = ?2 WHERE id = ?1",
	[END_RUN] = "UPDATE run SET status = ?2, ended = "
		"strftime('%Y-%m-%dT%H:%M:%SZ', 'now') WHERE id = ?1",
	[DELETE_RUN] = "DELETE FROM run WHERE id = ?1",
};

/* ---- one statement ------------------------------------------------------- */

/* The statement, ready to be bound; NULL: an error. */
static sqlite3_stmt *ready(struct database *db, enum statement which)
{
	if (!db->statement[which] && !db->failed)
		db->failed = database_prepare(db, &db->statement[which],
					      texts[which], true,
					      &db->error) != 0;
	return db->statement[which];
}

/* Steps and resets. Returns the first column, or 0; after an error nothing. */
static int64_t run_statement(struct database *db, enum statement which)
{
	sqlite3_stmt *s = db->statement[which];
	int64_t first = 0;

	if (db->failed)
		return 0;
	if (sqlite3_step(s) == SQLITE_ROW)
		first = sqlite3_column_int64(s, 0);
	if (sqlite3_reset(s) == SQLITE_OK)
		return first;
	db->failed = true;
	database_error(db, "store in", &db->error);
	return 0;
}

static void bind_text(sqlite3_stmt *s, int i, const char *text)
{
	if (text)
		sqlite3_bind_text(s, i, text, -1, SQLITE_STATIC);
	else
		sqlite3_bind_null(s, i);
}

/* Exact: SQLite's integers end at 2^63. */
static void bind_count(sqlite3_stmt *s, int i, uint64_t count, char text[24])
{
	snprintf(text, 24, "%" PRIu64, count);
	if (count <= INT64_MAX)
		sqlite3_bind_int64(s, i, (int64_t)count);
	else
		bind_text(s, i, text);
}

static void bind_number(sqlite3_stmt *s, int i, double number)
{
	if (fabs(number) < 0x1p53 && number == floor(number))
		sqlite3_bind_int64(s, i, (int64_t)number);
	else
		sqlite3_bind_double(s, i, number);
}

/* Two columns; NULL and -1: not known. */
static void bind_place(sqlite3_stmt *s, int i, const char *node, int rank)
{
	bind_text(s, i, node);
	if (rank >= 0)
		sqlite3_bind_int64(s, i + 1, rank);
	else
		sqlite3_bind_null(s, i + 1);
}

static void plain(struct database *db, enum statement which)
{
	ready(db, which);
	run_statement(db, which);
}

/* The error of the statement that failed; nothing of the point stays. */
static int outcome(struct database *db, struct assay_error *err)
{
	const int code = db->error.code;

	if (!db->failed)
		return 0;
	error_set(err, code, "%s", db->error.text);
	db->failed = false;
	if (db->open)
		plain(db, ROLLBACK);
	db->open = db->failed = false;
	return code;
}

static void begin(struct database *db)
{
	if (!db->open)
		plain(db, BEGIN);
	db->open |= !db->failed;
}

int database_commit(struct database *db, struct assay_error *err)
{
	if (db->open)
		plain(db, COMMIT);
	db->open &= db->failed;
	return outcome(db, err);
}

/* ---- the run ------------------------------------------------------------- */

/* Locks (F_WRLCK) or unlocks (F_UNLCK) the byte of the run in PATH-runs: when
 * this process ends, in whatever way, the lock is gone. */
static void lock_run(struct database *db, short type)
{
	struct flock lock = { .l_type = type, .l_whence = SEEK_SET,
			      .l_start = db->run, .l_len = 1 };
	char path[DATABASE_PATH + 8];

	snprintf(path, sizeof(path), "%s-runs", db->path);
	if (db->locks < 0)
		db->locks = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
	if (db->locks >= 0)
		fcntl(db->locks, F_OFD_SETLK, &lock);
}

bool database_runs(struct database *db, int64_t run)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET,
			      .l_start = run, .l_len = 1 };
	char path[DATABASE_PATH + 8];
	bool locked;
	int fd;

	if (db->run == run)
		return true;
	snprintf(path, sizeof(path), "%s-runs", db->path);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	locked = fcntl(fd, F_OFD_GETLK, &lock) == 0 &&
		 lock.l_type != F_UNLCK;
	close(fd);
	return locked;
}

int database_begin(struct database *db, const struct database_run *run,
		   struct assay_error *err)
{
	sqlite3_stmt *s = ready(db, ADD_RUN);

	begin(db);
	bind_text(s, 1, run->command);
	bind_text(s, 2, run->line);
	bind_text(s, 3, ASSAY_VERSION);
	bind_text(s, 4, run->host);
	bind_place(s, 5, run->node, run->rank);
	bind_text(s, 7, run->job);
	run_statement(db, ADD_RUN);
	if (!db->failed) {
		db->run = sqlite3_last_insert_rowid(db->sqlite);
		db->lines = db->points = 0;
		lock_run(db, F_WRLCK);
	}
	return database_commit(db, err);
}

int64_t database_number(const struct database *db)
{
	return db->run;
}

int database_end(struct database *db, int status, struct assay_error *err)
{
	const enum statement which = db->lines ? END_RUN : DELETE_RUN;
	sqlite3_stmt *s = ready(db, which);
	int rc;

	begin(db);
	sqlite3_bind_int64(s, 1, db->run);
	if (which == END_RUN)
		sqlite3_bind_int64(s, 2, status);
	run_statement(db, which);
	rc = database_commit(db, err);
	lock_run(db, F_UNLCK);
	db->run = 0;
	return rc;
}

void database_abandon(struct database *db)
{
	if (db->open)
		plain(db, ROLLBACK);
	db->open = db->failed = false;
	db->lines = 0;
	database_end(db, 0, NULL);
}

int database_certificate(struct database *db, const char *path,
			 struct assay_error *err)
{
	sqlite3_stmt *s = ready(db, USED_CERTIFICATE);

	begin(db);
	sqlite3_bind_int64(s, 1, db->run);
	bind_text(s, 2, path);
	run_statement(db, USED_CERTIFICATE);
	return database_commit(db, err);
}

/* ---- lines --------------------------------------------------------------- */

/* The type of a line that begins as assay writes lines: {"t":"record" */
static size_t type_of(const char *line, size_t bytes, const char **type)
{
	static const char begins[] = "{\"t\":\"";
	const size_t n = sizeof(begins) - 1;
	const char *end = bytes > n && !memcmp(line, begins, n) ?
			  memchr(line + n, '"', bytes - n) : NULL;

	*type = line + n;
	return end && !memchr(*type, '\\', (size_t)(end - *type)) ?
	       (size_t)(end - *type) : 0;
}

static void note_certificate(struct database *db, const char *line,
			     size_t bytes)
{
	sqlite3_stmt *s = ready(db, CERTIFICATE);

	sqlite3_bind_int64(s, 1, db->run);
	sqlite3_bind_text(s, 2, line, (int)bytes, SQLITE_STATIC);
	run_statement(db, CERTIFICATE);
}

static void add_line(struct database *db, const char *line, size_t bytes)
{
	static const char certificate[] = "certificate";
	sqlite3_stmt *s = ready(db, ADD_LINE);
	const char *type;
	const size_t n = type_of(line, bytes, &type);

	sqlite3_bind_int64(s, 1, db->run);
	sqlite3_bind_int64(s, 2, ++db->lines);
	if (n)
		sqlite3_bind_text(s, 3, type, (int)n, SQLITE_STATIC);
	else
		sqlite3_bind_null(s, 3);
	sqlite3_bind_text(s, 4, line, (int)bytes, SQLITE_STATIC);
	run_statement(db, ADD_LINE);
	if (n == sizeof(certificate) - 1 && !memcmp(type, certificate, n))
		note_certificate(db, line, bytes);
}

int database_add(struct database *db, const char *text, size_t bytes,
		 struct assay_error *err)
{
	const char *end;

	if (bytes)
		begin(db);
	while (bytes && (end = memchr(text, '\n', bytes)) != NULL) {
		add_line(db, text, (size_t)(end - text));
		bytes -= (size_t)(end + 1 - text);
		text = end + 1;
	}
	if (bytes)
		add_line(db, text, bytes);
	return outcome(db, err);
}

/* ---- records ------------------------------------------------------------- */

static int64_t name_id(struct database *db, const char *kind, const char *name)
{
	sqlite3_stmt *s = ready(db, FIND_NAME);
	int64_t id;

	bind_text(s, 1, kind);
	bind_text(s, 2, name);
	id = run_statement(db, FIND_NAME);
	if (id || db->failed)
		return id;
	s = ready(db, ADD_NAME);
	bind_text(s, 1, kind);
	bind_text(s, 2, name);
	run_statement(db, ADD_NAME);
	return sqlite3_last_insert_rowid(db->sqlite);
}

static void bind_machine(sqlite3_stmt *s, const struct assay_machine *m)
{
	const char *const part[] = { m->host, m->cpu, m->isa, m->kernel,
				     m->hypervisor, m->microcode };

	for (int i = 0; i < 6; i++)
		bind_text(s, 1 + i, part[i]);
}

static int64_t machine_id(struct database *db, const struct assay_machine *m)
{
	int64_t id;

	bind_machine(ready(db, FIND_MACHINE), m);
	id = run_statement(db, FIND_MACHINE);
	if (id || db->failed)
		return id;
	bind_machine(ready(db, ADD_MACHINE), m);
	run_statement(db, ADD_MACHINE);
	return sqlite3_last_insert_rowid(db->sqlite);
}

/* A string of JSON without what would need an escape. */
static const char *simple(char *out, size_t room, const char *text)
{
	text_copy(out, room, text);
	text_harmless(out, false);
	for (char *c = out; *c; c++)
		if (*c == '"' || *c == '\\')
			*c = '?';
	return out;
}

/* {"elements":4096,"order":"shuffled"} */
static void shape_json(char *out, size_t room, const struct assay_shape *shape)
{
	char name[ASSAY_NAME], word[ASSAY_NAME];

	strcpy(out++, "{");
	for (unsigned i = 0; i < shape->options; i++) {
		const struct assay_shape_value *o = &shape->option[i];

		simple(name, sizeof(name), o->name);
		simple(word, sizeof(word), o->word);
		if (o->kind == ASSAY_OPTION_CHOICE)
			text_add(out, room - 2, ",", "\"%s\":\"%s\"", name,
				 word);
		else if (o->kind == ASSAY_OPTION_REAL)
			text_add(out, room - 2, ",", "\"%s\":%.9g", name,
				 (double)o->value / 1e6);
		else
			text_add(out, room - 2, ",", "\"%s\":%" PRId64, name,
				 o->value);
	}
	strcat(out, "}");
}

static int64_t add_point(struct database *db, const struct assay_record *r)
{
	const int64_t machine = machine_id(db, &r->machine);
	char shape[ASSAY_SHAPE_OPTIONS * (2 * ASSAY_NAME + 8) + 4];
	sqlite3_stmt *s = ready(db, ADD_POINT);

	shape_json(shape, sizeof(shape), &r->shape);
	sqlite3_bind_int64(s, 1, db->run);
	sqlite3_bind_int64(s, 2, db->lines);
	sqlite3_bind_int64(s, 3, machine);
	bind_text(s, 4, r->provider);
	bind_text(s, 5, r->shape.kernel);
	bind_text(s, 6, shape);
	bind_text(s, 7, r->settings.options);
	sqlite3_bind_int64(s, 8, r->repeats);
	run_statement(db, ADD_POINT);
	return sqlite3_last_insert_rowid(db->sqlite);
}

/* Of a point in a job; others have no row. */
static void add_place(struct database *db, int64_t point,
		      const struct assay_place *place)
{
	sqlite3_stmt *s = *place->node ? ready(db, ADD_PLACE) : NULL;

	if (!s)
		return;
	sqlite3_bind_int64(s, 1, point);
	bind_place(s, 2, place->node, place->rank);
	run_statement(db, ADD_PLACE);
}

/* Binds who is counted; the caller binds 4 (value) to 7 (why). */
static sqlite3_stmt *value_of(struct database *db, int64_t point, int64_t name,
			      unsigned repetition)
{
	sqlite3_stmt *s = ready(db, ADD_VALUE);

	sqlite3_bind_int64(s, 1, point);
	sqlite3_bind_int64(s, 2, name);
	sqlite3_bind_int64(s, 3, repetition);
	for (int i = 4; i <= 7; i++)
		sqlite3_bind_null(s, i);
	return s;
}

static void add_count(struct database *db, int64_t point, int64_t name,
		      unsigned repetition, const struct assay_count *c,
		      const char *why)
{
	const bool absent = c->state == ASSAY_COUNT_ABSENT;
	const int64_t reason = absent ? name_id(db, "why", why) :
		c->state == ASSAY_COUNT_SCALED ? name_id(db, "why", "scaled") :
						 0;
	sqlite3_stmt *s = value_of(db, point, name, repetition);
	char text[3][24];

	if (!absent)
		bind_count(s, 4, c->value, text[0]);
	if (c->enabled || c->running) {
		bind_count(s, 5, c->enabled, text[1]);
		bind_count(s, 6, c->running, text[2]);
	}
	if (reason)
		sqlite3_bind_int64(s, 7, reason);
	run_statement(db, ADD_VALUE);
}

static void add_event(struct database *db, int64_t point,
		      const struct assay_record *r, unsigned e)
{
	const int64_t name = name_id(db, "event", r->event[e].name);

	for (unsigned k = 0; k < r->repeats && !db->failed; k++) {
		const struct assay_count *c = &r->counts[k * r->events + e];

		add_count(db, point, name, k, c, *r->event[e].why ?
			  r->event[e].why : c->why ? c->why : "");
	}
}

static void add_times(struct database *db, int64_t point,
		      const struct assay_record *r)
{
	char text[24];

	for (unsigned k = 0; k < r->repeats && !db->failed; k++) {
		if (!r->ns[k])
			continue;
		bind_count(value_of(db, point, name_id(db, "time", "wall_ns"),
				    k), 4, r->ns[k], text);
		run_statement(db, ADD_VALUE);
	}
}

/* What the provider itself knows to be true. */
static void add_truth(struct database *db, int64_t point,
		      const struct assay_quantities *truth)
{
	for (int q = 0; q < ASSAY_QUANTITIES && !db->failed; q++) {
		int64_t name;

		if (truth->of[q].why)
			continue;
		name = name_id(db, "truth", assay_quantity_name(q));
		bind_number(value_of(db, point, name, 0), 4,
			    truth->of[q].number);
		run_statement(db, ADD_VALUE);
	}
}

int database_add_record(struct database *db, const struct assay_record *record,
			const char *text, size_t bytes,
			struct assay_error *err)
{
	sqlite3_stmt *s;
	int64_t point;
	int rc = database_add(db, text, bytes, err);

	if (rc)
		return rc;
	point = add_point(db, record);
	add_place(db, point, &record->place);
	for (unsigned e = 0; e < record->events; e++)
		add_event(db, point, record, e);
	add_times(db, point, record);
	add_truth(db, point, &record->truth);
	s = ready(db, COUNT_POINTS);
	sqlite3_bind_int64(s, 1, db->run);
	sqlite3_bind_int64(s, 2, ++db->points);
	run_statement(db, COUNT_POINTS);
	return outcome(db, err);
}
