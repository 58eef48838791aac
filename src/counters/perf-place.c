/* SPDX-License-Identifier: MIT */
/*
 * What /sys and /proc say about counting here. Read before any errno is
 * explained, because errnos alone are ambiguous: ENOENT is both "no PMU" and
 * "no such event", and for ordinary users EACCES hides either.
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

/* x86 gives its core PMU type 4; Arm's and hybrid ones list their CPUs. */
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

void perf_limits_read(struct perf_limits *out, const char *sysroot)
{
	char path[256];
	int watchdog = 0;

	if (!strcmp(sysroot, "/"))
		sysroot = "";
	*out = (struct perf_limits){
		.paranoid = -9, .claimed = perf_arch_counters(),
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
