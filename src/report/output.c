/* SPDX-License-Identifier: MIT */
/*
 * Writes a file under a temporary name in the same folder, and renames the file
 * when it is complete.
 */
#define _GNU_SOURCE	/* mkostemp */
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

/* mkostemp makes files for the owner only; others get what umask grants. */
static void usual_mode(int fd)
{
	mode_t mask = umask(0);

	umask(mask);
	if (fchmod(fd, 0666 & ~mask))
		return;
}

static int open_temporary(struct report_output *out, struct assay_error *err)
{
	int fd = mkostemp(out->temporary, O_CLOEXEC);

	if (fd < 0)
		return io_error(err, out->path);
	usual_mode(fd);
	out->file = fdopen(fd, "w");
	if (out->file)
		return 0;
	io_error(err, out->path);
	close(fd);
	unlink(out->temporary);
	return -ASSAY_EIO;
}

int report_output_open(struct report_output *out, const char *path,
		       struct assay_error *err)
{
	size_t room;
	int rc;

	memset(out, 0, sizeof(*out));
	if (!path || !strcmp(path, "-")) {
		out->file = stdout;
		return 0;
	}
	if (special(path))
		return open_special(out, path, err);
	room = strlen(path) + sizeof(".XXXXXX");
	out->path = strdup(path);
	out->temporary = malloc(room);
	if (out->path && out->temporary) {
		snprintf(out->temporary, room, "%s.XXXXXX", path);
		rc = open_temporary(out, err);
	} else {
		rc = error_memory(err);
	}
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
	if (out->path && keep && rename(out->temporary, out->path))
		return io_error(err, out->path);
	return 0;
}

int report_output_close(struct report_output *out, bool keep,
			struct assay_error *err)
{
	int rc = 0;

	if (out->file == stdout)
		rc = fflush(stdout) ? io_error(err, "standard output") : 0;
	else if (out->file)
		rc = finish(out, keep, err);
	if (out->path && (!keep || rc))
		unlink(out->temporary);
	free(out->path);
	free(out->temporary);
	memset(out, 0, sizeof(*out));
	return rc;
}
