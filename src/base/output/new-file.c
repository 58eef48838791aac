/* SPDX-License-Identifier: MIT */
/* See new-file.h. */
#define _GNU_SOURCE	/* mkostemp, O_TMPFILE */
#include "base/output/new-file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"

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

/* In the folder of the temporary name. */
static int open_unnamed(struct new_file *r)
{
	char *const slash = strrchr(r->temporary, '/');
	int fd;

	if (slash)
		*slash = '\0';
	fd = open(!slash ? "." : slash == r->temporary ? "/" : r->temporary,
		  O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
	if (slash)
		*slash = '/';
	return fd;
}

static int open_new(struct new_file *r)
{
	int fd;

	if (!r->temporary)
		r->file = fopen(r->path, "we");
	if (!r->temporary)
		return r->file ? 0 : -1;
	fd = open_unnamed(r);
	r->named = fd < 0;
	if (fd < 0)
		fd = mkostemp(r->temporary, O_CLOEXEC);
	if (fd < 0)
		return -1;
	usual_mode(fd, r->path);
	r->file = fdopen(fd, "w");
	if (r->file)
		return 0;
	close(fd);
	if (r->named)
		unlink(r->temporary);
	return -1;
}

static void drop_names(struct new_file *r)
{
	free(r->path);
	free(r->temporary);
	memset(r, 0, sizeof(*r));
}

bool new_file_possible(const char *path)
{
	struct stat st;

	return stat(path, &st) || S_ISREG(st.st_mode);
}

/* Chooses the temporary name. */
static int name_files(struct new_file *r, const char *path)
{
	size_t room;

	r->path = realpath(path, NULL);	/* a link stays a link */
	if (!r->path)
		r->path = strdup(path);
	if (!r->path || !new_file_possible(path))
		return r->path ? 0 : -1;
	room = strlen(r->path) + sizeof(".XXXXXX");
	r->temporary = malloc(room);
	if (!r->temporary)
		return -1;
	snprintf(r->temporary, room, "%s.XXXXXX", r->path);
	return 0;
}

int new_file_open(struct new_file *out, const char *path,
		 struct assay_error *err)
{
	int rc = 0;

	memset(out, 0, sizeof(*out));
	if (name_files(out, path))
		rc = error_memory(err);
	else if (open_new(out))
		rc = error_write(err, path);
	if (rc)
		drop_names(out);
	return rc;
}

/* Gives the file a name that no other file has. */
static int name_it(struct new_file *r)
{
	char from[64];

	if (r->named || !r->temporary)
		return 0;
	snprintf(from, sizeof(from), "/proc/self/fd/%d", fileno(r->file));
	for (unsigned n = 0; n < 100; n++) {
		snprintf(strrchr(r->temporary, '.'), sizeof(".XXXXXX"),
			 ".%06u", ((unsigned)getpid() + n) % 1000000);
		r->named = linkat(AT_FDCWD, from, AT_FDCWD, r->temporary,
				  AT_SYMLINK_FOLLOW) == 0;
		if (r->named || errno != EEXIST)
			break;
	}
	return r->named ? 0 : -1;
}

int new_file_close(struct new_file *r, bool keep, struct assay_error *err)
{
	int rc = 0;

	if (keep && (fflush(r->file) || ferror(r->file) || name_it(r)))
		rc = error_write(err, r->path);
	if (fclose(r->file) && keep && !rc)
		rc = error_write(err, r->path);
	if (keep && !rc && r->temporary && rename(r->temporary, r->path))
		rc = error_write(err, r->path);
	if (r->named && (!keep || rc))
		unlink(r->temporary);
	drop_names(r);
	return rc;
}
