/* SPDX-License-Identifier: MIT */
/*
 * The verdicts of `assay ci` in the formats of others: a comment on a pull
 * request (Markdown), JUnit's XML, and GitHub's annotations. Names come from
 * programs: each format escapes what it gives a meaning to, and drops control
 * characters.
 */
#ifndef CLI_CI_FORMAT_H
#define CLI_CI_FORMAT_H

#include <stdio.h>

#include "assay/ci.h"
#include "cli/rows.h"

struct ci_report {
	const struct kept_rows *rows;
	const struct assay_ci_outcome *outcome;
	const char *answer;	/* one sentence */
	const char *cpu;	/* or NULL */
};

typedef void ci_format_fn(FILE *out, const struct ci_report *report);
ci_format_fn ci_format_markdown, ci_format_junit, ci_format_github;

/* "main (heap.c:18)", or "". */
void ci_place(char *out, size_t room, const struct assay_row *row);
/* "+15.16 %"; where there is none, the reason, or "". */
void ci_change(char *out, size_t room, const struct assay_row *row);

#endif
