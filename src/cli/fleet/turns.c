/* SPDX-License-Identifier: MIT */
/*
 * The file says in one line whose turn is or was the last: "JOB.STEP begun" or
 * "JOB.STEP done". The lock says whether the turn lasts: a line "begun" without
 * a lock is of a process that died.
 */
#define _GNU_SOURCE
#include "cli/fleet/turns.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { LINE = 256, PAUSE_MS = 20 };

/* No process removes the file: another one may be waiting for its lock. */
int turns_open(const struct launcher *l)
{
	char path[400], node[sizeof(l->node)];
	struct stat s;
	size_t n = 0;
	int fd;

	for (; l->node[n]; n++)
		node[n] = l->node[n] == '/' ? '_' : l->node[n];
	node[n] = '\0';
	snprintf(path, sizeof(path), "%s/assay-%u-%s.lock",
		 access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm",
		 (unsigned)geteuid(), node);
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0)
		return -1;
	if (!fstat(fd, &s) && S_ISREG(s.st_mode) && s.st_uid == geteuid())
		return fd;
	close(fd);
	return -1;
}

static void put(int fd, const struct launcher *l, const char *state)
{
	char line[LINE];
	const int n = snprintf(line, sizeof(line), "%s.%s %s\n", l->job,
			       l->step, state);

	/* A line that is not there leaves the waiting ranks without an answer,
	 * and they say so. */
	if (ftruncate(fd, 0) || pwrite(fd, line, (size_t)n, 0) != n)
		return;
}

static bool lock(int fd, int how)
{
	int rc;

	do {
		rc = flock(fd, how);
	} while (rc && errno == EINTR);
	return !rc;
}

bool turns_take(int fd, const struct launcher *l)
{
	if (fd < 0 || !lock(fd, LOCK_EX))
		return false;
	put(fd, l, "begun");
	return true;
}

void turns_done(int fd, const struct launcher *l)
{
	if (fd >= 0)
		put(fd, l, "done");
}

/* Whether the line is of this step; *done: and ended. */
static bool read_line(int fd, const struct launcher *l, bool *done)
{
	char line[LINE], want[LINE];
	const ssize_t n = pread(fd, line, sizeof(line) - 1, 0);
	int bytes;

	line[n < 0 ? 0 : n] = '\0';
	bytes = snprintf(want, sizeof(want), "%s.%s ", l->job, l->step);
	*done = !strcmp(line + (n > bytes ? bytes : 0), "done\n");
	return n > bytes && !strncmp(line, want, (size_t)bytes);
}

enum turns_end turns_wait(int fd, const struct launcher *l, unsigned seconds)
{
	const struct timespec pause = { .tv_nsec = PAUSE_MS * 1000000L };
	bool done = false, mine = false;

	for (unsigned i = 0; i < seconds * 1000 / PAUSE_MS && !mine; i++) {
		if (i)
			nanosleep(&pause, NULL);
		/* while another rank has its turn, this waits in the kernel */
		if (fd < 0 || !lock(fd, LOCK_SH))
			return TURNS_NOT_SEEN;
		mine = read_line(fd, l, &done);
		flock(fd, LOCK_UN);
	}
	return !mine ? TURNS_NOT_SEEN : done ? TURNS_MEASURED : TURNS_FAILED;
}
