/* SPDX-License-Identifier: MIT */
/*
 * The baseline: the instructions of a counted region outside the kernel's loop,
 * from the write that enables the counters to the first instruction of the
 * loop, and from the loop's return to the write that disables the counters.
 * Their number depends on the compiler, so it is measured: the region is run
 * with every loop of the section assay_kernels replaced by a stub of
 * BASELINE_STUB instructions.
 */
#ifndef BARE_BASELINE_H
#define BARE_BASELINE_H

#include <stdint.h>

#define BASELINE_STUB 7		/* instructions per call, branch included */

extern uint64_t baseline_calls;	/* calls of the stub since the installation */

/* Replace the loops by stubs, and put the loops back. */
void baseline_install(void);
void baseline_remove(void);

#endif
