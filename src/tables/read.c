/* SPDX-License-Identifier: MIT */
/* Reads the rows of a file, checks them, and makes rows for the judge. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "store/input.h"
#include "tables/binding.h"
#include "tables/experiment.h"
#include "tables/seen.h"

struct reader {
	struct csv csv;
	struct bindings b;
	struct texts *pool;
	struct table *table;
	struct judge_row *row;	/* rows read until now */
	size_t rows, room;
	double *extra;		/* covariates, row by row */
	int column[TABLE_COVARIATES];
	const char **name;
	unsigned covariates;
	struct seen seen;
	struct experiment *experiment;	/* or NULL */
	struct assay_error *err;
};

struct owned {
	struct texts pool;
	struct judge_row *row;
	double *extra;
	const char **name;
};

static int no_memory(struct reader *r)
{
	return error_set(r->err, -ASSAY_ENOMEM, "out of memory");
}

static int mistake(struct reader *r, const struct look *look, enum field field,
		   const char *what)
{
	return csv_mistake(&r->csv, look_cell(look, field), r->err, "%s: %s",
			   field_names[field], what);
}

/* ---- covariates ---------------------------------------------------------- */

/* Covariates are the named columns that no field and no truth uses, and whose
 * cell in the first row is empty or a number. */
static int find_covariates(struct reader *r)
{
	r->name = calloc(TABLE_COVARIATES, sizeof(*r->name));
	if (!r->name)
		return no_memory(r);
	for (int i = 0; i < r->b.columns; i++) {
		const char *text = r->csv.cell[i].text;
		bool used = r->b.parameter[i] || !*r->b.name[i];
		double value;
		int decimals;

		for (int f = 0; f < FIELDS; f++)
			used |= r->b.of[f].kind == FROM_COLUMN &&
				r->b.of[f].column == i;
		if (used || r->covariates == TABLE_COVARIATES ||
		    (*text && !number_parse(&value, &decimals, text)))
			continue;
		r->column[r->covariates] = i;
		r->name[r->covariates] = texts_keep(r->pool, r->b.name[i]);
		if (!r->name[r->covariates++])
			return no_memory(r);
	}
	return 0;
}

static void take_covariates(struct reader *r)
{
	double *to = r->extra + r->rows * r->covariates;
	int decimals;

	for (unsigned i = 0; i < r->covariates; i++)
		if (!number_parse(&to[i], &decimals,
				  r->csv.cell[r->column[i]].text))
			to[i] = NAN;
}

/* ---- one row ------------------------------------------------------------- */

static int word_of(const char *text, const char *const *words)
{
	for (int i = 0; words[i]; i++)
		if (!strcmp(text, words[i]))
			return i;
	return -1;
}

static int take_truth(struct reader *r, const struct look *look,
		      struct judge_row *row)
{
	static const char *const words[] = { "", "unit", "model", "about",
					     NULL };
	static const char *const places[] = { "", "region", "process", NULL };
	const int truth = word_of(look_text(look, FIELD_TRUTH), words);

	if (truth < 0)
		return mistake(r, look, FIELD_TRUTH,
			       "unit, model or about is wanted");
	if (word_of(look_text(look, FIELD_MEASURED), places) < 0)
		return mistake(r, look, FIELD_MEASURED,
			       "region or process is wanted");
	row->truth = (unsigned char)truth;
	return 0;
}

/* Checks that each part of a shape is KEY=VALUE. */
static int check_shape(struct reader *r, const struct look *look)
{
	const char *part = look->shape;

	while (*part) {
		const size_t n = strcspn(part, ";");
		const char *equal = memchr(part, '=', n);

		if (n && (!equal || equal == part))
			return mistake(r, look, FIELD_SHAPE, "KEY=VALUE;... is "
				       "wanted");
		part += n + (part[n] == ';');
	}
	return 0;
}

