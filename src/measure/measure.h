/* SPDX-License-Identifier: MIT */
/*
 * The one loop: group + shape x provider -> record. Freestanding: no names, no
 * OS; the clock and all memory are the caller's.
 */
#ifndef MEASURE_MEASURE_H
#define MEASURE_MEASURE_H

#include "counters/provider.h"
#include "kernels/kernel.h"

/*
 * Somebody who looks at what happens beside the repetitions: before the
 * counters start, and after they were stopped. after() returns true if this
 * repetition is to be done again; it says how often at most.
 */
struct measure_watch {
	void (*before)(void *ctx);
	bool (*after)(void *ctx, unsigned repetition);
	void *ctx;
};

struct measure_job {
	const struct provider *provider;
	void *state;			/* opened */
	const struct group *group;
	const struct kernel *kernel;
	const struct assay_shape *shape;	/* resolved */
	struct arena *arena;		/* of kernel->arena_bytes(shape) */
	enum isa isa;			/* of the traced code */
	unsigned repeats, warmup;
	uint64_t (*now_ns)(void);	/* NULL: not timed */
	const struct measure_watch *watch;	/* or NULL */
	/* Asked between repetitions, and while one is traced: is it enough?
	 * NULL: never. */
	bool (*stopped)(void *ctx);
	void *stopped_ctx;
};

/*
 * Fills record->{provider, shape, events, event, repeats, counts, ns, truth,
 * settings.warmup}; counts (repeats x events) and ns (repeats) must have been
 * given by the caller. Returns 0 or the provider's error. Stopped, it leaves in
 * record->repeats how many were complete; -ASSAY_ESTOP if none.
 */
int measure_run(const struct measure_job *job, struct assay_record *record,
		struct assay_error *err);

#endif
