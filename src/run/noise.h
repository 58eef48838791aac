/* SPDX-License-Identifier: MIT */
/*
 * Noise of a native run: what disturbed its repetitions, and which repetitions
 * are done again. Inputs come through a port (thread usage, core clock, stolen
 * time), so tests can replace the machine. Output: struct assay_noise of the
 * record. measure_run() calls noise_before() and noise_after() around each
 * repetition.
 */
#ifndef RUN_NOISE_H
#define RUN_NOISE_H

#include "assay/timing.h"
#include "base/noise.h"
#include "env/env.h"
#include "measure/measure.h"

#define NOISE_REPEATS 3		/* repetitions done again in one record */
#define NOISE_LONG_NS UINT64_C(10000000000)	/* longer ones never are */
#define NOISE_STEAL_NS 100000000	/* least time between two readings of
					 * stolen time: its ticks are 10 ms */

struct noise_port {
	void (*usage)(void *ctx, struct env_thread_usage *out, bool begin);
	/* As core_clock_look(). */
	double (*clock)(void *ctx, double *adds);
	/* As env_stolen(). */
	bool (*stolen)(void *ctx, uint64_t *ns, int cpu);
	void *ctx;
};

/*
 * The machine whose /proc lies below sysroot (borrowed). Clock and adds are
 * always those of the machine that runs this code.
 */
struct noise_port noise_machine(const char *sysroot);

struct noise_watch {
	const struct noise_port *port;
	struct assay_noise *out;
	int cpu;		/* whose stolen time is read; -1: all CPUs */
	bool warm;		/* the first repetition can be done again */
	double first_ghz, ghz;	/* before the run; at the last look */
	double most_adds;	/* per cycle, of a core that nobody shares */
	struct env_thread_usage before;
	uint64_t stolen, stolen_at;	/* ns, and when; 0: not known */
	unsigned looks, shared;	/* with adds; of these, with a sibling */
};

/*
 * Begins a run: *out becomes the record's noise. most_adds: that of the watch
 * of an earlier run, 0 at first.
 */
void noise_begin(struct noise_watch *watch, const struct noise_port *port,
		 struct assay_noise *out, int cpu, bool warm,
		 double most_adds);

/* For struct measure_watch; ctx is the watch. noise_after() returns true if
 * the repetition was disturbed and is to be done again. */
void noise_before(void *ctx);
bool noise_after(void *ctx, unsigned repetition);

/* Fills *out from what the timing witness saw in its chunks. */
void noise_of_timing(struct assay_noise *out, const struct assay_timing *t);

/* Adds the time off the CPU and the preemptions between two readings. There is
 * no limit for them, so *out does not become disturbed. */
void noise_between(struct assay_noise *out, const struct env_thread_usage *from,
		   const struct env_thread_usage *to);

#endif