/* Adds the columns that the truth depends on to the shape: "n=10". */
static int add_parameters(struct reader *r, char *out, size_t room,
			  const char *shape)
{
	size_t used = (size_t)snprintf(out, room, "%s", shape), n;

	for (int i = 0; i < r->b.columns; i++) {
		if (!r->b.parameter[i] || used >= room ||
		    shape_key(shape, r->b.name[i], &n))
			continue;
		used += (size_t)snprintf(out + used, room - used, "%s%s=%s",
					 used ? ";" : "", r->b.name[i],
					 r->csv.cell[i].text);
	}
	return used < room ? 0 : csv_mistake(&r->csv, r->csv.cell, r->err,
					     "the shape is too long");
}

/* Interns the text of a field, which mostly equals the field of the row
 * before. */
static const char *keep(struct reader *r, const struct look *look,
			enum field field, const char *last)
{
	const char *text = look_text(look, field);

	return last && !strcmp(last, text) ? last :
					     texts_keep(r->pool, text);
}

static int take_texts(struct reader *r, struct look *look,
		      struct judge_row *row)
{
	static const struct judge_row none;
	const struct judge_row *last = r->rows ? row - 1 : &none;
	char shape[2 * TABLE_CELL];
	int rc;

	look->shape = look_text(look, FIELD_SHAPE);
	rc = check_shape(r, look);
	rc = rc ? rc : add_parameters(r, shape, sizeof(shape), look->shape);
	if (rc)
		return rc;
	row->machine = keep(r, look, FIELD_MACHINE, last->machine);
	row->microcode = keep(r, look, FIELD_MICROCODE, last->microcode);
	row->program = keep(r, look, FIELD_PROGRAM, last->program);
	row->event = keep(r, look, FIELD_EVENT, last->event);
	row->quantity = keep(r, look, FIELD_QUANTITY, last->quantity);
	row->shape = last->shape && !strcmp(last->shape, shape) ?
		     last->shape : texts_keep(r->pool, shape);
	if (!row->machine || !row->microcode || !row->program || !row->event ||
	    !row->quantity || !row->shape)
		return no_memory(r);
	if (r->experiment && !*row->quantity) {
		row->quantity = texts_keep(r->pool, experiment_quantity(
					   r->experiment, row->event));
		if (!row->quantity)
			return no_memory(r);
	}
	return *row->event ? 0 : mistake(r, look, FIELD_EVENT,
					 "an event is wanted");
}

static int take_scale(struct reader *r, const struct look *look,
		      struct judge_row *row, int decimals)
{
	double run;
	int none, rc = look_number(look, FIELD_RESOLUTION, &row->resolution,
				   &none, r->err);

	rc = rc ? rc : look_number(look, FIELD_SCALED, &row->scaled, &none,
				   r->err);
	rc = rc ? rc : look_number(look, FIELD_RUN, &run, &none, r->err);
	if (rc)
		return rc;
	if (row->resolution <= 0)
		return mistake(r, look, FIELD_RESOLUTION,
			       "a number above 0 is wanted");
	if (isnan(row->resolution))	/* see settle_resolution() */
		row->resolution = decimals > 0 ? -pow(10, -decimals) : -1;
	if (row->scaled <= 0 || row->scaled > 1)
		return mistake(r, look, FIELD_SCALED,
			       "a share above 0 and up to 1 is wanted");
	if (run < 0 || run >= 4294967295. || run != floor(run))
		if (!isnan(run))
			return mistake(r, look, FIELD_RUN,
				       "a whole number is wanted");
	row->run = isnan(run) ? UINT32_MAX : (uint32_t)run;
	return 0;
}

static int take_numbers(struct reader *r, const struct look *look,
			struct judge_row *row)
{
	static const enum field field[] = { FIELD_COUNT, FIELD_EXPECTED,
					    FIELD_LOW, FIELD_HIGH };
	double *const to[] = { &row->count, &row->expected, &row->low,
			       &row->high };
	int decimals = 0, none, rc = 0;

