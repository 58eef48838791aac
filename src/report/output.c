/* SPDX-License-Identifier: MIT */
/*
 * Writes a file under a temporary name in the same folder, and renames the file
 * when it is complete. What is appended to a file waits in memory, and is then
 * written at once, under a lock: several writers neither lose nor tear records.
 */
#define _GNU_SOURCE	/* mkostemp, F_OFD_SETLKW */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "report/report.h"

static int io_error(struct assay_error *err, const char *path)
{
	int saved = errno;

	error_set(err, -ASSAY_EIO, "'%s': %s", path, strerror(saved));
	if (err)
		err->sys_errno = saved;
	return -ASSAY_EIO;
}

/* /dev/null, a pipe: nothing to rename there. */
static bool special(const char *path)
{
	struct stat st;

	return !stat(path, &st) && !S_ISREG(st.st_mode);
}

static int open_special(struct report_output *out, const char *path,
			struct assay_error *err)
{
	out->file = fopen(path, "we");
	return out->file ? 0 : io_error(err, path);
}

/* mkostemp makes files for the owner only: a new file gets what umask grants,
 * another one keeps the mode of the file that it replaces. */
static void usual_mode(int fd, const char *path)
{
	mode_t mask = umask(0);
	struct stat st;

	umask(mask);
	if (fchmod(fd, stat(path, &st) ? 0666 & ~mask : st.st_mode & 0777))
		return;
}

static int open_temporary(struct report_output *out, struct assay_error *err)
{
	int fd = mkostemp(out->temporary, O_CLOEXEC);

	if (fd < 0)
		return io_error(err, out->path);
	usual_mode(fd, out->path);
	out->file = fdopen(fd, "w");
	if (out->file)
		return 0;
	io_error(err, out->path);
	close(fd);
	unlink(out->temporary);
	return -ASSAY_EIO;
}

/* ---- appending ----------------------------------------------------------- */

static int open_shared(const char *path)
{
	return open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
}

/* Fails before the run what would fail after it. */
static int open_append(struct report_output *out, struct assay_error *err)
{
	const int fd = open_shared(out->path);

	if (fd < 0)
		return io_error(err, out->path);
	close(fd);
	out->file = open_memstream(&out->text, &out->bytes);
	return out->file ? 0 : error_memory(err);
}

/* Has the path still this file, or did another writer replace the file? */
static bool is_there(int fd, const char *path)
{
	struct stat mine, there;

	return !fstat(fd, &mine) && !stat(path, &there) &&
	       mine.st_dev == there.st_dev && mine.st_ino == there.st_ino;
}

/*
 * The file, locked against other writers until it is closed. A file system
 * without locks still has O_APPEND.
 */
static int open_locked(const char *path)
{
	for (;;) {
		struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
		const int fd = open_shared(path);
		int rc = fd < 0;

		while (fd >= 0 && (rc = fcntl(fd, F_OFD_SETLKW, &lock)) != 0 &&
		       errno == EINTR)
			;
		if (fd < 0 || is_there(fd, path) || rc)
			return fd;
		close(fd);
	}
}

static bool write_all(int fd, const char *text, size_t bytes)
{
	while (bytes) {
		const ssize_t n = write(fd, text, bytes);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return false;
		text += n;
		bytes -= (size_t)n;
	}
	return true;
}

/* A record that another program left without an end gets one. */
static bool end_line(int fd, off_t end)
{
	char last = '\n';

	return end <= 0 || pread(fd, &last, 1, end - 1) != 1 || last == '\n' ||
	       write_all(fd, "\n", 1);
}

/* All of the text or, if the disk is full, nothing. */
static int append(struct report_output *out, struct assay_error *err)
{
	const int fd = open_locked(out->path);
	const off_t end = fd < 0 ? -1 : lseek(fd, 0, SEEK_END);
	bool failed = end < 0 || !end_line(fd, end) ||
		      !write_all(fd, out->text, out->bytes);
	int rc = failed ? io_error(err, out->path) : 0;

	if (failed && end >= 0 && ftruncate(fd, end))
		error_add(err, "a part of it was written");
	if (fd >= 0 && close(fd) && !rc)
		rc = io_error(err, out->path);
	return rc;
}

/* Removes a file that open_append() made, and that has nothing yet. */
static void discard(const char *path)
{
	const int fd = open_locked(path);

	if (fd >= 0 && lseek(fd, 0, SEEK_END) == 0)
		unlink(path);
	if (fd >= 0)
		close(fd);
}

/* ---- any file ------------------------------------------------------------ */

static int open_file(struct report_output *out, bool append,
		     struct assay_error *err)
{
	const size_t room = strlen(out->path) + sizeof(".XXXXXX");

	if (append)
		return open_append(out, err);
	out->temporary = malloc(room);
	if (!out->temporary)
		return error_memory(err);
	snprintf(out->temporary, room, "%s.XXXXXX", out->path);
	return open_temporary(out, err);
}

int report_output_open(struct report_output *out, const char *path,
		       bool append, struct assay_error *err)
{
	int rc;

	memset(out, 0, sizeof(*out));
	if (!path || !strcmp(path, "-")) {
		out->file = stdout;
		return 0;
	}
	if (special(path))
		return open_special(out, path, err);
	out->path = realpath(path, NULL);	/* a link stays a link */
	if (!out->path)
		out->path = strdup(path);
	rc = out->path ? open_file(out, append, err) : error_memory(err);
	if (!rc)
		return 0;
	free(out->path);
	free(out->temporary);
	memset(out, 0, sizeof(*out));
	return rc;
}

static int finish(struct report_output *out, bool keep,
		  struct assay_error *err)
{
	if (fclose(out->file))
		return io_error(err, out->path ? out->path : "output");
	if (!keep || !out->path)
		return 0;
	if (!out->temporary)
		return append(out, err);
	return rename(out->temporary, out->path) ? io_error(err, out->path) : 0;
}

int report_output_close(struct report_output *out, bool keep,
			struct assay_error *err)
{
	int rc = 0;

	if (out->file == stdout)
		rc = fflush(stdout) ? io_error(err, "standard output") : 0;
	else if (out->file)
		rc = finish(out, keep, err);
	if (out->temporary && (!keep || rc))
		unlink(out->temporary);
	if (out->path && !out->temporary && !keep)
		discard(out->path);
	free(out->text);
	free(out->path);
	free(out->temporary);
	memset(out, 0, sizeof(*out));
	return rc;
}
