/* SPDX-License-Identifier: MIT */
/*
 * Memory for kernels: mapped with the page size that was asked for, and a check
 * of the page sizes that the kernel gave when the memory was touched. Only
 * /proc/self/smaps shows these: madvise succeeds without any huge page.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/sysfile.h"
#include "base/text.h"
#include "env/env.h"

#define HUGE_BYTES ((size_t)2 << 20)
#define HUGE_2M_FLAG (21 << MAP_HUGE_SHIFT)

static size_t round_up(size_t bytes, size_t unit)
{
	return (bytes + unit - 1) / unit * unit;
}

/* An arena of 4 KiB pages is rounded up to pages only, so that a small arena
 * can be a single page. */
static size_t mapped_bytes(size_t bytes, enum arena_pages pages)
{
	return pages == ARENA_4K ?
	       round_up(bytes, (size_t)sysconf(_SC_PAGESIZE)) :
	       round_up(bytes, HUGE_BYTES);
}

/* Maps 2 MiB more, and unmaps the parts outside the aligned part. */
static unsigned char *map_aligned(size_t bytes)
{
	const size_t room = bytes + HUGE_BYTES;
	unsigned char *all, *base;

	all = mmap(NULL, room, PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (all == MAP_FAILED)
		return NULL;
	base = (unsigned char *)round_up((uintptr_t)all, HUGE_BYTES);
	if (base > all)
		munmap(all, (size_t)(base - all));
	munmap(base + bytes, room - bytes - (size_t)(base - all));
	return base;
}

static unsigned char *map_huge(size_t bytes)
{
	unsigned char *base = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB |
				   HUGE_2M_FLAG, -1, 0);

	return base == MAP_FAILED ? NULL : base;
}

static int no_memory(size_t bytes, struct assay_error *err)
{
	char text[32];

	text_bytes(text, sizeof(text), bytes);
	return error_set(err, -ASSAY_ENOMEM, "no memory for an arena of %s",
			 text);
}

static int no_huge_pages(size_t bytes, struct assay_error *err)
{
	int64_t free_pages = 0;

	sysfile_number(&free_pages, "/", "/sys/kernel/mm/hugepages/"
		       "hugepages-2048kB/free_hugepages");
	return error_set(err, -ASSAY_EUNAVAIL, "%" PRId64 " huge pages of "
			 "2 MiB are free and %zu are needed; as root: "
			 "sysctl vm.nr_hugepages=%zu", free_pages,
			 bytes / HUGE_BYTES, bytes / HUGE_BYTES);
}

static int no_thp(struct assay_error *err)
{
	return error_set(err, -ASSAY_EUNAVAIL, "transparent huge pages are "
			 "off; as root: echo madvise > "
			 "/sys/kernel/mm/transparent_hugepage/enabled");
}

static bool thp_is_off(void)
{
	char text[128];

	return sysfile_text(text, sizeof(text), "/", "/sys/kernel/mm/"
			    "transparent_hugepage/enabled") < 0 ||
	       strstr(text, "[never]");
}

int env_arena_map(struct arena *out, size_t bytes, enum arena_pages pages,
		  struct assay_error *err)
{
	const size_t room = bytes > SIZE_MAX / 4 ? 0 :
			    mapped_bytes(bytes, pages);
	unsigned char *base;

	if (bytes == 0) {
		*out = (struct arena){ .pages = pages };
		return 0;
	}
	if (!room)
		return no_memory(bytes, err);
	if (pages == ARENA_THP && thp_is_off())
		return no_thp(err);
	base = pages == ARENA_HUGE_2M ? map_huge(room) : map_aligned(room);
	if (!base)
		return pages == ARENA_HUGE_2M ? no_huge_pages(room, err) :
						no_memory(bytes, err);
	if (pages == ARENA_THP && madvise(base, room, MADV_HUGEPAGE)) {
		munmap(base, room);
		return no_thp(err);
	}
	if (pages == ARENA_4K)	/* an error means: no huge pages anyway */
		madvise(base, room, MADV_NOHUGEPAGE);
	*out = (struct arena){ base, bytes, pages };
	return 0;
}

