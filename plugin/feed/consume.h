/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the taking thread makes of words, and where it is. */
#ifndef PLUGIN_FEED_CONSUME_H
#define PLUGIN_FEED_CONSUME_H

#include "base/access.h"
#include "plugin/decode/decode.h"
#include "plugin/filter/filter.h"

#define STREAM_RECORDS 2048

struct stream {
	uint32_t records;
	uint64_t record[STREAM_RECORDS];
	uint32_t site[STREAM_RECORDS];	/* ATTRIBUTE */
};

#define OUTCOMES 2048

/* Conditional branches of the stream, predicted many at a time. */
struct outcomes {
	uint32_t n, predicted;
	uint64_t outcome[OUTCOMES];	/* see sim_outcomes */
	uint32_t site[OUTCOMES];
	uint32_t at[OUTCOMES];		/* how many records come before it */
	uint32_t strays;		/* walks of a wrong path: ... */
	uint32_t stray[OUTCOMES];	/* ... behind which of them */
	uint32_t walks;			/* so many each */
};

/* Sums of what is fed in another form, or not at all. */
struct sums {
	uint64_t instructions;
	uint64_t fetches;	/* rule 3 */
	uint64_t hits[2];	/* rule 3: loads, stores */
	uint64_t flow[FLOWS];	/* branches, if there is no predictor */
	uint64_t taken;
	uint64_t unseen[TALLY_UNSEENS];
	uint64_t loads, stores;	/* COUNT */
};

/* What the taking thread knows of the simulator. */
struct taker {
	struct stream access;
	struct outcomes outcomes;
	struct sums sums;
	struct lane *lane;	/* whose words were last */
	uint64_t pc;		/* what the last ACCESS_PC told */
	uint64_t again;		/* rule 4: how often lane->loop ran again */
	struct filter filter;
};

struct buffer;

/* Words into records. */
void consume(struct buffer *buffer);

#endif
