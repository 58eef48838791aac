/* SPDX-License-Identifier: MIT */
/*
 * Faults of PMUs, planted into the software PMU on purpose: what a test of
 * counters must find out. "double:L1D_CACHE_REFILL", "times:EVENT=16",
 * "swap:EVENT=OTHER", "counters=2".
 */
#ifndef COUNTERS_FAULT_H
#define COUNTERS_FAULT_H

#include <stdbool.h>
#include <stdint.h>

#include "assay/error.h"
#include "assay/record.h"
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

#define FAULT_SET 8

/* Events are known by their code; counts are borrowed from the CPU file. */
struct fault {
	enum fault_kind kind;
	double amount;
	char event[ASSAY_NAME], other[ASSAY_NAME];	/* as asked for */
	uint64_t code, other_code;
	const struct expr *counts, *other_counts;
};

struct fault_set {
	unsigned faults;
	struct fault fault[FAULT_SET];
};

/* What happens around one counted run. */
struct fault_run {
	const uint64_t *signal;	/* counted in the run */
	double cycles;
	uint64_t interrupts;
	uint64_t seed;		/* of what is random in this run */
};

/*
 * Reads one fault; event and other are still only names. Returns 0, or
 * -ASSAY_EINVAL or -ASSAY_ENOENT with the kinds.
 */
int fault_parse(struct fault *out, const char *text, struct assay_error *err);
/* The same fault as text, canonical. */
void fault_text(char *out, size_t room, const struct fault *fault);

/* A row "fault" per kind: {fault, form, meaning, default}. */
int fault_list(assay_row_fn *fn, void *ctx);

/* Cycles by the CPU's model, instructions where it has none. */
double fault_cycles(const struct geometry *geometry, const uint64_t *signal);

/* Interrupts of the run-th run, by a timer and by devices. */
void fault_run_init(struct fault_run *out, const struct geometry *geometry,
		      const uint64_t *signal, unsigned run);

/* What the faulty PMU shows for an event that would have shown `clean`. */
struct assay_count fault_count(const struct fault_set *set,
			       const struct encoding *event,
			       struct assay_count clean,
			       const struct fault_run *scene);

/* At most so many events are counted at a time; 0: no such fault. */
unsigned fault_counters(const struct fault_set *set);

#endif
