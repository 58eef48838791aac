/* SPDX-License-Identifier: MIT */
/*
 * Which line of one build is which line of the other: see lines.h. The lines of
 * a file are aligned as by `diff`, with costs: lines of one text are free, a
 * line that was changed costs less than one removed and one added. Where a text
 * is missing, equal counts of instructions stand for an equal text.
 */
#define _GNU_SOURCE	/* qsort_r */
#include "ci/lines.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/compare/compare.h"
#include "base/text.h"

enum { GAP = 2, CHANGED = 3 };	/* costs */
#define CELLS (64u << 20)	/* of an alignment, at most */

struct matching {
	struct ci_pair *pair;
	size_t n;
};

/* Lines from `of` on, of one file. */
struct stretch { const struct ci_line *of; size_t n; };

const char *const ci_column_names[TALLY_COLUMNS] = {
#define X(name, sentence) #name,
#include "store/programs/tally.def"
#undef X
};

enum tally_column ci_lines_column(enum assay_quantity quantity)
{
	const char *name = compare_column(assay_quantity_name(quantity));
	int i = 0;

	while (i < TALLY_COLUMNS && (!name || strcmp(ci_column_names[i], name)))
		i++;
	return i;
}

static void put(struct matching *m, const struct ci_line *base,
		const struct ci_line *head)
{
	m->pair[m->n++] = (struct ci_pair){ base, head };
}

static unsigned cost(const struct ci_line *a, const struct ci_line *b)
{
	if (a->text && b->text)
		return strcmp(a->text, b->text) ? CHANGED : 0;
	return !strcmp(a->function, b->function) &&
	       a->count[TALLY_instructions] == b->count[TALLY_instructions] ?
	       0 : CHANGED;
}

enum step { BOTH, BASE_ONLY, HEAD_ONLY };

/* Fills the steps that end at each cell, row by row. row: costs of the ends of
 * a row, b.n + 1 of them. */
static void fill(unsigned char *step, unsigned *row, struct stretch a,
		 struct stretch b)
{
	for (size_t j = 0; j <= b.n; j++) {
		row[j] = (unsigned)j * GAP;
		step[j] = HEAD_ONLY;
	}
	for (size_t i = 1; i <= a.n; i++) {
		unsigned diagonal = row[0];

		row[0] += GAP;
		step[i * (b.n + 1)] = BASE_ONLY;
		for (size_t j = 1; j <= b.n; j++) {
			unsigned both = diagonal + cost(&a.of[i - 1],
							&b.of[j - 1]);
			unsigned up = row[j] + GAP, left = row[j - 1] + GAP;
			unsigned char *s = &step[i * (b.n + 1) + j];

			diagonal = row[j];
			*s = both <= up && both <= left ? BOTH :
			     up <= left ? BASE_ONLY : HEAD_ONLY;
			row[j] = *s == BOTH ? both : up <= left ? up : left;
		}
	}
}

static void trace_back(struct matching *m, const unsigned char *step,
		       struct stretch a, struct stretch b)
{
	size_t i = a.n, j = b.n;

	while (i || j) {
		const enum step s = step[i * (b.n + 1) + j];

		i -= s != HEAD_ONLY;
		j -= s != BASE_ONLY;
		put(m, s == HEAD_ONLY ? NULL : &a.of[i],
		    s == BASE_ONLY ? NULL : &b.of[j]);
	}
}

static int align(struct matching *m, struct stretch a, struct stretch b,
		 struct assay_error *err)
{
	const size_t cells = (a.n + 1) * (b.n + 1);
	unsigned char *step = cells < CELLS ? malloc(cells) : NULL;
	unsigned *row = calloc(b.n + 1, sizeof(*row));
	int rc = 0;

	if (step && row) {
		fill(step, row, a, b);
		trace_back(m, step, a, b);
	} else {
		rc = error_memory(err);
	}
	free(step);
	free(row);
	return rc;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* The lines of the next file. */
static struct stretch next_file(const struct ci_lines *lines, size_t from)
{
	struct stretch out = { lines->of + from, 0 };

