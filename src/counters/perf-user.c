/* SPDX-License-Identifier: MIT */
/*
 * Reading a counter without a system call, by the protocol of
 * perf_event_open(2): the page's lock word is odd or changes while the kernel
 * writes, then everything is read again. The value is the page's offset plus
 * the hardware counter, sign-extended from its width.
 */
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "counters/perf-user.h"

/* The kernel writes for some ns; only a broken page is never quiet. */
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
	const char *root = strcmp(sysroot, "/") ? sysroot : "";
	char path[256];
	FILE *file;
	int on = 0;

	snprintf(path, sizeof(path), "%s/proc/sys/kernel/perf_user_access",
		 root);
	file = fopen(path, "re");
	if (!file)
		return false;
	if (fscanf(file, "%d", &on) != 1)
		on = 0;
	fclose(file);
	return on != 0;
}
