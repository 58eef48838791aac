/* SPDX-License-Identifier: MIT */
/*
 * Reading a counter without a system call: the kernel maps a page that says
 * which hardware counter holds the event, and the CPU reads it.
 */
#ifndef COUNTERS_PERF_USER_H
#define COUNTERS_PERF_USER_H

#include <stdbool.h>
#include <stdint.h>

struct perf_event_mmap_page;

/* Reads hardware counter `index` (0 ...), whatever its width. */
typedef uint64_t perf_counter_fn(uint32_t index);

struct perf_user_value {
	uint64_t value;		/* as read(2) would give it */
	uint64_t enabled, running;	/* ns, when last scheduled */
};

/* Maps the page of an open counter, or NULL: read it with read(2). */
struct perf_event_mmap_page *perf_user_map(int fd);
void perf_user_unmap(struct perf_event_mmap_page *page);

/*
 * False: the counter is not in hardware at this moment, or not to be read
 * from user space; *out is untouched.
 */
bool perf_user_read(struct perf_user_value *out,
		    const struct perf_event_mmap_page *page,
		    perf_counter_fn *counter);

/* The instruction of this ISA. Faults where cap_user_rdpmc is not set. */
uint64_t perf_arch_counter(uint32_t index);

/* Is kernel.perf_user_access set? */
bool perf_user_access(const char *sysroot);

/* May user space read counters here, and must an event ask for it in
 * attr.config1? 0: nothing to ask for. */
uint64_t perf_arch_user_config1(const char *sysroot);

#endif
