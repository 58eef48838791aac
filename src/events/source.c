/* SPDX-License-Identifier: MIT */
/* Small files below a root: PMUs and tracepoints are described by such. */
#include <dirent.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "events/source.h"

static const char *root_of(const char *sysroot)
{
	return !sysroot || !strcmp(sysroot, "/") ? "" : sysroot;
}

static int read_text(char *out, size_t room, const char *path)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	if (fd < 0)
		return -1;
	n = read(fd, out, room - 1);
	close(fd);
	if (n < 0)
		return -1;
	while (n > 0 && out[n - 1] == '\n')
		n--;
	out[n] = '\0';
	return (int)n;
}

int sysfs_text(char *out, size_t room, const char *sysroot,
		const char *format, ...)
{
	char path[1024];
	va_list args;
	int head, tail;

	out[0] = '\0';
	head = snprintf(path, sizeof(path), "%s", root_of(sysroot));
	if (head >= (int)sizeof(path))
		return -1;
	va_start(args, format);
	tail = vsnprintf(path + head, sizeof(path) - (size_t)head, format,
			 args);
	va_end(args);
	if (tail < 0 || head + tail >= (int)sizeof(path))
		return -1;
	return read_text(out, room, path);
}

static int visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

int sysfs_folder(const char *sysroot, const char *folder,
		  sysfs_entry_fn *fn, void *ctx)
{
	struct dirent **entry;
	char path[1024];
	int n, rc = 0;

	if (snprintf(path, sizeof(path), "%s%s", root_of(sysroot), folder) >=
	    (int)sizeof(path))
		return -1;
	n = scandir(path, &entry, visible, alphasort);
	if (n < 0)
		return -1;
	for (int i = 0; i < n; i++) {
		if (!rc)
			rc = fn(ctx, entry[i]->d_name);
		free(entry[i]);
	}
	free(entry);
	return rc;
}