void env_arena_unmap(struct arena *arena)
{
	if (arena->base)
		munmap(arena->base, mapped_bytes(arena->bytes, arena->pages));
	arena->base = NULL;
	arena->bytes = 0;
}

size_t env_arena_frames(const struct arena *arena, uint64_t *frame,
			size_t room)
{
	static const uint64_t present = UINT64_C(1) << 63;
	static const uint64_t number = (UINT64_C(1) << 55) - 1;
	const size_t pages = (arena->bytes + 4095) / 4096;
	off_t at = (off_t)((uintptr_t)arena->base / 4096 * sizeof(*frame));
	size_t n = 0;
	int fd;

	if (!arena->base || pages > room || sysconf(_SC_PAGESIZE) != 4096)
		return 0;
	fd = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	for (; n < pages; n++, at += sizeof(*frame)) {
		if (pread(fd, &frame[n], sizeof(*frame), at) !=
		    (ssize_t)sizeof(*frame) ||
		    !(frame[n] & present) || !(frame[n] & number))
			break;
		frame[n] &= number;
	}
	close(fd);
	return n == pages ? pages : 0;
}

/* In KiB: the arena's touched memory, the part of it in transparent huge pages,
 * and the page size of the mapping. */
struct resident {
	uint64_t total, huge, page;
};

static void add_line(struct resident *r, const char *line)
{
	uint64_t kib;

	if (sscanf(line, "Rss: %" SCNu64, &kib) == 1)
		r->total += kib;
	else if (sscanf(line, "AnonHugePages: %" SCNu64, &kib) == 1)
		r->huge += kib;
	else if (sscanf(line, "Private_Hugetlb: %" SCNu64, &kib) == 1)
		r->total += kib;
	else if (sscanf(line, "KernelPageSize: %" SCNu64, &kib) == 1)
		r->page = kib;
}

/* Adds up the mappings of smaps that overlap the arena. */
static bool read_resident(struct resident *r, const char *root,
			  const struct arena *arena)
{
	const uintptr_t low = (uintptr_t)arena->base;
	FILE *file = sysfile_open(root, "/proc/self/smaps");
	uintptr_t from, to;
	bool inside = false;
	char line[512];

	memset(r, 0, sizeof(*r));
	if (!file)
		return false;
	while (fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " ", &from, &to) == 2)
			inside = from < low + arena->bytes && to > low;
		else if (inside)
			add_line(r, line);
	}
	fclose(file);
	return true;
}

/* The text for 4 KiB pages: wanted, or given in place of huge pages. */
static const char *small_pages(const struct arena *arena)
{
	return arena->pages == ARENA_4K ? "4K" : "4K (no huge page was given)";
}

int env_arena_pages_in(const char *root, const struct arena *arena,
		       char *out, size_t room, struct assay_error *err)
{
	struct resident r;

	if (!arena->base) {
		text_copy(out, room, "");
		return 0;
	}
	if (!read_resident(&r, root, arena))
		return error_set(err, -ASSAY_EUNAVAIL,
				 "cannot read /proc/self/smaps: %s",
				 strerror(errno));
	if (r.page >= 2048)
		text_copy(out, room, "huge");
	else if (!r.total)
		text_copy(out, room, "untouched");
	else if (!r.huge && r.page != 4)
		snprintf(out, room, "%" PRIu64 "K", r.page);
	else if (!r.huge)
		text_copy(out, room, small_pages(arena));
	else if (r.huge >= r.total)
		text_copy(out, room, "thp");
	else
		snprintf(out, room, "thp %u %%, rest 4K",
			 (unsigned)(r.huge * 100 / r.total));
	return 0;
}

int env_arena_pages(const struct arena *arena, char *out, size_t room,
		    struct assay_error *err)
{
	return env_arena_pages_in("/", arena, out, room, err);
}