	for (int i = 0; i < 4; i++) {
		rc = look_number(look, field[i], to[i], i ? &none : &decimals,
				 r->err);
		if (rc)
			return rc;
		if (*to[i] < 0)
			return mistake(r, look, field[i],
				       "a number below 0");
	}
	if (!isnan(row->expected) && !(isnan(row->low) && isnan(row->high)))
		return mistake(r, look, isnan(row->low) ? FIELD_HIGH :
			       FIELD_LOW, "a bound beside expected: one or "
			       "the other");
	return take_scale(r, look, row, decimals);
}

static int make_room(struct reader *r)
{
	const size_t room = r->room ? r->room + r->room / 2 : 1024;
	void *row, *extra;

	if (r->rows < r->room)
		return 0;
	row = realloc(r->row, room * sizeof(*r->row));
	if (row)
		r->row = row;
	extra = realloc(r->extra, room * (r->covariates ? r->covariates : 1) *
			sizeof(*r->extra));
	if (extra)
		r->extra = extra;
	if (!row || !extra)
		return no_memory(r);
	r->room = room;
	return 0;
}

static int take_row(struct reader *r)
{
	struct look look = { &r->b, &r->csv, "", NULL };
	struct judge_row *row;
	int rc = make_room(r);

	if (rc)
		return rc;
	if (r->csv.cells != (size_t)r->b.columns)
		return csv_mistake(&r->csv, &r->csv.cell[r->csv.cells - 1],
				   r->err, "%zu cells, but the header has %d",
				   r->csv.cells, r->b.columns);
	row = &r->row[r->rows];
	*row = (struct judge_row){ .count = NAN };
	rc = take_texts(r, &look, row);
	rc = rc ? rc : take_truth(r, &look, row);
	rc = rc ? rc : take_numbers(r, &look, row);
	if (!rc && r->experiment)
		rc = experiment_truth(r->experiment, &look, row, r->err);
	if (rc || isnan(row->count))	/* no count: no reading */
		return rc;
	take_covariates(r);
	rc = seen_add(&r->seen, r->row, (uint32_t)r->rows);
	if (rc > 0)
		return csv_mistake(&r->csv, &r->csv.cell[0], r->err, "this row "
				   "is there twice: the same machine, program, "
				   "shape, event and run");
	r->rows++;
	return rc ? no_memory(r) : 0;
}

/* ---- the file ------------------------------------------------------------ */

static int check_fields(struct reader *r)
{
	static const enum field wanted[] = { FIELD_EVENT, FIELD_COUNT };

	for (int i = 0; i < 2; i++) {
		if (r->b.of[wanted[i]].kind != FROM_NOTHING)
			continue;
		csv_mistake(&r->csv, &(struct cell){ NULL, 1, 1 }, r->err,
			    "no column '%s'", field_names[wanted[i]]);
		error_add(r->err, "try: --map '%s=NAME OF A COLUMN'",
			  field_names[wanted[i]]);
		return -ASSAY_EPARSE;
	}
	return 0;
}

/* Binds fields and names. Expressions may name the keys that the first row's
 * shape has. */
static int begin(struct reader *r, const struct table_reading *reading)
{
	struct look look = { &r->b, &r->csv, "", NULL };
	int rc = 0;

	r->b.first_shape = look_text(&look, FIELD_SHAPE);
	rc = bindings_set(&r->b, reading->set, reading->sets, r->err);
	if (!rc && reading->experiment)
		rc = experiment_open(&r->experiment, reading->experiment,
				     &r->b, r->err);
	if (!rc && reading->map)
		rc = bindings_map(&r->b, reading->map, r->err);
	rc = rc ? rc : check_fields(r);
	return rc ? rc : find_covariates(r);
}

static int no_rows(struct reader *r)
{
	return csv_mistake(&r->csv, &(struct cell){ NULL, 1, 1 }, r->err,
			   "a header and rows are wanted");
}

