/* SPDX-License-Identifier: MIT */
/*
 * The spots of a call: where perf_event counters are opened. Input: the lists
 * of struct assay_stat (pids, tids, cpus, cgroup). Output: struct stat_spots
 * with a thread, a CPU, or a control group on a CPU for each spot; at most
 * FOLLOW_SPOTS. Threads and CPUs that do not exist are errors.
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stat/stat.h"
#include "base/array.h"
#include "base/cpulist.h"
#include "base/text.h"
#include "base/sysfile.h"

static int add(struct stat_spots *out, struct follow_spot spot,
	       struct assay_error *err)
{
	if (out->spots == FOLLOW_SPOTS)
		return error_set(err, -ASSAY_ERANGE, "more than %d threads or "
				 "CPUs at once", FOLLOW_SPOTS);
	if (!array_resize(&out->spot, out->spots + 1, sizeof(*out->spot)))
		return error_memory(err);
	out->spot[out->spots++] = spot;
	return 0;
}

static int add_thread(struct stat_spots *out, long tid,
		      struct assay_error *err)
{
	return add(out, (struct follow_spot){ .pid = (pid_t)tid, .cpu = -1 },
		   err);
}

static int add_threads(struct stat_spots *out, pid_t pid,
		       struct assay_error *err)
{
	char path[64];
	struct dirent *entry;
	DIR *dir;
	int rc = 0;

	snprintf(path, sizeof(path), "/proc/%d/task", (int)pid);
	dir = opendir(path);
	if (!dir)
		return error_set(err, -ASSAY_ENOENT, "there is no process %d",
				 (int)pid);
	while (!rc && (entry = readdir(dir)))
		if (entry->d_name[0] != '.')
			rc = add_thread(out, strtol(entry->d_name, NULL, 10),
					err);
	closedir(dir);
	return rc;
}

static int add_existing_thread(struct stat_spots *out, long tid,
			    struct assay_error *err)
{
	if (!sysfile_exists("/", "/proc/%ld", tid))
		return error_set(err, -ASSAY_ENOENT, "there is no thread %ld",
				 tid);
	return add_thread(out, tid, err);
}

/* Adds the threads of a list of thread IDs or (process) process IDs. */
static int add_ids(struct stat_spots *out, const char *list, const char *what,
		   bool process, struct assay_error *err)
{
	char *end;
	int rc = 0;

	do {
		long n;

		errno = 0;
		n = strtol(list, &end, 10);
		if (*list < '0' || *list > '9' || errno || n < 1 ||
		    n > 0x7fffffff || (*end && *end != ','))
			return error_set(err, -ASSAY_EINVAL, "'%.60s' is no "
					 "list of %s", list, what);
		rc = process ? add_threads(out, (pid_t)n, err) :
			       add_existing_thread(out, n, err);
		list = end;
	} while (!rc && *list && *++list);
	return rc;
}

static int read_online(struct cpulist *out, const char *sysroot)
{
	char text[1024];

	if (sysfile_text(text, sizeof(text), sysroot, "%s",
			 "/sys/devices/system/cpu/online") < 0)
		return -ASSAY_EIO;
	return cpulist_parse(out, text);
}

/* The CPUs of a list, or with "all" those that are online. */
static int find_cpus(struct cpulist *out, const char *text,
		     const char *sysroot, struct assay_error *err)
{
	struct cpulist asked, online;
	const bool all = !strcmp(text, "all");

	if (!all && cpulist_parse(&asked, text))
		return error_set(err, -ASSAY_EINVAL, "'%.60s' is no list of "
				 "CPUs: write 0,2-3 or all", text);
	if (read_online(&online, sysroot)) {
		if (all)
			return error_set(err, -ASSAY_EIO, "cannot read which "
					 "CPUs are online");
		online = asked;
	}
	*out = all ? online : asked;
	for (unsigned cpu = 0; cpu < CPULIST_CPUS; cpu++)
		if (cpulist_has(out, cpu) && !cpulist_has(&online, cpu))
			return error_set(err, -ASSAY_EINVAL, "CPU %u is not "
					 "online", cpu);
	return 0;
}

/* A spot for each CPU: of all that runs there, or of one control group. */
static int add_cpus(struct stat_spots *out, const struct cpulist *cpus,
		    const struct stat_cgroup *cgroup, struct assay_error *err)
{
	struct follow_spot spot = { .pid = cgroup ? cgroup->fd : -1,
				    .cgroup = cgroup != NULL };
	int rc = 0;

	for (unsigned cpu = 0; cpu < CPULIST_CPUS && rc == 0; cpu++) {
		spot.cpu = (int)cpu;
		if (cpulist_has(cpus, cpu))
			rc = add(out, spot, err);
	}
	return rc;
}

static int add_cgroups(struct stat_spots *out, const struct assay_stat *stat,
		       const struct cpulist *cpus, const char *sysroot,
		       struct assay_error *err)
{
	int rc = stat_cgroups_open(out, stat->cgroup, sysroot, err);

	for (size_t i = 0; i < out->cgroups && rc == 0; i++)
		rc = add_cpus(out, cpus, &out->cgroup[i], err);
	return rc;
}

int stat_spots_init(struct stat_spots *out, const struct assay_stat *stat,
		    const char *sysroot, struct assay_error *err)
{
	struct cpulist cpus;
	int rc = 0;

	*out = (struct stat_spots){ .inherit = stat->pids != NULL };
	if (stat->cpus || stat->cgroup)
		rc = find_cpus(&cpus, stat->cpus ? stat->cpus : "all", sysroot,
			       err);
	if (rc == 0 && stat->cgroup)
		rc = add_cgroups(out, stat, &cpus, sysroot, err);
	else if (rc == 0 && stat->cpus)
		rc = add_cpus(out, &cpus, NULL, err);
	else if (rc == 0 && stat->pids)
		rc = add_ids(out, stat->pids, "processes", true, err);
	else if (rc == 0 && stat->tids)
		rc = add_ids(out, stat->tids, "threads", false, err);
	if (rc < 0)
		stat_spots_fini(out);
	return rc;
}

void stat_spots_fini(struct stat_spots *spots)
{
	for (size_t i = 0; i < spots->cgroups; i++)
		close(spots->cgroup[i].fd);
	free(spots->cgroup);
	free(spots->names);
	free(spots->spot);
	*spots = (struct stat_spots){ 0 };
}
