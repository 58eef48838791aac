/* SPDX-License-Identifier: MIT */
/* See place.h. */
#define _GNU_SOURCE	/* unshare */
#include "ci/place.h"

#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { USER = 1000 };

static bool write_text(const char *path, const char *text)
{
	const int fd = open(path, O_WRONLY | O_CLOEXEC);
	const ssize_t n = fd < 0 ? -1 : write(fd, text, strlen(text));

	if (fd >= 0)
		close(fd);
	return n == (ssize_t)strlen(text);
}

/*
 * Maps a user (or group) to USER. First all others to themselves, 0 to be
 * swapped with USER: only root may do that, and keeps its rights to all files.
 * Else the others become the kernel's overflow number.
 */
static bool map_to_user(const char *path, unsigned id)
{
	char swapped[160], single[40];

	snprintf(swapped, sizeof(swapped), "0 %u 1\n1 1 %u\n%u 0 1\n%u %u %u\n",
		 USER, USER - 1, USER, USER + 1, USER + 1, UINT_MAX - USER - 1);
	snprintf(single, sizeof(single), "%u %u 1", USER, id);
	return (!id && write_text(path, swapped)) || write_text(path, single);
}

/* Every user becomes USER: numbers of users, which stat() shows, have one
 * length. */
static bool get_namespace(void)
{
	const unsigned user = geteuid(), group = getegid();

	if (unshare(CLONE_NEWUSER | CLONE_NEWNS) < 0 ||
	    !map_to_user("/proc/self/uid_map", user))
		return false;
	if (user && !write_text("/proc/self/setgroups", "deny"))
		return false;
	return map_to_user("/proc/self/gid_map", group) ||
	       (write_text("/proc/self/setgroups", "deny") &&
		map_to_user("/proc/self/gid_map", group));
}

/* The folder stays for other runs: removing it would end their mounts. */
static bool have_folder(void)
{
	struct stat st;

	mkdir(PLACE_PATH, 0755);
	return lstat(PLACE_PATH, &st) == 0 && S_ISDIR(st.st_mode);
}

static bool mount_here(void)
{
	return have_folder() && get_namespace() &&
	       mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
	       mount(".", PLACE_PATH, NULL, MS_BIND | MS_REC, NULL) == 0;
}

bool place_possible(void)
{
	const pid_t pid = fork();
	int status;

	if (pid == 0)
		_exit(!mount_here());
	return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
}

int place_enter(const char *folder)
{
	if (chdir(folder) < 0 || !mount_here())
		return -1;
	return chdir(PLACE_PATH);
}
