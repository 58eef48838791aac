/* SPDX-License-Identifier: MIT */
/*
 * The measuring loop: runs a kernel's shape under a provider, first `warmup`
 * times uncounted, then `repeats` times counted, and writes each repetition
 * into the record. Freestanding: no OS; the clock and all memory are the
 * caller's.
 */
#ifndef MEASURE_MEASURE_H
#define MEASURE_MEASURE_H

#include "counters/provider.h"
#include "kernels/kernel.h"

/*
 * An observer of disturbances: called before the counters start and after they
 * were stopped. after() returns true if the repetition is to be done again, and
 * must limit how often.
 */
struct measure_watch {
	void (*before)(void *ctx);
	bool (*after)(void *ctx, unsigned repetition);
	void *ctx;
};

struct measure_job {
	const struct provider *provider;
	void *state;			/* the provider's, opened */
	const struct group *group;
	const struct kernel *kernel;
	const struct assay_shape *shape;	/* resolved */
	struct arena *arena;		/* of kernel->arena_bytes(shape) */
	enum isa isa;			/* of the traced code */
	unsigned repeats, warmup;
	uint64_t (*now_ns)(void);	/* NULL: not timed */
	const struct measure_watch *watch;	/* or NULL */
	/* Asked between repetitions and while one is traced: true ends the
	 * measurement. NULL: never. */
	bool (*stopped)(void *ctx);
	void *stopped_ctx;
};

/*
 * Fills record->{provider, shape, events, event, repeats, counts, ns, truth,
 * fast_forwarded, settings.warmup}; the arrays counts (repeats x events) and ns
 * (repeats) are the caller's. Returns 0 or the provider's error. If
 * job->stopped ends the loop, the result is -ASSAY_ESTOP if no repetition is
 * complete. record->repeats is always the number of complete repetitions, also
 * where the caller jumps out of the kernel's run().
 */
int measure_run(const struct measure_job *job, struct assay_record *record,
		struct assay_error *err);

#endif
