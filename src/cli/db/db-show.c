/* SPDX-License-Identifier: MIT */
/* assay db ls and show: the runs of a database, and one of them. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/db/db.h"
#include "cli/rows.h"

enum { SHOWN = 20, READINGS = 64, NAMES = 128 };

struct listing {
	struct context *context;
	struct database *db;
};

/* ---- all runs ------------------------------------------------------------ */

/* "complete", "running", "interrupted" or "exit 4", of a row of `runs`. */
static const char *state_of(char out[24], struct database *db,
			    const struct database_row *row)
{
	const int status = 3;
	const int64_t code = database_int(row, status);

	if (database_null(row, status))
		return database_runs(db, database_int(row, 0)) ? "running" :
								 "interrupted";
	if (code == EXIT_OK || code == EXIT_CHECK)
		return "complete";
	if (code == EXIT_INTERRUPTED)
		return "interrupted";
	snprintf(out, 24, "exit %" PRId64, code);
	return out;
}

/* Adds a column that may be NULL; a NULL becomes an empty
 * cell. Returns the number of fields behind the new one. */
static size_t add_text(const struct listing *l, struct assay_field *field,
		       size_t n, const char *name,
		       const struct database_row *row, int column)
{
	const bool absent = database_null(row, column);

	if (absent && report_has(l->context->report, REPORT_MIXED_ROWS))
		return n;
	field[n] = field_detail(name, database_text(row, column));
	if (absent)
		field[n].kind = ASSAY_FIELD_ABSENT;
	return n + 1;
}

static struct assay_field plain_count(const char *name, int64_t count)
{
	struct assay_field field = field_count(name, (uint64_t)count);

	field.flags = ASSAY_FIELD_PLAIN;
	return field;
}

static const char runs[] = "SELECT id, started, points, status, line, "
	"command, ended, version, host, certificate, node, rank, job FROM run ";

static int list_run(void *ctx, const struct database_row *row)
{
	static const char *const more[] = { "command", "ended", "version",
		"host", "certificate", "node", "rank", "job" };
	struct listing *l = ctx;
	size_t n = 5;
	char state[24];
	struct assay_field field[5 + sizeof(more) / sizeof(*more)] = {
		plain_count("run", database_int(row, 0)),
		field_text("started", database_text(row, 1)),
		field_count("points", (uint64_t)database_int(row, 2)),
		field_text("state", state_of(state, l->db, row)),
		field_text("line", database_text(row, 4)),
	};

	field[4].flags = ASSAY_FIELD_CUT;
	for (int i = 0; i < (int)(sizeof(more) / sizeof(*more)); i++)
		n = add_text(l, field, n, more[i], row, 5 + i);
	return report_row(l->context->report,
			  &(struct assay_row){ "run", field, n });
}

static int sum_up(void *ctx, const struct database_row *row)
{
	const struct listing *l = ctx;
	const uint64_t all = (uint64_t)database_int(row, 0);
	char count[40];

	text_groups(count, sizeof(count), all);
	if (!all)
		report_answer(l->context->report, "There is no run in %s.",
			      database_name(l->db));
	else
		report_answer(l->context->report, "%s run%s in %s, the last "
			      "from %s; %" PRId64 " not complete.", count,
			      all == 1 ? "" : "s", database_name(l->db),
			      database_text(row, 1), database_int(row, 2));
	if (report_has(l->context->report, REPORT_PROSE) && all > SHOWN &&
	    !l->context->settings.verbose)
		report_note(l->context->report, "\nThe last %d are shown; -v "
			    "shows all.", SHOWN);
	return 0;
}

int db_list(struct context *context, struct database *db,
	    struct assay_error *err)
{
	struct listing l = { context, db };
	const bool people = report_has(context->report, REPORT_PROSE);
	char sql[400];
	int rc;

	snprintf(sql, sizeof(sql), "%sORDER BY id%s", runs, !people ? "" :
		 context->settings.verbose ? " DESC" : " DESC LIMIT 20");
	report_hold(context->report);
	rc = database_each(db, sql, NULL, 0, list_run, &l, err);
	return rc ? rc : database_each(db, "SELECT count(*), max(started), "
				       "count(*) - sum(status IN (0, 3)) FROM "
				       "run", NULL, 0, sum_up, &l, err);
}

/* ---- one run ------------------------------------------------------------- */

/* {"elements":32,"order":"shuffled"} for people: elements 32, order shuffled */
static void plain_shape(char *out, size_t room, const char *shape)
{
	*out = '\0';
	for (; *shape; shape++)
		if (!strchr("{}\"", *shape))
			text_add(out, room, "", *shape == ':' ? " " :
				 *shape == ',' ? ", " : "%c", *shape);
}

/* A point under construction: its fields, and the readings of one name. */
struct showing {
	struct listing l;
	int64_t point;
	size_t points, left_out;
	char shape[600], kernel[ASSAY_NAME], why[ASSAY_WHY];
	char name[NAMES][120];
	struct assay_field field[NAMES + 3];
	size_t names;
	double reading[READINGS];
	size_t readings;
	bool absent;
};

/* The median of the readings, which are sorted. */
static void end_name(struct showing *s)
{
	struct assay_field *field = &s->field[2 + s->names];
	const size_t n = s->readings;

	if (!n || s->names >= NAMES)
		return;
	*field = value_field(s->name[s->names], plain_value(n % 2 ?
		s->reading[n / 2] :
		(s->reading[n / 2 - 1] + s->reading[n / 2]) / 2));
	if (s->absent)
		*field = (struct assay_field){ .name = s->name[s->names],
			.kind = ASSAY_FIELD_ABSENT, .text = s->why };
	s->names++;
	s->readings = 0;
	s->absent = false;
}

