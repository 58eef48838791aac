/* SPDX-License-Identifier: MIT */
/* The part "memory": page sizes for kernels' memory, and memory nodes. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/sysfile.h"
#include "env/doctor/doctor.h"

/* "always [madvise] never" -> "madvise" */
static void chosen(char *out, size_t room, const char *text)
{
	const char *from = strchr(text, '[');
	const size_t length = from ? strcspn(from + 1, "]") : 0;

	snprintf(out, room, "%.*s", (int)length, from ? from + 1 : "");
}

static void add_thp(struct doctor *d)
{
	char text[128], mode[32];

	sysfile_text(text, sizeof(text), d->probe.sysroot,
		     "/sys/kernel/mm/transparent_hugepage/enabled");
	chosen(mode, sizeof(mode), text);
	if (!strcmp(mode, "madvise") || !strcmp(mode, "always"))
		doctor_ok(d, "THP", "transparent huge pages: %s", mode);
	else
		doctor_add(d, "THP", "warn",
			   "--page-size thp does not work: large buffers are "
			   "measured with TLB misses in them",
			   mode[0] ? "as root: echo madvise > /sys/kernel/mm/"
			   "transparent_hugepage/enabled" : "use a kernel with "
			   "CONFIG_TRANSPARENT_HUGEPAGE, and a readable /sys",
			   "%s", mode[0] ? mode : "not known to this kernel");
}

static void add_huge(struct doctor *d)
{
	int64_t pages = 0, left = 0;
	const bool known =
		sysfile_number(&pages, d->probe.sysroot, "/sys/kernel/mm/"
			       "hugepages/hugepages-2048kB/nr_hugepages") &&
		sysfile_number(&left, d->probe.sysroot, "/sys/kernel/mm/"
			       "hugepages/hugepages-2048kB/free_hugepages");

	if (!known)
		return;
	if (left)
		doctor_ok(d, "huge pages", "%" PRId64 " of %" PRId64 " pages "
			  "of 2 MiB are free", left, pages);
	else
		doctor_add(d, "huge pages", "ok",
			   "--page-size huge does not work",
			   "as root: sysctl vm.nr_hugepages=128",
			   "none of %" PRId64 " are free", pages);
}

static void count_node(void *ctx, const char *name)
{
	unsigned *n = ctx;

	*n += sysfile_index(name, "node") >= 0;
}

static void add_nodes(struct doctor *d)
{
	unsigned nodes = 0;

	sysfile_list(d->probe.sysroot, "/sys/devices/system/node", count_node,
		     &nodes);
	if (nodes > 1)
		doctor_add(d, "memory nodes", "warn",
			   "memory of another node is slower",
			   "numactl --cpunodebind=N --membind=N assay ...",
			   "%u nodes", nodes);
}

void doctor_memory(struct doctor *d)
{
	add_thp(d);
	add_huge(d);
	add_nodes(d);
}
