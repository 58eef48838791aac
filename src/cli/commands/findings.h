/* SPDX-License-Identifier: MIT */
/* The doctor's findings on paper: the answer, then as much as is asked for. */
#ifndef CLI_COMMANDS_FINDINGS_H
#define CLI_COMMANDS_FINDINGS_H

#include "report/report.h"

#define FINDINGS 128

/* Copies: a row's strings are borrowed for the call. */
struct finding {
	char part[32], what[64], state[12];
	char evidence[512], effect[512], cure[512];
};

struct findings {
	struct finding *finding;
	char machine[400];	/* one line */
	char answer[400], next[400];
	size_t count;
	bool can_count;
	bool bad;		/* any finding is */
	struct report *report;	/* not for people: there each row goes */
};

/* The answer, then what is bad or disturbs, within 40 lines of 80 columns. */
void findings_brief(FILE *out, const struct report_style *style,
		    const struct findings *all);

/* The answer, then all findings with their evidence, and what to do. */
void findings_full(FILE *out, const struct report_style *style,
		   const struct findings *all);

#endif
