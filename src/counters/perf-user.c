/* SPDX-License-Identifier: MIT */
/*
 * Reading a counter without a system call, by the protocol of
 * perf_event_open(2): while the kernel writes the page, its lock word is odd or
 * changes, and everything is read again. The value is the page's offset plus
 * the hardware counter, sign-extended from its width. The cycle counter as a
 * clock follows the kernel's Documentation/arch/arm64/perf.rst.
 */
#include <linux/perf_event.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/sysfile.h"
#include "counters/perf-group.h"
#include "counters/perf-user.h"

/* The kernel writes for some ns, so more tries mean that the page is broken. */
#define TRIES 1000

struct perf_event_mmap_page *perf_user_map(int fd)
{
	void *page = mmap(NULL, (size_t)sysconf(_SC_PAGESIZE), PROT_READ,
			  MAP_SHARED, fd, 0);

	return page == MAP_FAILED ? NULL : page;
}

void perf_user_unmap(struct perf_event_mmap_page *page)
{
	if (page)
		munmap(page, (size_t)sysconf(_SC_PAGESIZE));
}

static int64_t extend(uint64_t counter, unsigned width)
{
	const unsigned unused = 64 - width;

	return width == 0 || width > 64 ? 0 :
	       (int64_t)(counter << unused) >> unused;
}

bool perf_user_read(struct perf_user_value *out,
		    const struct perf_event_mmap_page *page,
		    perf_counter_fn *counter)
{
	const volatile struct perf_event_mmap_page *p = page;
	struct perf_user_value v;
	uint32_t sequence, index;

	for (int tries = 0; tries < TRIES; tries++) {
		sequence = p->lock;
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
		index = p->index;
		if (!p->cap_user_rdpmc || index == 0)
			return false;
		v.enabled = p->time_enabled;
		v.running = p->time_running;
		v.value = (uint64_t)p->offset +
			  (uint64_t)extend(counter(index - 1), p->pmc_width);
		__atomic_signal_fence(__ATOMIC_SEQ_CST);
		if (p->lock == sequence && !(sequence & 1)) {
			*out = v;
			return true;
		}
	}
	return false;
}

bool perf_user_access(const char *sysroot)
{
	int64_t on;

	return sysfile_number(&on, sysroot,
			      "/proc/sys/kernel/perf_user_access") && on;
}

uint64_t perf_user_config1(const char *sysroot)
{
	const uint64_t asked = perf_arch_user_config1();

	return asked && perf_user_access(sysroot) ? asked : 0;
}

/* ---- the cycle counter as a clock ---------------------------------------- */

#define AS_64_BITS 1	/* config1: long, see armv8 format/long */
#define CYCLE_COUNTER 31

static const char closed[] = "kernel.perf_user_access does not let programs "
	"read the cycle counter";
static const char refused[] = "the kernel opened no cycle event";
static const char unmapped[] = "the cycle event's page could not be mapped";
static const char elsewhere[] = "the event is not in the cycle counter";

const char *perf_cycles_refuses(const struct perf_event_mmap_page *page)
{
	const volatile struct perf_event_mmap_page *p = page;

	if (!p->cap_user_rdpmc)
		return closed;
	return p->index == CYCLE_COUNTER + 1 && !(p->lock & 1) ? NULL :
								 elsewhere;
}

bool perf_cycles_ready(const struct perf_cycles *cycles)
{
	return cycles->page && !perf_cycles_refuses(cycles->page);
}

const char *perf_cycles_open(struct perf_cycles *out, const char *sysroot)
{
	const uint64_t user = perf_user_config1(sysroot);
	struct perf_event_attr attr = {
		.size = sizeof(attr), .type = PERF_TYPE_HARDWARE,
		.config = PERF_COUNT_HW_CPU_CYCLES,
		.config1 = user | AS_64_BITS, .pinned = 1,
		.exclude_kernel = 1, .exclude_hv = 1,
	};
	const char *why = NULL;

	*out = (struct perf_cycles){ .fd = -1 };
	if (!user)
		return closed;
	out->fd = perf_open(&attr, 0, -1, -1);
	if (out->fd < 0)
		return refused;
	out->page = perf_user_map(out->fd);
	why = out->page ? perf_cycles_refuses(out->page) : unmapped;
	if (why)
		perf_cycles_close(out);
	return why;
}

void perf_cycles_close(struct perf_cycles *cycles)
{
	perf_user_unmap(cycles->page);
	if (cycles->fd >= 0)
		close(cycles->fd);
	*cycles = (struct perf_cycles){ .fd = -1 };
}
