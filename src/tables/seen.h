/* SPDX-License-Identifier: MIT */
/* Finds rows that occur twice, and the finest rounding of each event. */
#ifndef TABLES_SEEN_H
#define TABLES_SEEN_H

#include "analysis/judge/judge.h"

struct seen {
	uint32_t *slot;		/* 0: free; else a row's number + 1 */
	size_t slots, used;
	struct finest { const char *event; double resolution; } *finest;
	size_t events, room;	/* open addressing */
};

/* Adds row[at], whose texts are interned. Returns 1 if an equal row was added
 * before, -1 if memory is short. Rows without a run are never equal. */
int seen_add(struct seen *seen, const struct judge_row *row, uint32_t at);
/* -1: no memory. */
int seen_finest(struct seen *seen, const char *event, double resolution);
double seen_resolution(const struct seen *seen, const char *event);
void seen_close(struct seen *seen);

#endif
