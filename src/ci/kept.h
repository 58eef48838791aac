/* SPDX-License-Identifier: MIT */
/* A side's counts as a baseline keeps them, and back. */
#ifndef CI_KEPT_H
#define CI_KEPT_H

#include "ci/file.h"
#include "ci/measure.h"
#include "store/baseline.h"

/* Sets name, command, CPU and guest. Returns 0 or -ASSAY_ENOMEM. */
int ci_kept_name(struct baseline_benchmark *out,
		 const struct ci_benchmark *benchmark,
		 const struct ci_program *program, struct assay_error *err);

/*
 * All that a baseline keeps of a side: counts of each quantity in layout 0, of
 * those with a budget in all layouts; and lines that hold a two-thousandth of a
 * quantity with a budget. Returns 0 or -ASSAY_ENOMEM.
 */
int ci_kept_fill(struct baseline_benchmark *out,
		 const struct ci_benchmark *benchmark,
		 const struct ci_side *side, struct assay_error *err);

/* A side without a program, whose counts are those of the baseline, which must
 * outlive the side. Ends with ci_side_fini(). Returns 0 or -ASSAY_ENOMEM. */
int ci_kept_side(struct ci_side *out, const struct baseline_benchmark *kept,
		 struct assay_error *err);

#endif
