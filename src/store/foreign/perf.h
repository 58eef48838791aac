/* SPDX-License-Identifier: MIT */
/*
 * What one line of perf stat says, and how the counts of several lines belong
 * together: a time of -I is a repetition, a place is a record.
 */
#ifndef STORE_FOREIGN_PERF_H
#define STORE_FOREIGN_PERF_H

#include "store/foreign/reader.h"

/* Texts as perf wrote them; NULL: the line has none. */
struct perf_row {
	const char *time;	/* of -I, or "summary" */
	const char *place;	/* "CPU0", "S0-D0", "sh-4711" */
	const char *value;	/* "48", "<not counted>" */
	const char *unit;	/* "msec" */
	const char *event, *cgroup;
	const char *variation;	/* of -r: "0.65%", or "0.65". The value is the
				 * mean of all runs; in perf 6.1 it is that of
				 * the last run */
	const char *runtime;	/* ns; NULL: versions before 4.1 */
	const char *percent;	/* "100.00" */
};

#define PERF_RAWS 4096

/* What earlier lines said. */
struct perf_state {
	char time[32];		/* of the interval */
	char first[256];	/* the first event of the run */
	char before[256];	/* the event of the line before */
	unsigned repeat;	/* the interval */
	bool intervals, any;	/* any: the run has a count */
	bool marked;		/* a line announces each run */
	struct perf_raw {	/* lines of -v: raw count, enabled, running */
		char event[ASSAY_NAME];
		struct assay_count count;
		bool used;
	} *raw;
	unsigned raws;
};

#define PERF_SEPARATOR 16	/* bytes of a separator, with its NUL */

/* Can the character be of a separator? */
bool perf_between(char c);
/* Finds the separator of a line, whose numbers have that decimal mark. */
bool perf_find_separator(char *out, const char *line, char mark);
/* The text of "     1.000104000", or of the word "summary"; else NULL. */
char *perf_time_of(char *field);
/* Takes the fields of the line apart. `old`: RUNTIME may be missing. */
bool perf_take_apart(struct perf_row *row, struct scan *scan,
		     const char *separator, bool old);

/* Adds the row's count. */
int perf_take(struct reader *reader, struct perf_state *state,
	      const struct perf_row *row);
/* Takes a line such as "cycles: 4711 1000 1000". False: the line is another. */
bool perf_take_raw(struct reader *reader, struct perf_state *state);
/* A new run begins, with a line "# started on DATE" for example. */
void perf_new_run(struct reader *reader, struct perf_state *state);

#endif
