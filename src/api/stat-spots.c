/* SPDX-License-Identifier: MIT */
/* Whom to count: threads, the threads of processes, CPUs, or what a control
 * group runs on them. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/stat.h"
#include "base/cpulist.h"
#include "base/text.h"

static int add(struct stat_spots *out, pid_t pid, int cpu,
	       struct assay_error *err)
{
	struct follow_spot *grown;

	if (out->spots == FOLLOW_SPOTS)
		return error_set(err, -ASSAY_ERANGE, "more than %d threads or "
				 "CPUs at once", FOLLOW_SPOTS);
	grown = realloc(out->spot, (out->spots + 1) * sizeof(*grown));
	if (!grown)
		return error_set(err, -ASSAY_ENOMEM, "out of memory");
	out->spot = grown;
	out->spot[out->spots++] = (struct follow_spot){
		pid, cpu, out->of_cgroup };
	return 0;
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
			rc = add(out, (pid_t)strtol(entry->d_name, NULL, 10),
				 -1, err);
	closedir(dir);
	return rc;
}

static int each_number(struct stat_spots *out, const char *list,
		       const char *what, bool process, struct assay_error *err)
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
			       add(out, (pid_t)n, -1, err);
		list = end;
	} while (!rc && *list && *++list);
	return rc;
}

static int read_online(struct cpulist *out, const char *sysroot)
{
	char path[300], text[1024] = "";
	FILE *file;

	snprintf(path, sizeof(path), "%.200s/sys/devices/system/cpu/online",
		 strcmp(sysroot, "/") ? sysroot : "");
	file = fopen(path, "re");
	if (!file)
		return -ASSAY_EIO;
	if (!fgets(text, sizeof(text), file))
		text[0] = '\0';
	fclose(file);
	return cpulist_parse(out, text);
}

static int add_cpus(struct stat_spots *out, const char *text,
		    const char *sysroot, struct assay_error *err)
{
	struct cpulist asked, online;
	const bool all = !strcmp(text, "all");
	int rc = 0;

	if (!all && cpulist_parse(&asked, text))
		return error_set(err, -ASSAY_EINVAL, "'%.60s' is no list of "
				 "CPUs: write 0,2-3 or all", text);
	if (read_online(&online, sysroot)) {
		if (all)
			return error_set(err, -ASSAY_EIO, "cannot read which "
					 "CPUs are online");
		online = asked;
	}
	for (unsigned cpu = 0; cpu < CPULIST_CPUS && !rc; cpu++) {
		if (!cpulist_has(all ? &online : &asked, cpu))
			continue;
		if (!cpulist_has(&online, cpu))
			return error_set(err, -ASSAY_EINVAL, "CPU %u is not "
					 "online", cpu);
		rc = add(out, out->cgroup, (int)cpu, err);
	}
	return rc;
}

int stat_spots_init(struct stat_spots *out, const struct assay_stat *stat,
		    const char *sysroot, struct assay_error *err)
{
	int rc = 0;

	*out = (struct stat_spots){
		.inherit = stat->pids != NULL, .cgroup = -1 };
	if (stat->cgroup)
		rc = stat_cgroup_open(&out->cgroup, stat->cgroup, sysroot, err);
	out->of_cgroup = rc == 0 && stat->cgroup;
	if (rc == 0 && (stat->cpus || stat->cgroup))
		rc = add_cpus(out, stat->cpus ? stat->cpus : "all", sysroot,
			      err);
	else if (rc == 0 && stat->pids)
		rc = each_number(out, stat->pids, "processes", true, err);
	else if (rc == 0 && stat->tids)
		rc = each_number(out, stat->tids, "threads", false, err);
	if (rc < 0)
		stat_spots_fini(out);
	return rc;
}

void stat_spots_fini(struct stat_spots *spots)
{
	if (spots->of_cgroup)
		close(spots->cgroup);
	free(spots->spot);
	*spots = (struct stat_spots){ 0 };
}
