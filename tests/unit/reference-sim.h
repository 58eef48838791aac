/* SPDX-License-Identifier: MIT */
/*
 * A second simulator of the memory hierarchy, slow and plain, to compare the
 * software PMU with: every line is a struct with time stamps, every search
 * looks at every way. It knows identity page maps, of any size of pages, no
 * random replacement and no predictor; it shares nothing with src/sim but the
 * geometry, the records and the names of signals.
 */
#ifndef TESTS_REFERENCE_SIM_H
#define TESTS_REFERENCE_SIM_H

#include <stddef.h>
#include <stdint.h>

#include "base/geometry.h"
#include "sim/sim.h"

/* What Dinero IV counts of a cache. */
struct reference_counts {
	uint64_t reads, writes, read_misses, write_misses, writebacks;
};

struct reference_report {
	struct reference_counts cache[3];	/* L1D, L2, L3 */
	uint64_t code_reads, code_misses;	/* L1I */
	uint64_t served[4];			/* L1, L2, L3, memory */
	uint64_t memory_reads, memory_writes;
	uint64_t reads_to_write;		/* by stores, at any level */
	uint64_t dtlb_misses, itlb_misses, l2tlb_misses, walks, walk_reads;
	uint64_t signal[SIGNALS];
};

struct reference;

struct reference *reference_new(const struct geometry *geometry);
void reference_free(struct reference *r);
void reference_feed(struct reference *r, const uint64_t *record,
		    size_t records);
const struct reference_report *reference_report(const struct reference *r);

#endif
