/* SPDX-License-Identifier: MIT */
/* Recording a machine as one text, a sysroot for other machines: env_dump. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/sysfile.h"
#include "base/text.h"
#include "env/doctor/kernel-log.h"
#include "env/env.h"
#include "env/machine/kinds.h"
#include "env/machine/machine.h"
#include "env/machine/sysfs-topology.h"
#include "env/machine/topology.h"

/* The files that the room reads. In a path's component, '*' stands for any part
 * of a name. */
static const char *const files[] = {
	"/.dockerenv", "/run/.containerenv", "/run/systemd/container",
	"/proc/cpuinfo", "/proc/loadavg", "/proc/stat", "/proc/self/status",
	"/proc/self/limits", "/proc/self/cgroup",
	"/proc/device-tree/compatible",
	"/proc/device-tree/hypervisor/compatible",
	"/proc/sys/kernel/hostname", "/proc/sys/kernel/osrelease",
	"/proc/sys/kernel/nmi_watchdog", "/proc/sys/kernel/numa_balancing",
	"/proc/sys/kernel/perf_*", "/proc/sys/kernel/sched_rt_*",
	"/sys/hypervisor/type", "/sys/class/dmi/id/sys_vendor",
	"/sys/class/dmi/id/product_name",
	"/sys/bus/event_source/devices/*/type",
	"/sys/bus/event_source/devices/*/cpus",
	"/sys/bus/event_source/devices/*/cpumask",
	"/sys/bus/event_source/devices/*/rdpmc",
	"/sys/bus/event_source/devices/*/format/*",
	"/sys/bus/event_source/devices/*/events/*",
	"/sys/class/hwmon/*/name", "/sys/class/hwmon/*/temp1_input",
	"/sys/class/hwmon/*/temp1_max",
	"/sys/class/thermal/thermal_zone*/type",
	"/sys/class/thermal/thermal_zone*/temp",
	"/sys/class/thermal/thermal_zone*/trip_point_*",
	"/sys/devices/platform/soc*/soc*/get_throttled",
	"/sys/devices/system/cpu/online", "/sys/devices/system/cpu/isolated",
	"/sys/devices/system/cpu/nohz_full",
	"/sys/devices/system/cpu/smt/active",
	"/sys/devices/system/cpu/intel_pstate/no_turbo",
	"/sys/devices/system/cpu/cpufreq/boost",
	"/sys/devices/system/cpu/vulnerabilities/*",
	"/sys/devices/system/cpu/cpu0/uevent",
	"/sys/devices/system/cpu/cpu*/online",
	"/sys/devices/system/cpu/cpu*/cpu_capacity",
	"/sys/devices/system/cpu/cpu*/topology/thread_siblings_list",
	"/sys/devices/system/cpu/cpu*/topology/package_cpus_list",
	"/sys/devices/system/cpu/cpu*/topology/core_id",
	"/sys/devices/system/cpu/cpu*/cache/index*/shared_cpu_list",
	"/sys/devices/system/cpu/cpu*/thermal_throttle/*_throttle_count",
	"/sys/devices/system/cpu/cpu0/cpufreq/*",
	"/sys/devices/system/cpu/cpu*/regs/identification/midr_el1",
	"/sys/devices/system/node/node*/cpulist",
	"/sys/devices/system/node/node*/meminfo",
	"/sys/fs/cgroup/cpu.max", "/sys/fs/cgroup/cpu/cpu.cfs_quota_us",
	"/sys/fs/cgroup/cpu/cpu.cfs_period_us",
	"/sys/fs/resctrl/schemata", "/sys/fs/resctrl/info/L3/cbm_mask",
	"/sys/kernel/mm/transparent_hugepage/enabled",
	"/sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages",
	"/sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages",
	"/sys/kernel/mm/ksm/run", "/sys/kernel/tracing/events/sched/enable",
};

/* Of one CPU, or of each if cores differ. */
static const char *const cache_files[] = {
	"cache/index*/level", "cache/index*/type", "cache/index*/size",
	"cache/index*/coherency_line_size", "cache/index*/number_of_sets",
	"cache/index*/ways_of_associativity",
};

