/* SPDX-License-Identifier: MIT */
/*
 * The instructions of a counted region that are not the kernel's loop: from
 * the write that enables the counters to the first instruction of the loop,
 * and from after its return to the write that disables them. The compiler
 * decides how many these are, so they are counted: the same region is run with
 * every loop of the section assay_kernels replaced by a stub of known length.
 */
#ifndef BARE_BASELINE_H
#define BARE_BASELINE_H

#include <stdint.h>

#define BASELINE_STUB 7		/* instructions per call, branch included */

extern uint64_t baseline_calls;	/* of stubs */

/* Replaces the loops; whatever was in place before is kept. */
void baseline_install(void);
void baseline_remove(void);

#endif
