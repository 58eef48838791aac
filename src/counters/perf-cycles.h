/* SPDX-License-Identifier: MIT */
/*
 * The cycle counter of this thread as a clock. On AArch64 the register
 * PMCCNTR_EL0 may be read while the kernel lets user space at it
 * (kernel.perf_user_access, since Linux 5.17) and an event that asked for it
 * counts cycles in that very counter; otherwise reading it is SIGILL. So whoever
 * reads it asks perf_cycles_ready() first, each time for a few us only.
 */
#ifndef COUNTERS_PERF_CYCLES_H
#define COUNTERS_PERF_CYCLES_H

#include <stdbool.h>

struct perf_event_mmap_page;

struct perf_cycles {
	int fd;
	struct perf_event_mmap_page *page;
};

/*
 * Opens it on the calling thread, which should be pinned. Returns NULL, or why
 * it cannot be read (static); then *out is closed.
 */
const char *perf_cycles_open(struct perf_cycles *out, const char *sysroot);
void perf_cycles_close(struct perf_cycles *cycles);

/* Why a thread with this page may not read PMCCNTR_EL0 now; NULL: it may. */
const char *perf_cycles_refuses(const struct perf_event_mmap_page *page);
bool perf_cycles_ready(const struct perf_cycles *cycles);

#endif
