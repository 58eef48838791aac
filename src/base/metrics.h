/* SPDX-License-Identifier: MIT */
/*
 * Metrics as other tools' files have them: names and expressions in those
 * tools' own language. Texts are owned by the list.
 */
#ifndef BASE_METRICS_H
#define BASE_METRICS_H

#include <stdbool.h>
#include <stddef.h>

/* What a name in the expressions stands for. */
struct metric_counter {
	const char *name;	/* "PMC0", "a" */
	const char *event;	/* "L1D_REPLACEMENT"; of a constant its name, or
				 * a number */
	bool constant;
};

struct metric_item {
	const char *name;
	const char *expression;
	const char *about;	/* one sentence, or "" */
	const char *unit;	/* as the tool shows it, or "" */
	const char *why;	/* why the line cannot be read; or NULL */
	struct metric_counter *counter;	/* of this metric alone; or NULL */
	size_t counters;
};

struct metric_list {
	const char *format;	/* "perf", "perfmon", "likwid" */
	const char *title;	/* or "" */
	struct metric_item *item;
	size_t items;
	struct metric_counter *counter;
	size_t counters;
	void *owned;
};

#endif
