/* SPDX-License-Identifier: MIT */
/*
 * Reasons, each once, with the columns that they concern and, where rows have
 * a name, the rows.
 */
#ifndef REPORT_REMARKS_H
#define REPORT_REMARKS_H

#include <stddef.h>

struct remark { char *columns, *rows, *why; };
struct remarks {
	struct remark *remark;
	size_t count;
};

/* row: its name, or "". Returns 0 or -ASSAY_ENOMEM. */
int remarks_add(struct remarks *remarks, const char *column, const char *row,
		const char *why);
/* "- column of row, row: why"; many rows are not listed. Caller frees. */
char *remark_text(const struct remark *remark);
void remarks_fini(struct remarks *remarks);

#endif