static int end_point(struct showing *s)
{
	const struct context *context = s->l.context;
	char plain[2 * sizeof(s->shape)];

	end_name(s);
	if (!s->names)
		return 0;
	plain_shape(plain, sizeof(plain), s->shape);
	s->field[0] = field_text("kernel", s->kernel);
	s->field[1] = field_text("shape", report_has(context->report,
						     REPORT_PROSE) ?
				 plain : s->shape);
	s->field[1].flags = ASSAY_FIELD_CUT;
	if (report_has(context->report, REPORT_PROSE) &&
	    !context->settings.verbose && s->points >= SHOWN)
		s->left_out++;
	else if (report_row(context->report, &(struct assay_row){
			    "point", s->field, 2 + s->names }))
		return 1;
	s->points++;
	s->names = 0;
	return 0;
}

/* Columns: point, kernel, shape, name, value, why. */
static int add_reading(void *ctx, const struct database_row *row)
{
	struct showing *s = ctx;
	const bool moved = database_int(row, 0) != s->point;

	if (moved && end_point(s))
		return 1;
	if (moved) {
		s->point = database_int(row, 0);
		text_copy(s->kernel, sizeof(s->kernel), database_text(row, 1));
		text_copy(s->shape, sizeof(s->shape), database_text(row, 2));
	} else if (s->readings && s->names < NAMES &&
		   strncmp(s->name[s->names], database_text(row, 3),
			   sizeof(*s->name) - 1)) {
		end_name(s);
	}
	if (s->names >= NAMES || s->readings >= READINGS)
		return 0;
	text_copy(s->name[s->names], sizeof(*s->name), database_text(row, 3));
	if (database_null(row, 4)) {
		s->absent = true;
		text_copy(s->why, sizeof(s->why), database_text(row, 5));
	}
	s->reading[s->readings++] = database_real(row, 4);
	return 0;
}

static int list_verdicts(void *ctx, const struct database_row *row)
{
	const struct listing *l = ctx;
	const struct assay_field field[] = {
		field_text("rows", database_text(row, 0)),
		field_text("verdict", database_text(row, 1)),
		field_count("count", (uint64_t)database_int(row, 2)),
	};

	return report_row(l->context->report, &(struct assay_row){
			  "verdicts", field, 3 });
}

/* Columns: as `runs`, and the machine's CPU, microcode and kernel. */
static int head(void *ctx, const struct database_row *row)
{
	struct listing *l = ctx;
	char state[24];
	const char *code = database_text(row, 14);

	if (!report_has(l->context->report, REPORT_PROSE))
		return list_run(ctx, row);
	report_note(l->context->report, "Run %" PRId64 ", %s: %s; %" PRId64
		    " point%s.", database_int(row, 0),
		    state_of(state, l->db, row),
		    database_text(row, 4), database_int(row, 2),
		    database_int(row, 2) == 1 ? "" : "s");
	report_note(l->context->report, "%s%s%s%s%s; %s on %s, assay %s",
		    database_text(row, 13), *code ? ", microcode " : "", code,
		    *database_text(row, 15) ? ", kernel " : "",
		    database_text(row, 15), database_text(row, 1),
		    database_text(row, 8), database_text(row, 7));
	if (!database_null(row, 9))
		report_note(l->context->report, "certificate: %s",
			    database_text(row, 9));
	return 0;
}

static int show_points(struct showing *s, int64_t run, struct assay_error *err)
{
	int rc = database_each(s->l.db, "SELECT p.id, p.kernel, p.shape, "
			       "n.name, v.value, w.name FROM point p "
			       "JOIN value v ON v.point = p.id "
			       "JOIN name n ON n.id = v.name "
			       "LEFT JOIN name w ON w.id = v.why "
			       "WHERE p.run = ?1 AND n.kind IN ('event', "
			       "'time') ORDER BY p.id, v.name, v.value",
			       &run, 1, add_reading, s, err);

	rc = rc ? rc : end_point(s);
	if (s->left_out)
		report_note(s->l.context->report, "%zu more points: -v shows "
			    "all", s->left_out);
	return rc;
}

int db_show(struct context *context, struct database *db, int64_t run,
	    struct assay_error *err)
{
	struct showing *s = calloc(1, sizeof(*s));
	char sql[700];
	int rc;

	if (!s)
		return error_memory(err);
	s->l = (struct listing){ context, db };
	snprintf(sql, sizeof(sql), "SELECT r.*, m.cpu, m.microcode, m.kernel "
		 "FROM (%s WHERE id = ?1) r LEFT JOIN (SELECT run, machine "
		 "FROM point WHERE run = ?1 LIMIT 1) p ON p.run = r.id "
		 "LEFT JOIN machine m ON m.id = p.machine", runs);
	rc = database_each(db, sql, &run, 1, head, &s->l, err);
	rc = rc ? rc : show_points(s, run, err);
	rc = rc ? rc : database_each(db, "SELECT type, "
		"CASE WHEN json_valid(text) THEN coalesce(text->>'$.verdict', "
		"text->>'$.class', text->>'$.state') END AS verdict, count(*) "
		"FROM line WHERE run = ?1 AND type <> 'record' AND verdict IS "
		"NOT NULL GROUP BY 1, 2", &run, 1, list_verdicts, &s->l, err);
	free(s);
	return rc;
}
