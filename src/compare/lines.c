/* SPDX-License-Identifier: MIT */
/*
 * Functions and lines, old beside new. A function is known by its name, and one
 * of a shared library by the library's name too. Between two builds the lines
 * of a function move: lines that all moved by one number are the same lines;
 * else the lines are paired in their order, so that the counts of the pairs
 * differ least.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "compare/parts.h"

#define TABLE_MOST 4000000u	/* cells of one alignment */

/* ---- names --------------------------------------------------------------- */

const char *lines_base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* The bytes of a library's name without its version; 0: no library. */
static size_t library(const char *object, const char **name)
{
	const char *end;

	*name = lines_base_name(object);
	end = strstr(*name, ".so");
	return end ? (size_t)(end - *name) : 0;
}

static int by_bytes(const char *a, size_t na, const char *b, size_t nb)
{
	const int c = strncmp(a, b, na < nb ? na : nb);

	return c ? c : (na > nb) - (na < nb);
}

static int by_function(const struct place_row *a, const struct place_row *b)
{
	const char *na, *nb;
	const size_t la = library(a->object, &na), lb = library(b->object, &nb);
	const int c = strcmp(a->function, b->function);

	return c ? c : by_bytes(na, la, nb, lb);
}

/* "dir/a.c:12": the file's bytes, without folders, and the number. */
static size_t split(const struct place_row *row, const char **file,
		    unsigned long *number)
{
	const char *colon;

	*file = lines_base_name(row->line);
	colon = strrchr(*file, ':');
	*number = colon ? strtoul(colon + 1, NULL, 10) : 0;
	return colon ? (size_t)(colon - *file) : strlen(*file);
}

static int by_file(const struct place_row *a, const struct place_row *b)
{
	unsigned long ignored;
	const char *fa, *fb;
	const size_t na = split(a, &fa, &ignored), nb = split(b, &fb, &ignored);
	const int c = by_function(a, b);

	return c ? c : by_bytes(fa, na, fb, nb);
}

static unsigned long number_of(const struct place_row *row)
{
	unsigned long number;
	const char *file;

	split(row, &file, &number);
	return number;
}

static int by_line(const void *pa, const void *pb)
{
	const struct place_row *a = *(const struct place_row *const *)pa;
	const struct place_row *b = *(const struct place_row *const *)pb;
	const unsigned long na = number_of(a), nb = number_of(b);
	const int c = by_file(a, b);

	return c ? c : (na > nb) - (na < nb);
}

/* ---- pairs --------------------------------------------------------------- */

struct rows { const struct place_row **row; size_t rows; };

static void put(struct lines *to, const struct place_row *old,
		const struct place_row *new)
{
	to->pair[to->pairs++] = (struct line_pair){ old, new };
}

/* The same lines, all moved by one number? */
static bool moved(const struct rows *old, const struct rows *new)
{
	for (size_t i = 0; i < old->rows && old->rows == new->rows; i++)
		if (number_of(new->row[i]) - number_of(old->row[i]) !=
		    number_of(new->row[0]) - number_of(old->row[0]))
			return false;
	return old->rows == new->rows;
}

/* How much two lines differ; NULL: a line that is not there. */
static double distance(const struct place_row *old, const struct place_row *new)
{
	double sum = 0;

	for (int i = 0; i < TALLY_COLUMNS; i++) {
		const double a = old ? old->count[i] : 0;
		const double b = new ? new->count[i] : 0;

		if (!isnan(a) && !isnan(b))
			sum += fabs(a - b);
	}
	return sum;
}

/*
 * Alignment by dynamic programming, from the ends: cost[i * (n + 1) + j] is the
 * least distance between old lines from i and new lines from j.
 */
static bool align(struct lines *to, const struct rows *old,
		  const struct rows *new)
{
	const size_t m = old->rows, n = new->rows, wide = n + 1;
	double *cost = calloc((m + 1) * wide, sizeof(*cost));
	size_t i, j;

	if (!cost)
		return false;
	for (i = m + 1; i-- > 0;)
		for (j = wide; j-- > 0;) {
			double least = i == m && j == n ? 0 : INFINITY;

			if (i < m)
				least = distance(old->row[i], NULL) +
					cost[(i + 1) * wide + j];
			if (j < n)
				least = fmin(least, cost[i * wide + j + 1] +
					     distance(NULL, new->row[j]));
			if (i < m && j < n)
				least = fmin(least, distance(old->row[i],
							     new->row[j]) +
					     cost[(i + 1) * wide + j + 1]);
			cost[i * wide + j] = least;
		}
	for (i = j = 0; i < m || j < n;) {
		const double here = cost[i * wide + j];

		if (i < m && j < n && here ==
		    distance(old->row[i], new->row[j]) +
		    cost[(i + 1) * wide + j + 1])
			put(to, old->row[i++], new->row[j++]);
		else if (i < m && (j == n || here ==
			 distance(old->row[i], NULL) + cost[(i + 1) * wide + j]))
			put(to, old->row[i++], NULL);
		else
			put(to, NULL, new->row[j++]);
	}
	free(cost);
	return true;
}

