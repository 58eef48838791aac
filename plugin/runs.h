/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs of blocks, one by one and eight at a time. */
#ifndef PLUGIN_RUNS_H
#define PLUGIN_RUNS_H

#include "lane.h"

#define PIECE 256		/* of runs, that are looked at at a time */
#define TRANSFER_KIND (ACCESS_CALL - FLOW_CALL)	/* of a flow: its record's */

_Static_assert(ACCESS_RETURN - ACCESS_CALL == FLOW_RETURN - FLOW_CALL &&
	       ACCESS_JUMP - ACCESS_CALL == FLOW_JUMP - FLOW_CALL &&
	       FLOW_RETURN - FLOW_CALL == 1,
	       "records of transfers are in the order of flows");

/* What a piece ended with, not predicted yet. */
struct ends {
	uint32_t outcomes, calls, jumps;
	uint64_t outcome[PIECE + 8];	/* see sim_outcomes, ... */
	uint64_t call[PIECE + 8];	/* ... sim_calls, ... */
	uint64_t pc[PIECE + 8], jump[PIECE + 8];	/* ... sim_jumps */
	uint32_t went[PIECE + 8];	/* the run that an outcome led to */
};

/* What the blocks of a buffer, which have run, retire and predict. What walks
 * of a wrong path come after is fed before them. */
void runs_take(struct taker *t, struct lane *lane, struct buffer *buffer);

/* runs-8-*.c: as many as can be taken eight at a time, with nothing that is
 * rare, from i on, which is not the first run, up to `end`. Adds to e and
 * *instructions; returns where it ended. */
uint32_t runs_eights(const uint32_t *ran, uint32_t i, uint32_t end,
		     struct ends *e, uint64_t *instructions);
/* Can this machine? */
bool runs_in_eights(void);

#endif
