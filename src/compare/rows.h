/* SPDX-License-Identifier: MIT */
/* The rows of a comparison; assay.h has their fields. Functions return 0 or
 * -ASSAY_ESTOP, or -ASSAY_ENOMEM with *err. */
#ifndef COMPARE_ROWS_H
#define COMPARE_ROWS_H

#include "compare/parts.h"

struct rows_out {
	assay_row_fn *fn;
	void *ctx;
	const char *file;	/* the new source */
};

int rows_answer(const struct rows_out *out, const struct change *head,
		const struct lines *lines, const struct counted *counted);
/* pair: whose shape is shown; NULL: the only one. */
int rows_limit(const struct rows_out *out, const char *limit,
	       const struct judged *judged, const struct pair *pair);
/* All quantities of all pairs, the largest change first. */
int rows_changes(const struct rows_out *out, const struct pair *pair,
		 size_t pairs, struct assay_error *err);
/* What changed by line, for each column the largest change first. */
int rows_places(const struct rows_out *out, const struct lines *lines,
		struct assay_error *err);
/* A group that only the old, or only the new source has. */
int rows_missing(const struct rows_out *out, const struct group *group,
		 bool old);
int rows_differs(const struct rows_out *out, const struct assay_record *old,
		 const struct assay_record *new);

#endif
