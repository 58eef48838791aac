/* SPDX-License-Identifier: MIT */
/*
 * A report's file replaces another one when complete. What is appended to a
 * file waits in memory, and is then written at once, under a lock: several
 * writers neither lose nor tear records.
 */
#define _GNU_SOURCE	/* F_OFD_SETLKW */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "report/report.h"

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
		return error_write(err, out->path);
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
	int rc = failed ? error_write(err, out->path) : 0;

	if (failed && end >= 0 && ftruncate(fd, end))
		error_add(err, "a part of it was written");
	if (fd >= 0 && close(fd) && !rc)
		rc = error_write(err, out->path);
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

int report_output_open(struct report_output *out, const char *path,
		       bool append, struct assay_error *err)
{
	int rc;

	memset(out, 0, sizeof(*out));
	if (!path || !strcmp(path, "-")) {
		out->file = stdout;
		return 0;
	}
	if (!append || !new_file_possible(path)) {
		rc = new_file_open(&out->new, path, err);
		out->file = out->new.file;
		return rc;
	}
	out->path = strdup(path);
	rc = out->path ? open_append(out, err) : error_memory(err);
	if (rc)
		free(out->path);
	return rc;
}

static int end_append(struct report_output *out, bool keep,
		      struct assay_error *err)
{
	if (fclose(out->file))
		return error_memory(err);
	if (keep)
		return append(out, err);
	discard(out->path);
	return 0;
}

int report_output_close(struct report_output *out, bool keep,
			struct assay_error *err)
{
	int rc = 0;

	if (out->file == stdout)
		rc = fflush(stdout) ? error_write(err, "standard output") : 0;
	else if (out->new.file)
		rc = new_file_close(&out->new, keep, err);
	else if (out->path)
		rc = end_append(out, keep, err);
	else if (out->file && fclose(out->file))
		rc = error_write(err, "output");
	free(out->text);
	free(out->path);
	memset(out, 0, sizeof(*out));
	return rc;
}
