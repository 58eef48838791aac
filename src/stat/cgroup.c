/* SPDX-License-Identifier: MIT */
/*
 * Opens control groups by name, for perf_event_open. perf_event is a controller
 * with its own hierarchy (cgroup version 1), or always on in the unified
 * hierarchy (version 2). A group is named by its path in that hierarchy, as
 * /proc/PID/cgroup has it, or by its path in the file system. Groups that
 * contain each other, and the root, are refused.
 */
#define _GNU_SOURCE	/* hasmntopt */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <mntent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "stat/stat.h"
#include "base/text.h"

#define PATH 4096
#define NEIGHBOURS 256
/* The inode of kernfs's root. The root group is refused, because the kernel
 * counts nothing for it on CPUs that never switch to another group. */
#define ROOT_INODE 1

/* The mount point, below sysroot, of the hierarchy that perf_event uses. */
static bool find_mount(char out[PATH], const char *sysroot)
{
	char path[PATH], strings[PATH];
	struct mntent entry;
	bool v1 = false, v2 = false;
	FILE *mounts;

	snprintf(path, sizeof(path), "%.1000s/proc/mounts", sysroot);
	mounts = setmntent(path, "re");
	if (!mounts)
		return false;
	while (!v1 && getmntent_r(mounts, &entry, strings, sizeof(strings))) {
		v1 = !strcmp(entry.mnt_type, "cgroup") &&
		     hasmntopt(&entry, "perf_event");
		if (!v1 && (v2 || strcmp(entry.mnt_type, "cgroup2") != 0))
			continue;
		v2 = !v1;
		text_copy(out, PATH, entry.mnt_dir);
	}
	endmntent(mounts);
	return v1 || v2;
}

/* Suggests the nearest name in the folder of the path that was not found. */
static void suggest(const char *path, struct assay_error *err)
{
	char parent[PATH], names[NEIGHBOURS][64];
	const char *list[NEIGHBOURS + 1];
	const struct dirent *entry;
	size_t n = 0;
	char *word;
	DIR *dir;

	text_copy(parent, sizeof(parent), path);
	word = strrchr(parent, '/');
	if (!word || !word[1])
		return;
	*word++ = '\0';
	dir = opendir(parent);
	while (dir && n < NEIGHBOURS && (entry = readdir(dir)))
		if (entry->d_type == DT_DIR && entry->d_name[0] != '.') {
			text_copy(names[n], sizeof(names[n]), entry->d_name);
			list[n] = names[n];
			n++;
		}
	if (dir)
		closedir(dir);
	list[n] = NULL;
	error_meant(err, word, list);
}

static int not_opened(const char *name, const char *mount, const char *path,
		      struct assay_error *err)
{
	if (errno != ENOENT && errno != ENOTDIR)
		return error_set(err, -ASSAY_EPERM, "control group '%.100s' "
				 "cannot be opened: %s", name,
				 strerror(errno));
	error_set(err, -ASSAY_ENOENT, "there is no control group '%.100s' "
		  "below %.100s", name, mount);
	suggest(path, err);
	return -ASSAY_ENOENT;
}

int stat_cgroup_open(int *out, const char *name, const char *sysroot,
		     struct assay_error *err)
{
	char mount[PATH], path[3 * PATH];
	struct stat st;
	size_t length;

	if (!strcmp(sysroot, "/"))
		sysroot = "";
	if (!*name)
		return error_set(err, -ASSAY_EINVAL, "the control group has no "
				 "name: write a path below the hierarchy, or / "
				 "for all of it");
	if (!find_mount(mount, sysroot))
		return error_set(err, -ASSAY_EUNAVAIL, "no control groups can "
				 "be counted here: neither cgroup2 nor the "
				 "perf_event hierarchy is mounted; as root: "
				 "mount -t cgroup2 none /sys/fs/cgroup");
	/* A path in the file system is accepted, too. */
	length = strlen(mount);
	if (!strncmp(name, mount, length) &&
	    (name[length] == '/' || !name[length]))
		name += length;
	snprintf(path, sizeof(path), "%.1000s%s%s%.4000s", sysroot, mount,
		 *name == '/' ? "" : "/", name);
	*out = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (*out < 0)
		return not_opened(name, mount, path, err);
	if (fstat(*out, &st) || st.st_ino != ROOT_INODE)
		return 0;
	close(*out);
	return error_set(err, -ASSAY_EINVAL, "'%.100s' is the root of all "
			 "control groups: -C all counts everything", name);
}

/* ---- several ------------------------------------------------------------- */

/* The path of an open group, without symbolic links. */
static bool real_path(char out[PATH], const struct stat_cgroup *group)
{
	char link[32];
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", group->fd);
	n = readlink(link, out, PATH - 1);
	out[n > 0 ? n : 0] = '\0';
	return n > 0;
}

/* Is `group` the same as `outer`, or below it? */
static bool is_inside(const struct stat_cgroup *group,
		      const struct stat_cgroup *outer)
{
	char path[PATH], above[PATH];
	size_t length;

	if (!real_path(path, group) || !real_path(above, outer))
		return false;
	length = strlen(above);
	return !strncmp(path, above, length) &&
	       (path[length] == '/' || !path[length]);
}

/* An error if the last group contains another one, or is inside it. */
static int check_apart(const struct stat_spots *spots, struct assay_error *err)
{
	const struct stat_cgroup *last = &spots->cgroup[spots->cgroups - 1];

	for (const struct stat_cgroup *g = spots->cgroup; g < last; g++) {
		const bool inner = is_inside(last, g),
			   outer = is_inside(g, last);

		if (!inner && !outer)
			continue;
		return error_set(err, -ASSAY_EINVAL, "control group '%.80s' is "
				 "%s '%.80s': it would be counted twice",
				 inner ? last->name : g->name,
				 inner && outer ? "the same as" : "inside",
				 inner ? g->name : last->name);
	}
	return 0;
}

int stat_cgroups_open(struct stat_spots *out, const char *list,
		      const char *sysroot, struct assay_error *err)
{
	size_t most = 1;
	char *name;
	int rc = 0;

	for (const char *c = list; *c; c++)
		most += *c == ',';
	name = out->names = strdup(list);
	out->cgroup = calloc(most, sizeof(*out->cgroup));
	if (!name || !out->cgroup)
		return error_memory(err);
	for (size_t i = 0; i < most && rc == 0; i++) {
		struct stat_cgroup *group = &out->cgroup[i];

		group->name = name;
		name += strcspn(name, ",");
		if (*name)
			*name++ = '\0';
		rc = stat_cgroup_open(&group->fd, group->name, sysroot, err);
		if (rc == 0) {
			out->cgroups++;
			rc = check_apart(out, err);
		}
	}
	return rc;
}
