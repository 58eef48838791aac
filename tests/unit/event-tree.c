/* SPDX-License-Identifier: MIT */
/* A tree with PMUs, made below /tmp, and a CPU of three events. */
#include "event-tree.h"
#include "remove-tree.h"

#include <sys/stat.h>

char tree_root[64];

#define DEVICES "/sys/bus/event_source/devices"

static const struct { const char *path, *text; } files[] = {
	{ DEVICES "/cpu/type", "4\n" },
	{ DEVICES "/cpu/format/event", "config:0-7,32-35\n" },
	{ DEVICES "/cpu/format/umask", "config:8-15\n" },
	{ DEVICES "/cpu/format/inv", "config:23\n" },
	{ DEVICES "/cpu/format/cmask", "config:24-31\n" },
	{ DEVICES "/cpu/format/offcore_rsp", "config1:0-63\n" },
	{ DEVICES "/cpu/format/odd", "nowhere:0-7\n" },
	{ DEVICES "/cpu/events/mem-loads", "event=0xcd,umask=0x1\n" },
	{ DEVICES "/cpu/events/cpu-cycles", "event=0x3c\n" },
	{ DEVICES "/cpu/events/wants", "event=0x1,cmask=?\n" },
	{ DEVICES "/armv8_cortex_a53/type", "7\n" },
	{ DEVICES "/armv8_cortex_a53/cpus", "0-3\n" },
	{ DEVICES "/armv8_cortex_a53/format/event", "config:0-15\n" },
	{ DEVICES "/armv8_cortex_a53/events/l1d_cache_refill",
	  "event=0x0003\n" },
	{ DEVICES "/software/type", "1\n" },
	{ "/sys/kernel/tracing/events/sched/sched_switch/id", "314\n" },
	{ "/sys/kernel/tracing/events/sched/enable", "0\n" },
	{ "/bare/proc/version", "Linux\n" },
	{ "/arm" DEVICES "/armv8_pmuv3_0/type", "8\n" },
	{ "/arm" DEVICES "/armv8_pmuv3_0/cpus", "0-3\n" },
	{ "/arm" DEVICES "/armv8_pmuv3_0/events/cpu_cycles",
	  "event=0x0011\n" },
};

void tree_put(const char *path, const char *text)
{
	char full[512], *slash;
	FILE *file;

	snprintf(full, sizeof(full), "%s%s", tree_root, path);
	for (slash = strchr(full + 1, '/'); slash;
	     slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(full, 0755);
		*slash = '/';
	}
	file = fopen(full, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

int tree_plant(void **ctx)
{
	(void)ctx;
	strcpy(tree_root, "/tmp/assay-test-XXXXXX");
	if (!mkdtemp(tree_root))
		return -1;
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		tree_put(files[i].path, files[i].text);
	return 0;
}

int tree_fell(void **ctx)
{
	(void)ctx;
	return remove_tree(tree_root);
}

static const char *const no_alias[] = { NULL };
static const char *const ld_alias[] = { "L1D_CACHE_LD", NULL };
static const struct cpu_event cpu_events[] = {
	{ .name = "L1D_CACHE_RD", .code = 0x40, .alias = ld_alias,
	  .present = true, .meaning = "L1 data cache reads" },
	{ .name = "LL_CACHE", .code = 0x32, .alias = no_alias,
	  .absent = "reads 0 on this CPU", .meaning = "" },
	{ .name = "L1D_CACHE_REFILL", .code = 3, .alias = no_alias,
	  .present = true, .meaning = "" },
};
static const struct cpu_generic cpu_generics[] = {
	{ .name = "cpu-cycles", .present = true, .code = 0x40, .note = "" },
	{ .name = "cache-misses", .present = true, .code = 0x32, .note = "" },
	{ .name = "bus-cycles", .present = true, .code = 0x1d, .note = "" },
	{ .name = "ref-cycles", .code = 0, .note = "none at all" },
};
const struct cpu tree_cpu = { .name = "toy", .event = cpu_events,
			      .events = 3, .generic = cpu_generics,
			      .generics = 4 };

struct group group;
struct assay_error err;

int parse(const char *list, enum events_for target)
{
	const struct events_target t = {
		.target = target, .sysroot = tree_root,
		.cpu = target == EVENTS_SIM ? &tree_cpu : NULL,
	};

	memset(&group, 0, sizeof(group));
	memset(&err, 0, sizeof(err));
	return events_parse(&group, list, &t, &err);
}