/* Of each CPU, on kernels without package_cpus_list. */
static const char *const old_files[] = {
	"topology/core_siblings", "topology/thread_siblings",
	"cache/index*/shared_cpu_map",
};

enum { PATH_ROOM = 512, TEXT_ROOM = 32768 };

struct dump {
	FILE *out;
	const char *root;
	char *text;		/* TEXT_ROOM */
	const char *head, *rest;	/* while a folder is listed */
};

/* A line that begins with "=== " would begin another file: it is left out. */
static void put_text(struct dump *d)
{
	char *line = d->text, *next;

	for (; line && *line; line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		if (strncmp(line, "=== ", 4))
			fprintf(d->out, "%s\n", line);
	}
}

static void put_file(struct dump *d, const char *path)
{
	const int n = sysfile_text(d->text, TEXT_ROOM, d->root, "%s", path);

	if (n < 0)
		return;
	fprintf(d->out, "=== %s\n", path);
	put_text(d);
}

static void expand(struct dump *d, const char *head, const char *rest);

/* Does "thermal_zone3" fit "thermal_zone*", or "core_x" fit "*_x"? */
static bool fits(const char *name, const char *pattern, size_t length)
{
	const char *star = memchr(pattern, '*', length);
	const size_t before = star ? (size_t)(star - pattern) : length;
	const size_t after = star ? length - before - 1 : 0;
	const size_t have = strlen(name);

	if (!star)
		return have == length && !memcmp(name, pattern, length);
	return have >= before + after && !memcmp(name, pattern, before) &&
	       !memcmp(name + have - after, star + 1, after);
}

static void one_name(void *ctx, const char *name)
{
	struct dump *d = ctx;
	const char *head = d->head, *rest = d->rest;
	const size_t length = strcspn(rest, "/");
	char path[PATH_ROOM];

	if (!fits(name, rest, length) ||
	    snprintf(path, sizeof(path), "%s/%s", head, name) >= PATH_ROOM)
		return;
	expand(d, path, rest + length);
	d->head = head;
	d->rest = rest;
}

/* Records the files HEAD + REST. head has no '*'; rest begins with '/' or is
 * "". */
static void expand(struct dump *d, const char *head, const char *rest)
{
	char path[PATH_ROOM];
	const char *star = strchr(rest, '*'), *slash;
	int n;

	if (!star) {
		n = snprintf(path, sizeof(path), "%s%s", head, rest);
		if (n < PATH_ROOM)
			put_file(d, path);
		return;
	}
	for (slash = star; *slash != '/'; slash--)
		;
	n = snprintf(path, sizeof(path), "%s%.*s", head, (int)(slash - rest),
		     rest);
	if (n >= PATH_ROOM)
		return;
	d->head = path;
	d->rest = slash + 1;
	sysfile_list(d->root, path, one_name, d);
}

/* The CPUID leaves that the room reads, and their numbers of subleaves. */
static const struct { uint32_t leaf, subleaves; } leaves[] = {
	{ 0, 1 }, { 2, 1 }, { 4, 8 }, { 0xa, 1 }, { 0x18, 9 },
	{ 0x40000000, 1 }, { 0x80000001, 1 }, { 0x80000005, 1 },
	{ 0x80000006, 1 }, { 0x8000001d, 8 }, { 0x80000021, 1 },
	{ 0x80000022, 1 },
};

/* IA32_THERM_STATUS, IA32_PACKAGE_THERM_STATUS, AMD's P-state Current Limit. */
static const uint32_t registers[] = { 0x19c, 0x1b1, 0xc0010061 };

static void put_leaves(struct dump *d, const struct probe *p)
{
	struct probe_cpuid c;

	for (size_t i = 0; i < sizeof(leaves) / sizeof(leaves[0]); i++)
		for (uint32_t s = 0; s < leaves[i].subleaves; s++)
			if (probe_cpuid(p, leaves[i].leaf, s, &c) &&
			    (!s || c.eax || c.ebx || c.ecx || c.edx))
				fprintf(d->out, "cpuid %x %x %x %x %x %x\n",
					leaves[i].leaf, s, c.eax, c.ebx, c.ecx,
					c.edx);
}

