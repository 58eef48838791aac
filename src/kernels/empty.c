/* SPDX-License-Identifier: MIT */
/*
 * empty: does nothing. All that is counted is the overhead of counting: the
 * instructions that enter and leave the counted region, and interrupts.
 */
#include "kernels/access.h"
#include "kernels/expect.h"
#include "kernels/kernel.h"
#include "kernels/shape.h"

static void run(const struct assay_shape *shape, struct arena *arena)
{
	(void)shape, (void)arena;
}

static void trace(const struct assay_shape *shape, struct arena *arena,
		  enum isa isa, struct access_trace *port)
{
	(void)shape, (void)arena, (void)isa;
	access_flush(port);
}

static void expect(const struct assay_shape *shape, enum isa isa,
		   const struct geometry *geometry, bool warm,
		   struct assay_expectation *out)
{
	static const enum assay_quantity none[] = {
		ASSAY_Q_instructions, ASSAY_Q_loads, ASSAY_Q_stores,
		ASSAY_Q_branches, ASSAY_Q_branches_taken, ASSAY_Q_l1d_reads,
		ASSAY_Q_l1d_refills, ASSAY_Q_dtlb_misses, ASSAY_Q_page_walks,
		ASSAY_Q_page_faults,
	};

	(void)shape, (void)isa, (void)geometry, (void)warm;
	for (unsigned i = 0; i < sizeof(none) / sizeof(none[0]); i++)
		expect_exact(out, none[i], "none", "0", 0, "nothing is done");
}

const struct kernel empty_kernel = {
	.name = "empty",
	.summary = "does nothing",
	.exercises = "the overhead of counting",
	.source = "baselines of counters",
	KERNEL_SHOWS(ASSAY_Q_instructions),
	.resolve = plain_resolve,
	.arena_bytes = plain_none,
	.accesses = plain_none,
	.prepare = plain_prepare,
	KERNEL_BODY,
};
