/* SPDX-License-Identifier: MIT */
/*
 * What limits counting on this machine, by /sys, /proc and CPUID. An errno of
 * perf_event_open alone is ambiguous: ENOENT means "no PMU" or "no such event",
 * and ordinary users may get EACCES instead of either.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "counters/perf-group.h"

static const char devices[] = "/sys/bus/event_source/devices";

static bool read_number(const char *path, int *out)
{
	FILE *file = fopen(path, "re");
	bool ok;

	if (!file)
		return false;
	ok = fscanf(file, "%d", out) == 1;
	fclose(file);
	return ok;
}

/* A core PMU has type 4 on x86; on Arm and hybrid CPUs it lists its CPUs. */
static bool is_core_pmu(const char *folder, const char *name)
{
	char path[1024];
	int type;

	snprintf(path, sizeof(path), "%s/%s/type", folder, name);
	if (read_number(path, &type) && type == 4)
		return true;
	snprintf(path, sizeof(path), "%s/%s/cpus", folder, name);
	return access(path, R_OK) == 0;
}

static void read_pmus(struct perf_limits *out, const char *sysroot)
{
	char folder[256];
	struct dirent *entry;
	DIR *dir;

	snprintf(folder, sizeof(folder), "%s%s", sysroot, devices);
	dir = opendir(folder);
	if (!dir)
		return;
	out->sysfs = true;
	while ((entry = readdir(dir)))
		if (entry->d_name[0] != '.' &&
		    is_core_pmu(folder, entry->d_name))
			out->core_pmu = true;
	closedir(dir);
}

/* Does /proc/self/status say that a seccomp filter is installed (mode 2)? */
static bool read_filtered(const char *path)
{
	FILE *file = fopen(path, "re");
	char line[256];
	int mode = 0;

	if (!file)
		return false;
	while (fgets(line, sizeof(line), file))
		if (sscanf(line, "Seccomp: %d", &mode) == 1)
			break;
	fclose(file);
	return mode == 2;
}

void perf_leaf_a_decode(struct perf_leaf_a *out, uint32_t eax, uint32_t ebx,
			uint32_t edx)
{
	const unsigned events = eax >> 24;

	*out = (struct perf_leaf_a){ .version = eax & 0xff };
	if (!out->version)
		return;
	out->general = eax >> 8 & 0xff;
	out->general_bits = eax >> 16 & 0xff;
	out->missing = events < 32 ? ebx & ((UINT32_C(1) << events) - 1) : ebx;
	/* Version 1 had no fixed counters, and EDX was not defined. */
	if (out->version > 1) {
		out->fixed = edx & 0x1f;
		out->fixed_bits = edx >> 5 & 0xff;
	}
}

static int read_claimed(void)
{
	uint32_t eax, ebx, edx;
	struct perf_leaf_a leaf;

	if (!perf_arch_leaf_a(&eax, &ebx, &edx))
		return -1;
	perf_leaf_a_decode(&leaf, eax, ebx, edx);
	return (int)leaf.general;
}

void perf_limits_read(struct perf_limits *out, const char *sysroot)
{
	char path[256];
	int watchdog = 0;

	if (!strcmp(sysroot, "/"))
		sysroot = "";
	*out = (struct perf_limits){
		.paranoid = -9, .claimed = read_claimed(),
	};
	read_pmus(out, sysroot);
	snprintf(path, sizeof(path),
		 "%s/proc/sys/kernel/perf_event_paranoid", sysroot);
	read_number(path, &out->paranoid);
	snprintf(path, sizeof(path), "%s/proc/sys/kernel/nmi_watchdog",
		 sysroot);
	out->watchdog = read_number(path, &watchdog) && watchdog > 0;
	snprintf(path, sizeof(path), "%s/proc/self/status", sysroot);
	out->filtered = read_filtered(path);
}
