/* SPDX-License-Identifier: MIT */
/*
 * Reading counters from user space, without a system call: the kernel maps a
 * page that tells which hardware counter holds the event, and an instruction
 * reads that counter. On AArch64 the cycle counter also serves as a clock.
 */
#ifndef COUNTERS_PERF_USER_H
#define COUNTERS_PERF_USER_H

#include <stdbool.h>
#include <stdint.h>

struct perf_event_mmap_page;

/* Reads hardware counter `index` (0 ...); upper bits beyond its width are
 * undefined. */
typedef uint64_t perf_counter_fn(uint32_t index);

struct perf_user_value {
	uint64_t value;		/* as read(2) would give it */
	uint64_t enabled, running;	/* ns, when last scheduled */
};

/* Maps the page of an open counter; NULL: only read(2) can read the counter. */
struct perf_event_mmap_page *perf_user_map(int fd);
void perf_user_unmap(struct perf_event_mmap_page *page);

/*
 * False: the event is in no hardware counter now, or user space may not read
 * that counter; *out is untouched.
 */
bool perf_user_read(struct perf_user_value *out,
		    const struct perf_event_mmap_page *page,
		    perf_counter_fn *counter);

/* The instruction of this ISA. It faults where cap_user_rdpmc is not set. */
uint64_t perf_arch_counter(uint32_t index);

/* Is kernel.perf_user_access set? */
bool perf_user_access(const char *sysroot);

/* The bit of attr.config1 by which an event asks for user access on this ISA;
 * 0: no event has to ask. */
uint64_t perf_arch_user_config1(void);

/* The same, or 0 if kernel.perf_user_access is not set, so asking is vain. */
uint64_t perf_user_config1(const char *sysroot);

/* ---- the cycle counter as a clock ---------------------------------------- */

/*
 * AArch64: PMCCNTR_EL0 may be read while kernel.perf_user_access is set (since
 * Linux 5.17) and an event that asked for user access is in the cycle counter;
 * else the read raises SIGILL. So a reader calls perf_cycles_ready() first, for
 * each few us of reading.
 */
struct perf_cycles {
	int fd;
	struct perf_event_mmap_page *page;
};

/*
 * Opens the cycle event of the calling thread, which should be pinned. Returns
 * NULL, or why the counter cannot be read (static); then *out is closed.
 */
const char *perf_cycles_open(struct perf_cycles *out, const char *sysroot);
void perf_cycles_close(struct perf_cycles *cycles);

/* Why a thread with this page may not read PMCCNTR_EL0 now; NULL: it may. */
const char *perf_cycles_refuses(const struct perf_event_mmap_page *page);
bool perf_cycles_ready(const struct perf_cycles *cycles);

#endif
