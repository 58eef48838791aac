/* SPDX-License-Identifier: MIT */
/* See scratch.h. */
#define _GNU_SOURCE	/* mkdtemp, nftw */
#include "base/process/scratch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <ftw.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"

static int remove_one(const char *path, const struct stat *st, int type,
		      struct FTW *ftw)
{
	(void)st, (void)type, (void)ftw;
	remove(path);
	return 0;
}

/* Opens and locks a folder of this user's that no other user may enter.
 * Returns a descriptor, or -1: another process has the lock, or the path names
 * something else by now. */
static int lock(const char *path)
{
	const int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW |
			    O_CLOEXEC);
	struct stat held, now;

	if (fd < 0)
		return -1;
	if (flock(fd, LOCK_EX | LOCK_NB) == 0 && fstat(fd, &held) == 0 &&
	    lstat(path, &now) == 0 && held.st_dev == now.st_dev &&
	    held.st_ino == now.st_ino && held.st_uid == geteuid() &&
	    (held.st_mode & 07777) == 0700)
		return fd;
	close(fd);
	return -1;
}

/* Versions without locks had other names: with '-' or '.' before the last six
 * letters. */
static bool is_name(const char *name)
{
	static const char six[] = "??????";
	static const char *const kinds[] = { "bare", "ci", "run" };
	char pattern[32];

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		snprintf(pattern, sizeof(pattern), "assay-%s_%s", kinds[i],
			 six);
		if (!fnmatch(pattern, name, 0))
			return true;
	}
	return false;
}

static void remove_left_overs(const char *parent)
{
	DIR *dir = opendir(parent);
	char path[SCRATCH_PATH];
	struct dirent *entry;
	int fd;

	while (dir && (entry = readdir(dir))) {
		if (!is_name(entry->d_name) ||
		    snprintf(path, sizeof(path), "%s/%s", parent,
			     entry->d_name) >= (int)sizeof(path))
			continue;
		fd = lock(path);
		if (fd < 0)
			continue;
		nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
		close(fd);
	}
	if (dir)
		closedir(dir);
}

int scratch_make(struct scratch *out, const char *parent, const char *kind,
		 struct assay_error *err)
{
	const char *tmp = getenv("TMPDIR");

	parent = parent ? parent : tmp && *tmp ? tmp : "/tmp";
	remove_left_overs(parent);
	/* Another process may take a new folder for a left-over until the
	 * folder is locked: then the next one is tried. */
	for (int tries = 0; tries < 10; tries++) {
		errno = ENAMETOOLONG;
		if (snprintf(out->folder, SCRATCH_PATH - 64,
			     "%s/assay-%s_XXXXXX", parent, kind) >=
		    SCRATCH_PATH - 64 || !mkdtemp(out->folder))
			break;
		out->lock = lock(out->folder);
		if (out->lock >= 0)
			return 0;
		rmdir(out->folder);
	}
	return error_set(err, -ASSAY_EIO, "cannot make a folder in '%.300s': "
			 "%s", parent, strerror(errno));
}

void scratch_remove(struct scratch *scratch)
{
	nftw(scratch->folder, remove_one, 16,
	     FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
	close(scratch->lock);
}