	while (from + out.n < lines->n && *out.of->file &&
	       !strcmp(out.of[out.n].file, out.of->file))
		out.n++;
	return out;
}

/* How many folders at the end two paths share; 0: not even the name. */
static size_t alike(const char *a, const char *b)
{
	size_t i = strlen(a), j = strlen(b), out = 1;

	if (strcmp(base_name(a), base_name(b)))
		return 0;
	while (i && j && a[--i] == b[--j])
		out += a[i] == '/';
	return out;
}

/* The file of the head that is most like this one and has no partner yet.
 * renamed: one of another name will do, if both sources can be read. */
static struct stretch partner(const struct ci_lines *head,
			      const struct ci_line *of, const bool *taken,
			      bool renamed)
{
	struct stretch best = { NULL, 0 }, s;
	size_t most = 0;

	for (size_t i = 0; i < head->n && (s = next_file(head, i)).n;
	     i += s.n) {
		size_t n = taken[i] ? 0 : renamed ? s.of->text && of->text :
			   alike(s.of->file, of->file);

		if (n > most) {
			most = n;
			best = s;
		}
	}
	return best;
}

/* Aligns the files of the base that have a partner. done: by index of a file's
 * first line; so is taken, of the head. */
static int match_partners(struct matching *m, const struct ci_lines *base,
			  const struct ci_lines *head, bool *done, bool *taken,
			  bool renamed, struct assay_error *err)
{
	struct stretch a, b;
	int rc = 0;

	for (size_t i = 0; i < base->n && rc == 0 &&
	     (a = next_file(base, i)).n; i += a.n) {
		if (done[i] || !(b = partner(head, a.of, taken, renamed)).n)
			continue;
		done[i] = taken[b.of - head->of] = true;
		rc = align(m, a, b, err);
	}
	return rc;
}

static void match_alone(struct matching *m, const struct ci_lines *lines,
			const bool *done, bool is_base)
{
	struct stretch s;

	for (size_t i = 0; i < lines->n && (s = next_file(lines, i)).n;
	     i += s.n)
		for (size_t j = 0; !done[i] && j < s.n; j++)
			put(m, is_base ? &s.of[j] : NULL,
			    is_base ? NULL : &s.of[j]);
}

static int match_files(struct matching *m, const struct ci_lines *base,
		       const struct ci_lines *head, struct assay_error *err)
{
	bool *done = calloc(base->n + head->n + 2, sizeof(*done));
	bool *taken;
	int rc;

	if (!done)
		return error_memory(err);
	taken = done + base->n + 1;
	rc = match_partners(m, base, head, done, taken, false, err);
	if (rc == 0)
		rc = match_partners(m, base, head, done, taken, true, err);
	match_alone(m, base, done, true);
	match_alone(m, head, taken, false);
	free(done);
	return rc;
}

static int by_name(const struct ci_line *a, const struct ci_line *b)
{
	int c = strcmp(a->object, b->object);

	return c ? c : strcmp(a->function, b->function);
}

/* Functions without a file stand last, sorted by object and name. */
static void match_functions(struct matching *m, const struct ci_lines *base,
			    const struct ci_lines *head)
{
	size_t i = 0, j = 0;

	while (i < base->n && *base->of[i].file)
		i++;
	while (j < head->n && *head->of[j].file)
		j++;
	while (i < base->n || j < head->n) {
		int c = i == base->n ? 1 : j == head->n ? -1 :
			by_name(&base->of[i], &head->of[j]);

		put(m, c <= 0 ? &base->of[i] : NULL,
		    c >= 0 ? &head->of[j] : NULL);
		i += c <= 0;
		j += c >= 0;
	}
}

int ci_lines_match(struct ci_pair **out, size_t *pairs,
		   const struct ci_lines *base, const struct ci_lines *head,
		   struct assay_error *err)
{
	struct matching m = { .n = 0 };
	int rc;

	m.pair = calloc(base->n + head->n + 1, sizeof(*m.pair));
	rc = m.pair ? match_files(&m, base, head, err) : error_memory(err);
	if (rc < 0) {
		free(m.pair);
		return rc;
	}
	match_functions(&m, base, head);
	*out = m.pair;
	*pairs = m.n;
	return 0;
}

int64_t ci_line_more(const struct ci_pair *pair, enum tally_column column)
{
	return (int64_t)((pair->head ? pair->head->count[column] : 0) -
			 (pair->base ? pair->base->count[column] : 0));
}

static int by_more(const void *pa, const void *pb, void *column)
{
	const enum tally_column c = *(const enum tally_column *)column;
	const int64_t a = ci_line_more(pa, c), b = ci_line_more(pb, c);

	return (a < b) - (a > b);
}

void ci_lines_sort(struct ci_pair *pair, size_t pairs,
		   enum tally_column column)
{
	qsort_r(pair, pairs, sizeof(*pair), by_more, &column);
}
