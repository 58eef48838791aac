/* SPDX-License-Identifier: MIT */
/*
 * Reasons of absent values, each once, with the columns that the reason
 * concerns and, where rows have a name, the rows.
 */
#ifndef REPORT_REMARKS_H
#define REPORT_REMARKS_H

#include <stddef.h>

struct remark { char *columns, *rows, *why; };
struct remarks {
	struct remark *remark;
	size_t count;
};

/* row: the row's name, or "". Returns 0 or -ASSAY_ENOMEM. */
int remarks_add(struct remarks *remarks, const char *column, const char *row,
		const char *why);
/*
 * "- column of row, row: why", of the i-th. Many rows are not listed, unless
 * other rows of the column have other reasons. Caller frees.
 */
char *remark_text(const struct remarks *remarks, size_t i);
void remarks_fini(struct remarks *remarks);

#endif
