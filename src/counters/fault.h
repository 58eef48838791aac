/* SPDX-License-Identifier: MIT */
/*
 * Counting errors of real PMUs, planted into the software PMU on purpose, so
 * that tests can see whether `verify` finds them. In text: "times:EVENT=16",
 * "double:L1D_CACHE_REFILL", "swap:EVENT=OTHER", "counters=2".
 */
#ifndef COUNTERS_FAULT_H
#define COUNTERS_FAULT_H

#include <stdint.h>

#include "assay/error.h"
#include "assay/row.h"
#include "base/encoding.h"
#include "base/geometry.h"

enum fault_kind {
#define X(name, form, least, most, initial, sentence) FAULT_##name,
#include "counters/faults.def"
#undef X
	FAULTS
};
extern const char *const fault_names[FAULTS];

#define FAULT_SET 8	/* faults at a time, at most */

struct fault {
	enum fault_kind kind;
	double amount;		/* N of the text, or the kind's default */
	char event[ASSAY_NAME], other[ASSAY_NAME];	/* as in the text */
	/* Filled in by the caller of fault_parse(); expressions are borrowed
	 * from the CPU file. */
	uint64_t code, other_code;
	const struct expr *counts, *other_counts;
};

struct fault_set {
	unsigned faults;
	struct fault fault[FAULT_SET];
};

/* What faults depend on in a counted run. */
struct fault_run {
	const uint64_t *signal;	/* counted in the run; borrowed */
	double cycles;
	uint64_t interrupts;
	uint64_t seed;		/* of random faults */
};

/*
 * Parses one fault; the events stay names. Returns 0, -ASSAY_EINVAL, or
 * -ASSAY_ENOENT: no such kind.
 */
int fault_parse(struct fault *out, const char *text, struct assay_error *err);
/* The text that fault_parse() takes, in its canonical form. */
void fault_text(char *out, size_t room, const struct fault *fault);

/* A row "fault" per kind: {fault, form, meaning, default}. */
int fault_list(assay_row_fn *fn, void *ctx);

/* Cycles by the CPU's cycle model; without one, the instructions. */
double fault_cycles(const struct geometry *geometry, const uint64_t *signal);

/* Cycles of run number `run`, and its interrupts by a timer and by devices. */
void fault_run_init(struct fault_run *out, const struct geometry *geometry,
		    const uint64_t *signal, unsigned run);

/* The count of the faulty PMU for an event whose correct count is `clean`. */
struct assay_count fault_count(const struct fault_set *set,
			       const struct encoding *event,
			       struct assay_count clean,
			       const struct fault_run *run);

/* Counters by "counters=N", the least N of several; 0: no such fault. */
unsigned fault_counters(const struct fault_set *set);

#endif
