/* SPDX-License-Identifier: MIT */
/*
 * Counters of other programs: of threads and all that they start, or of whole
 * CPUs. Opened before the program starts, read any number of times.
 *
 * Invariants
 * 1. Every counter is read by itself, with its own times: a group that loses
 *    a member in a program that forks cannot hide the others.
 * 2. Nothing is reset. Who wants a difference subtracts two readings.
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

/* Spots in one set of counters at most. */
#define FOLLOW_SPOTS 4096

/* Where to count, as perf_event_open takes it: pid -1 is every thread on the
 * CPU, cpu -1 is every CPU that the thread runs on. */
struct follow_spot {
	pid_t pid;		/* cgroup: an open folder of it */
	int cpu;
	bool cgroup;		/* everything on the CPU that is in it */
};

/* Not in any group: counted by itself. */
#define FOLLOW_ALONE 255

struct follow_setup {
	const struct group *events;
	/* Events with the same number are counted at the same times, or
	 * FOLLOW_ALONE. NULL: all of them alone. */
	const unsigned char *together;
	/* Events to leave out of this set, or NULL; .why of them stays "". */
	const bool *left_out;
	const struct follow_spot *spot;
	size_t spots;
	/* The CPUs whose PMU an event is for, or NULL: all. */
	bool (*counts_on)(const void *ctx, unsigned event, int cpu);
	const void *ctx;
	bool inherit;		/* with all threads and processes to come */
	bool on_exec;		/* starts when the thread calls exec */
	const char *sysroot;
};

struct follow_value { uint64_t value, enabled, running; };

struct follow_last {
	struct follow_value value;
	bool read;		/* there was one */
};

struct follow {
	unsigned events;
	size_t spots;
	int *fd;		/* [spot * events + event]; -1: not open */
	bool *leads;		/* the same: others start and stop with it */
	struct follow_last *kept;	/* the same: of spots that are gone */
	bool *gone;		/* [spot] */
	unsigned open[ASSAY_EVENTS];	/* at how many spots */
	/* at spots that are there: the sum would be too small */
	unsigned refused[ASSAY_EVENTS];
	char why[ASSAY_EVENTS][ASSAY_WHY];	/* of the last refusal */
};

/*
 * Opens what can be opened; that may be nothing. Returns 0, -ASSAY_ENOMEM or
 * -ASSAY_ERANGE (too many spots). The caller frees it by follow_close().
 */
int follow_open(struct follow **out, const struct follow_setup *setup,
		struct assay_error *err);
void follow_close(struct follow *follow);

/*
 * Opens setup's last spot, which is one more than `follow` has; else as
 * follow_open(). It is not enabled.
 */
int follow_add(struct follow *follow, const struct follow_setup *setup);
/* Closes a spot; its values are those of now. */
void follow_retire(struct follow *follow, size_t spot);

/* 0 or an errno. */
int follow_enable_spot(const struct follow *follow, size_t spot);
int follow_enable(const struct follow *follow);
int follow_disable(const struct follow *follow);

/*
 * Adds up one event over all spots, over some, or at one. False: it is open
 * nowhere, was refused where it would count, or the kernel does not answer.
 */
bool follow_read(const struct follow *follow, unsigned event,
		 struct follow_value *out);
bool follow_read_spots(const struct follow *follow, unsigned event,
		       size_t first, size_t spots, struct follow_value *out);
bool follow_read_spot(const struct follow *follow, unsigned event, size_t spot,
		      struct follow_value *out);

/*
 * Can these events be counted at the same time by one thread, here and now?
 * Tries it on the calling thread. Hardware events are tried as one group that
 * must run at once, as some kernels take groups that never will.
 */
bool follow_fits(const struct group *events, const unsigned *event,
		 unsigned n);

#endif
