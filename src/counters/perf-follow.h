/* SPDX-License-Identifier: MIT */
/*
 * Counters of other programs: of threads and all that they start, or of
 * everything on a CPU. Opened before the program starts, read any number of
 * times. A spot is a place to count at: a thread, a CPU, or a control group on
 * a CPU; every event is opened at every spot.
 *
 * Invariants
 * 1. Every counter is read by itself, with its own times: if a group loses a
 *    member in a program that forks, the others can still be read.
 * 2. Nothing is reset: the caller subtracts two readings.
 * 3. An event that cannot be counted at a spot disturbs no other event.
 */
#ifndef COUNTERS_PERF_FOLLOW_H
#define COUNTERS_PERF_FOLLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "assay/error.h"
#include "base/encoding.h"

#define FOLLOW_SPOTS 4096	/* at most */

/* As perf_event_open takes it: pid -1 is every thread on the CPU, cpu -1 is
 * every CPU that the thread runs on. */
struct follow_spot {
	pid_t pid;		/* of a control group: its open folder */
	int cpu;
	bool cgroup;
};

/* Not in any group: counted by itself. */
#define FOLLOW_ALONE 255

struct follow_setup {
	const struct group *events;
	/* Per event its group, or FOLLOW_ALONE: events of one group are counted
	 * at the same times. NULL: all of them alone. */
	const unsigned char *together;
	/* Per event: not to be opened; its .why stays "". NULL: none. */
	const bool *left_out;
	const struct follow_spot *spot;
	size_t spots;
	/* Does the event's PMU count on this CPU? NULL: all do. */
	bool (*counts_on)(const void *ctx, unsigned event, int cpu);
	const void *ctx;
	bool inherit;		/* also threads and processes started later */
	bool on_exec;		/* starts when the thread calls exec */
	const char *sysroot;
};

struct follow_value { uint64_t value, enabled, running; };

/* The last reading of a retired spot. */
struct follow_last {
	struct follow_value value;
	bool read;		/* false: it could not be read */
};

struct follow {
	unsigned events;
	size_t spots;
	/* Indexed by spot * events + event: */
	int *fd;		/* -1: not open */
	bool *leads;		/* leader of a group, or alone */
	struct follow_last *last;	/* of retired spots */
	bool *retired;		/* indexed by spot */
	/* Indexed by event: */
	unsigned open[ASSAY_EVENTS];	/* at how many spots */
	unsigned refused[ASSAY_EVENTS];	/* number of spots at which the event
					 * would count but was refused: a sum
					 * would lack these counts */
	char why[ASSAY_EVENTS][ASSAY_WHY];	/* of the last refusal */
};

/*
 * Opens all events at all spots, as far as the kernel lets it. Returns 0,
 * -ASSAY_ENOMEM or -ASSAY_ERANGE (too many spots). Free *out with
 * follow_close().
 */
int follow_open(struct follow **out, const struct follow_setup *setup,
		struct assay_error *err);
void follow_close(struct follow *follow);

/* Opens, but does not enable, the spots of setup that *follow does not have
 * yet; errors as follow_open(). */
int follow_add(struct follow *follow, const struct follow_setup *setup);
/* Reads all events of a spot for the last time, and closes them. */
void follow_retire(struct follow *follow, size_t spot);

/* 0 or an errno. */
int follow_enable_spot(const struct follow *follow, size_t spot);
int follow_enable(const struct follow *follow);
int follow_disable(const struct follow *follow);

/*
 * The sum of one event over all spots, over some, or its value at one. False:
 * the event is open nowhere, was refused at a spot where it would count, or
 * cannot be read.
 */
bool follow_read(const struct follow *follow, unsigned event,
		 struct follow_value *out);
bool follow_read_spots(const struct follow *follow, unsigned event,
		       size_t first, size_t spots, struct follow_value *out);
bool follow_read_spot(const struct follow *follow, unsigned event, size_t spot,
		      struct follow_value *out);

/*
 * Can one thread count these n events (indices into *events) at the same time?
 * Tries it on the calling thread. Hardware events are opened as one group that
 * must run at once, because some kernels accept groups that never run.
 */
bool follow_fits(const struct group *events, const unsigned *event,
		 unsigned n);

#endif