/* With several kinds of core: the first CPU of each. */
static void put_cpuid(struct dump *d, struct probe *p)
{
	struct env_affinity old = { .changed = false };
	struct core_kind kind[KINDS];
	const size_t n = core_kinds(kind, d->root);

	if (n < 2 || !probe_move(p, kind[0].first, &old)) {
		put_leaves(d, p);
		return;
	}
	put_leaves(d, p);
	env_unpin(&old);
	for (size_t i = 1; i < n; i++) {
		if (!probe_move(p, kind[i].first, &old))
			continue;
		fprintf(d->out, "cpu %d\n", kind[i].first);
		put_leaves(d, p);
		env_unpin(&old);
	}
}

static void put_probe(struct dump *d, struct probe *p)
{
	uint64_t value;
	char room[24];

	fprintf(d->out, "=== /assay-probe\n");
	put_cpuid(d, p);
	for (int o = 0; o < PROBE_OPENS; o++)
		if (p->open[o] >= 0)
			fprintf(d->out, "open %s %s\n", probe_open_names[o],
				probe_open_text(p->open[o], room));
	for (size_t i = 0; i < sizeof(registers) / sizeof(*registers); i++)
		if (probe_msr(p, registers[i], &value))
			fprintf(d->out, "msr %" PRIx32 " %" PRIx64 "\n",
				registers[i], value);
	if (p->uid >= 0)
		fprintf(d->out, "uid %d\n", p->uid);
}

/* A file of the CPU with this number, or with "*" of each CPU. */
static void put_cpu(struct dump *d, const char *cpu, const char *file)
{
	char path[PATH_ROOM];

	snprintf(path, sizeof(path), SYSFS_CPUS "/cpu%s/%s", cpu, file);
	expand(d, "", path);
}

/* `alike`: the caches of one CPU are those of each. */
static void put_cpus(struct dump *d, bool alike)
{
	char first[16];

	snprintf(first, sizeof(first), "%d", sysfs_first(d->root));
	if (strcmp(first, "0"))
		put_cpu(d, first, "cpufreq/*");
	for (size_t i = 0; i < sizeof(cache_files) / sizeof(*cache_files); i++)
		put_cpu(d, alike ? first : "*", cache_files[i]);
	if (sysfile_exists(d->root, SYSFS_CPUS "/cpu%s/topology/"
			   "package_cpus_list", first))
		return;
	for (size_t i = 0; i < sizeof(old_files) / sizeof(*old_files); i++)
		put_cpu(d, "*", old_files[i]);
}

/* Of the kernel's log only lines that the doctor knows; others are private. */
static void put_log(struct dump *d)
{
	struct log_seen seen[LOG_KINDS];
	const int n = kernel_log_read(seen, d->root);

	if (n >= 0)
		fprintf(d->out, "=== /dev/kmsg\n");
	for (int i = 0; i < n; i++)
		for (unsigned t = 0; t < seen[i].times && t < 100; t++)
			fprintf(d->out, "%s\n", seen[i].line);
}

int env_dump(FILE *out, const char *sysroot, struct assay_error *err)
{
	struct dump d = { .out = out, .root = sysroot,
			  .text = malloc(TEXT_ROOM) };
	struct probe *probe = malloc(sizeof(*probe));
	char shape[512];
	bool alike;
	int rc = 0;

	if (!d.text || !probe) {
		rc = error_memory(err);
		goto out_memory;
	}
	fprintf(out, "# A machine as assay sees it.\n");
	probe_init(probe, sysroot);
	put_probe(&d, probe);
	alike = topology_synthetic(shape, sizeof(shape), sysroot);
	if (alike)
		fprintf(out, "=== /assay-topology\n%s\n", shape);
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		expand(&d, "", files[i]);
	put_cpus(&d, alike);
	put_log(&d);
	if (fflush(out) || ferror(out))
		rc = error_set(err, -ASSAY_EIO, "cannot write the machine: %s",
			       strerror(errno));
out_memory:
	free(probe);
	free(d.text);
	return rc;
}
