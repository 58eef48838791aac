/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The consumer: the plugin's thread that turns captured events into records. */
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
	uint32_t wrong_path_walks;		/* walks of a wrong path: ... */
	uint32_t wrong_path[OUTCOMES];	/* ... behind which of them */
	uint32_t walks;			/* how many follow each */
};

/* Counts of instructions, hits and branches that need no record. */
struct sums {
	uint64_t instructions;
	uint64_t fetches;	/* rule 3 */
	uint64_t hits[2];	/* rule 3: loads, stores */
	uint64_t flow[FLOWS];	/* branches, if there is no predictor */
	uint64_t taken;
	uint64_t unseen[TALLY_UNSEENS];
	uint64_t loads, stores;	/* COUNT */
};

/* What the consumer keeps between buffers. */
struct consumer {
	struct stream access;
	struct outcomes outcomes;
	struct sums sums;
	struct lane *lane;	/* of the last buffer */
	uint64_t pc;		/* of the last ACCESS_PC */
	uint64_t again;		/* rule 4: how often lane->loop ran again */
	struct filter filter;
};

struct buffer;

/* Turns a buffer's events into records and feeds them. */
void consume(struct buffer *buffer);

#endif
