/* SPDX-License-Identifier: MIT */
/*
 * Runs whose counts do not depend on the caller (struct assay_fixed): the guest
 * CPU, the seed, argv[0] and the length of the program's path are fixed. The
 * caller of assay_simulate() has set its own environment, streams and CPUs.
 */
#ifndef PROGRAM_FIXED_H
#define PROGRAM_FIXED_H

#include "assay.h"
#include "base/geometry.h"

#define FIXED_PATH 2048	/* length of the path that the program sees */

/* QEMU's -cpu for the simulated CPU: a model with its features written out,
 * which no host and no later QEMU changes. */
const char *fixed_guest(enum isa isa, const char *cpu_name);

/*
 * The absolute path with slashes in front, so that its length is FIXED_PATH.
 * Returns 0, or -ASSAY_EUNAVAIL: the path is longer.
 */
int fixed_path(char out[FIXED_PATH + 1], const char *path,
	       struct assay_error *err);

#endif
