/* SPDX-License-Identifier: MIT */
/*
 * What a benchmark's counts depend on, and assay cannot fix: digests of the
 * libraries that ran, of QEMU, the plugin, assay, and of input files;
 * and the folder's path, where the program saw that. Files of
 * the project itself are what is measured, and are left out.
 */
#ifndef CI_DEPENDS_H
#define CI_DEPENDS_H

#include "ci/file.h"
#include "ci/measure.h"
#include "store/baseline.h"

/* Adds the digests as files of *out. Returns 0, -ASSAY_ENOMEM or as
 * error_read(). */
int ci_depends_add(struct baseline_benchmark *out,
		   const struct ci_benchmark *benchmark,
		   const struct ci_side *side, struct assay_error *err);

/* Why the counts of two sets of files cannot be compared; false: the sets are
 * equal. */
bool ci_depends_differ(const struct baseline_benchmark *then,
		       const struct baseline_benchmark *now, char *why,
		       size_t room);

#endif
