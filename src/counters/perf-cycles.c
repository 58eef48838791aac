/* SPDX-License-Identifier: MIT */
/*
 * The cycle counter of this thread as a clock, by the rules of the kernel's
 * Documentation/arch/arm64/perf.rst.
 */
#include <linux/perf_event.h>
#include <string.h>
#include <unistd.h>

#include "counters/perf-cycles.h"
#include "counters/perf-group.h"
#include "counters/perf-user.h"

#define AS_64_BITS 1	/* config1: long, see armv8 format/long */
#define CYCLE_COUNTER 31

static const char closed[] = "kernel.perf_user_access does not open the cycle "
	"counter";
static const char refused[] = "no event for cycles could be opened";
static const char unmapped[] = "the page of the cycle event could not be mapped";
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
	const uint64_t user = perf_arch_user_config1(sysroot);
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
