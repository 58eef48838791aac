/* SPDX-License-Identifier: MIT */
/*
 * Noise beside counted repetitions. Which of them are done again is decided
 * here, on what a port shows; the tests put a made-up machine behind it.
 */
#ifndef RUN_NOISE_H
#define RUN_NOISE_H

#include "assay/timing.h"
#include "base/noise.h"
#include "env/env.h"
#include "measure/measure.h"

#define NOISE_REPEATS 3		/* done again in one record at most */
#define NOISE_LONG_NS UINT64_C(10000000000)	/* longer ones are not */
#define NOISE_STEAL_NS 100000000	/* the kernel's ticks are 10 ms */

struct noise_port {
	void (*usage)(void *ctx, struct env_thread_usage *out, bool begin);
	/* The core's clock in GHz, and adds per cycle in four chains side by
	 * side; 0: not seen. */
	double (*clock)(void *ctx, double *adds);
	/* As env_stolen(). */
	bool (*stolen)(void *ctx, uint64_t *ns, int cpu);
	void *ctx;
};

/* The machine below sysroot; its clock is always this one's. */
struct noise_port noise_machine(const char *sysroot);

struct noise_watch {
	const struct noise_port *port;
	struct assay_noise *out;
	int cpu;		/* whose stolen time counts; -1: all */
	bool warm;		/* the first repetition can be done again */
	double first_ghz, ghz;	/* before all; at the last look */
	double most_adds;	/* of one core that nobody shares */
	struct env_thread_usage before;
	uint64_t stolen, stolen_at;	/* at the last look; 0: not told */
	unsigned looks, shared;
};

/*
 * Begins: out is what becomes of the record's noise. most_adds is where what
 * was seen in earlier records is kept (0 at first).
 */
void noise_begin(struct noise_watch *watch, const struct noise_port *port,
		 struct assay_noise *out, int cpu, bool warm,
		 double most_adds);

/* A measure_watch; ctx is the watch. */
void noise_before(void *ctx);
bool noise_after(void *ctx, unsigned repetition);

/* What the chunks of the timing witness say. */
void noise_of_timing(struct assay_noise *out, const struct assay_timing *t);

/* Between two moments; nothing is judged by it, as others are (moved: none). */
void noise_between(struct assay_noise *out, const struct env_thread_usage *from,
		   const struct env_thread_usage *to);

/*
 * A third of a second of looks, as findings of the doctor (part "measured"):
 * the clock, whether the core is shared, and whether the CPU is.
 */
int doctor_noise_now(const struct noise_port *port, assay_row_fn *fn,
		     void *ctx, struct assay_error *err);

/* What stamps single loads, and what that can resolve. Returns fn's stop. */
struct time_clock;
int doctor_clock(const struct time_clock *clock, assay_row_fn *fn, void *ctx);

#endif