static int read_rows(struct reader *r, const struct table_reading *reading)
{
	int rc = csv_row(&r->csv, r->err);

	if (rc == 0)
		return no_rows(r);
	rc = rc < 0 ? rc : bindings_open(&r->b, &r->csv, r->err);
	rc = rc < 0 ? rc : csv_row(&r->csv, r->err);
	if (rc == 0)
		return no_rows(r);
	rc = rc < 0 ? rc : begin(r, reading);
	while (rc >= 0) {
		rc = take_row(r);
		rc = rc < 0 ? rc : csv_row(&r->csv, r->err);
		if (rc == 0)
			break;
	}
	return rc;
}

/* Rows without a resolution get the finest rounding of their event. */
static int settle_resolution(struct reader *r)
{
	struct judge_row *row = r->row;

	for (size_t i = 0; i < r->rows; i++)
		if (row[i].resolution < 0 &&
		    seen_finest(&r->seen, row[i].event, -row[i].resolution))
			return no_memory(r);
	for (size_t i = 0; i < r->rows; i++)
		if (row[i].resolution < 0)
			row[i].resolution = seen_resolution(&r->seen,
							    row[i].event);
	return 0;
}

static void name_table(char *out, const char *path)
{
	const char *name = strrchr(path, '/');
	size_t n;

	strcpy(out, name ? name + 1 : path);
	n = strlen(out);
	if (n > 4 && !strcmp(out + n - 4, ".csv"))
		out[n - 4] = '\0';
}

static void hand_over(struct reader *r, const char *path)
{
	struct owned *owned = r->table->owned;

	for (size_t i = 0; i < r->rows && r->covariates; i++)
		r->row[i].covariate = r->extra + i * r->covariates;
	r->table->input = (struct judge_input){
		r->row, r->rows, r->name, r->covariates, false,
	};
	name_table(r->table->name, path);
	owned->row = r->row;
	owned->extra = r->extra;
	owned->name = r->name;
}

static struct table *new_table(const char *path)
{
	struct table *table = calloc(1, sizeof(*table));

	if (!table)
		return NULL;
	table->owned = calloc(1, sizeof(struct owned));
	table->name = malloc(strlen(path) + 1);
	if (table->owned && table->name)
		return table;
	table_free(table);
	return NULL;
}

int table_parse(struct table **out, const char *name, const char *text,
		size_t bytes, const struct table_reading *reading,
		struct assay_error *err)
{
	struct reader r = { .table = new_table(name), .err = err };
	int rc;

	if (!r.table)
		return error_set(err, -ASSAY_ENOMEM, "out of memory");
	r.pool = &((struct owned *)r.table->owned)->pool;
	rc = csv_open(&r.csv, name, text, bytes, err);
	if (!rc) {
		rc = read_rows(&r, reading);
		rc = rc ? rc : settle_resolution(&r);
		bindings_close(&r.b);
		experiment_close(r.experiment);
		csv_close(&r.csv);
		seen_close(&r.seen);
	}
	texts_close(r.pool);
	hand_over(&r, name);
	if (rc)
		table_free(r.table);
	else
		*out = r.table;
	return rc;
}

int table_read(struct table **out, const char *path,
	       const struct table_reading *reading, struct assay_error *err)
{
	char *text;
	size_t bytes;
	int rc = input_table(&text, &bytes, path, TABLE_BYTES, err);

	if (rc)
		return rc;
	rc = table_parse(out, strcmp(path, "-") ? path : "stdin", text, bytes,
			 reading, err);
	free(text);
	return rc;
}

void table_free(struct table *table)
{
	struct owned *owned = table ? table->owned : NULL;

	if (owned) {
		texts_free(&owned->pool);
		free(owned->row);
		free(owned->extra);
		free(owned->name);
	}
	if (table)
		free(table->name);
	free(owned);
	free(table);
}