/* Lines of one function in one file. */
static int pair_lines(struct lines *to, const struct rows *old,
		      const struct rows *new, struct assay_error *err)
{
	if (old->rows && new->rows && !moved(old, new) &&
	    old->rows * new->rows <= TABLE_MOST)
		return align(to, old, new) ? 0 : error_memory(err);
	for (size_t i = 0; i < old->rows || i < new->rows; i++)
		put(to, i < old->rows ? old->row[i] : NULL,
		    i < new->rows ? new->row[i] : NULL);
	return 0;
}

/* Takes the rows at the front that are of the same file as `like`. */
static struct rows take(struct rows *from, const struct place_row *like)
{
	struct rows out = { from->row, 0 };

	while (from->rows && by_file(from->row[0], like) == 0) {
		out.rows++;
		from->row++;
		from->rows--;
	}
	return out;
}

static int pair_all(struct lines *to, struct rows old, struct rows new,
		    struct assay_error *err)
{
	int rc = 0;

	while ((old.rows || new.rows) && !rc) {
		const struct place_row *like =
			!new.rows || (old.rows &&
				      by_file(old.row[0], new.row[0]) < 0) ?
			old.row[0] : new.row[0];
		const struct rows a = take(&old, like), b = take(&new, like);

		rc = pair_lines(to, &a, &b, err);
	}
	return rc;
}

static void sort(struct rows *rows, const struct group *group)
{
	for (size_t i = 0; i < group->places; i++)
		rows->row[i] = &group->place[i];
	rows->rows = group->places;
	if (rows->rows)
		qsort(rows->row, rows->rows, sizeof(*rows->row), by_line);
}

int lines_make(struct lines *out, const struct pair *pair,
	       struct assay_error *err)
{
	const size_t m = pair->old->places, n = pair->new->places;
	struct lines lines = { calloc(m + n + 1, sizeof(*lines.pair)), 0 };
	const struct place_row **row = calloc(m + n + 1, sizeof(*row));
	struct rows old = { row, 0 }, new = { row + m, 0 };
	int rc = lines.pair && row ? 0 : error_memory(err);

	if (!rc && m && n) {
		sort(&old, pair->old);
		sort(&new, pair->new);
		rc = pair_all(&lines, old, new, err);
	}
	free(row);
	if (rc)
		lines_fini(&lines);
	else
		*out = lines;
	return rc;
}

void lines_fini(struct lines *lines)
{
	free(lines->pair);
	*lines = (struct lines){ 0 };
}

/* ---- counts -------------------------------------------------------------- */

int lines_column(const char *name)
{
	for (int i = 0; name && i < TALLY_COLUMNS; i++)
		if (text_equal(place_columns[i], name))
			return i;
	return -1;
}

double lines_old(const struct line_pair *pair, int column)
{
	return pair->old ? pair->old->count[column] : 0;
}

double lines_new(const struct line_pair *pair, int column)
{
	return pair->new ? pair->new->count[column] : 0;
}

const struct place_row *lines_row(const struct line_pair *pair)
{
	return pair->new ? pair->new : pair->old;
}

bool lines_alike(const struct line_pair *a, const struct line_pair *b)
{
	return by_function(lines_row(a), lines_row(b)) == 0;
}

struct held lines_held(const struct lines *lines, int column, bool up)
{
	struct held most = { NULL, 0 };

	for (size_t i = 0, j; column >= 0 && i < lines->pairs; i = j) {
		struct held here = { NULL, 0 };
		double line = 0;

		for (j = i; j < lines->pairs &&
		     lines_alike(&lines->pair[i], &lines->pair[j]); j++) {
			const double by = lines_new(&lines->pair[j], column) -
					  lines_old(&lines->pair[j], column);

			if (isnan(by))
				continue;
			here.change += by;
			if (up ? by > line : by < line) {
				line = by;
				here.line = lines_row(&lines->pair[j]);
			}
		}
		if (here.line && (up ? here.change > most.change :
				       here.change < most.change))
			most = here;
	}
	return most;
}
