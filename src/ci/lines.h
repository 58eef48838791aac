/* SPDX-License-Identifier: MIT */
/*
 * Counts by source line of two builds, and the lines that hold a difference.
 * Lines of two builds match through the text of the source: an alignment of the
 * executed lines of a file that costs least.
 */
#ifndef CI_LINES_H
#define CI_LINES_H

#include <stddef.h>
#include <stdint.h>

#include "assay/error.h"
#include "assay/quantity.h"
#include "assay/row.h"
#include "store/programs/tally.h"

/* All instructions of a line; without a source, of a function. Texts are
 * borrowed from the lines. */
struct ci_line {
	const char *function, *object;
	const char *file;	/* the source; "": not known */
	int line;
	const char *text;	/* of the source; NULL: it cannot be read, or is
				 * newer than the program */
	uint64_t count[TALLY_COLUMNS];
};

struct ci_lines {
	struct ci_line *of;
	size_t n;
	const char **object;	/* paths of all files that code was run of, but
				 * for the program's own */
	size_t objects;
	char *names;		/* owns function, object and file */
	char **source;		/* owns text; NULL-terminated */
	bool cut;		/* there was no room for all */
};

/*
 * From the rows of a run, each "function\tfile\tline\tobject\tcounts...\n" in
 * `names`, which is taken over. program: the path of the program's file, whose
 * functions get the object "". Returns 0 or -ASSAY_ENOMEM.
 */
int ci_lines_read(struct ci_lines *out, char *names, const char *program,
	       struct assay_error *err);
/* Puts lines that were made by hand into the order that ci_lines_match()
 * expects. */
void ci_lines_order(struct ci_lines *lines);
void ci_lines_fini(struct ci_lines *lines);

/* The column that holds a quantity; TALLY_COLUMNS: none. */
enum tally_column ci_lines_column(enum assay_quantity quantity);
extern const char *const ci_column_names[TALLY_COLUMNS];

/* A line of either build, or of both; NULL: it has no line. */
struct ci_pair { const struct ci_line *base, *head; };

/* All pairs, those of one line first. The caller frees *out. Returns 0 or
 * -ASSAY_ENOMEM. */
int ci_lines_match(struct ci_pair **out, size_t *pairs,
		   const struct ci_lines *base, const struct ci_lines *head,
		   struct assay_error *err);

/* How many more counts the line has in the head. */
int64_t ci_line_more(const struct ci_pair *pair, enum tally_column column);
/* Sorts by ci_line_more() of a column, the largest first. */
void ci_lines_sort(struct ci_pair *pair, size_t pairs,
		   enum tally_column column);

#endif
