/* SPDX-License-Identifier: MIT */
/* Small text files of the kernel below a root folder; see sysfile.h. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/sysfile.h"

#define PATH_ROOM 1024

bool sysroot_is_live(const char *sysroot)
{
	return !sysroot || !strcmp(sysroot, "/");
}

static bool make_path(char out[PATH_ROOM], const char *sysroot,
		      const char *format, va_list args)
{
	const char *root = sysroot_is_live(sysroot) ? "" : sysroot;
	const int head = snprintf(out, PATH_ROOM, "%s", root);
	int tail;

	if (head >= PATH_ROOM)
		return false;
	tail = vsnprintf(out + head, PATH_ROOM - head, format, args);
	return tail >= 0 && head + tail < PATH_ROOM;
}

/* A FIFO or a socket, which could keep us waiting, is no file of the kernel.
 * Returns a descriptor, or -1 with errno. */
static int open_file(const char *path)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;

	if (fd < 0 || (fstat(fd, &st) == 0 && !S_ISFIFO(st.st_mode)))
		return fd;
	close(fd);
	errno = EINVAL;
	return -1;
}

static int read_all(char *out, size_t room, const char *path)
{
	const int fd = open_file(path);
	size_t used = 0;
	ssize_t n;

	out[0] = '\0';
	if (fd < 0)
		return -errno;
	while (used + 1 < room &&
	       (n = read(fd, out + used, room - 1 - used)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			n = -errno;
			close(fd);
			out[0] = '\0';
			return (int)n;
		}
		used += (size_t)n;
	}
	close(fd);
	while (used && (out[used - 1] == '\n' || out[used - 1] == '\0'))
		used--;
	out[used] = '\0';
	return (int)used;
}

__attribute__((format(printf, 3, 4)))
static bool path_of(char out[PATH_ROOM], const char *sysroot,
		    const char *format, ...)
{
	va_list args;
	bool fits;

	va_start(args, format);
	fits = make_path(out, sysroot, format, args);
	va_end(args);
	return fits;
}

int sysfile_descriptor(const char *sysroot, const char *path)
{
	char all[PATH_ROOM];
	int fd;

	if (!path_of(all, sysroot, "%s", path))
		return -ENAMETOOLONG;
	fd = open_file(all);
	return fd < 0 ? -errno : fd;
}

int sysfile_text(char *out, size_t room, const char *sysroot,
		 const char *format, ...)
{
	char path[PATH_ROOM];
	va_list args;
	bool fits;

	va_start(args, format);
	fits = make_path(path, sysroot, format, args);
	va_end(args);
	out[0] = '\0';
	return fits ? read_all(out, room, path) : -ENAMETOOLONG;
}

FILE *sysfile_open(const char *sysroot, const char *format, ...)
{
	char path[PATH_ROOM];
	va_list args;
	bool fits;
	int fd;

	va_start(args, format);
	fits = make_path(path, sysroot, format, args);
	va_end(args);
	errno = ENAMETOOLONG;
	fd = fits ? open_file(path) : -1;
	return fd < 0 ? NULL : fdopen(fd, "r");
}

bool sysfile_number(int64_t *out, const char *sysroot, const char *format, ...)
{
	char path[PATH_ROOM], text[64], *end;
	long long value;
	va_list args;
	bool fits;

	va_start(args, format);
	fits = make_path(path, sysroot, format, args);
	va_end(args);
	if (!fits || read_all(text, sizeof(text), path) <= 0)
		return false;
	errno = 0;
	value = strtoll(text, &end, 0);
	if (end == text || errno)
		return false;
	*out = value;
	return true;
}

bool sysfile_exists(const char *sysroot, const char *format, ...)
{
	char path[PATH_ROOM];
	va_list args;
	bool fits;

	va_start(args, format);
	fits = make_path(path, sysroot, format, args);
	va_end(args);
	return fits && access(path, F_OK) == 0;
}

static int visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

int sysfile_visit(const char *sysroot, const char *folder,
		  sysfile_visit_fn *fn, void *ctx)
{
	struct dirent **entry;
	char path[PATH_ROOM];
	int n, rc = 0;

	if (!path_of(path, sysroot, "%s", folder))
		return -ENAMETOOLONG;
	n = scandir(path, &entry, visible, alphasort);
	if (n < 0)
		return -errno;
	for (int i = 0; i < n; i++) {
		if (!rc)
			rc = fn(ctx, entry[i]->d_name);
		free(entry[i]);
	}
	free(entry);
	return rc;
}

/* The arguments of sysfile_list on their way through sysfile_visit. */
struct listing {
	sysfile_name_fn *fn;
	void *ctx;
	int names;
};

static int list_name(void *ctx, const char *name)
{
	struct listing *l = ctx;

	l->names++;
	if (l->fn)
		l->fn(l->ctx, name);
	return 0;
}

int sysfile_list(const char *sysroot, const char *folder, sysfile_name_fn *fn,
		 void *ctx)
{
	struct listing listing = { fn, ctx, 0 };
	const int rc = sysfile_visit(sysroot, folder, list_name, &listing);

	return rc < 0 ? rc : listing.names;
}

int sysfile_index(const char *name, const char *prefix)
{
	const size_t length = strlen(prefix);

	if (strncmp(name, prefix, length) || name[length] < '0' ||
	    name[length] > '9')
		return -1;
	return (int)(strtoul(name + length, NULL, 10) & INT_MAX);
}

/* Behind "key<blanks>:<blanks>", or NULL: the line has another key. */
static const char *after_key(const char *line, const char *key)
{
	const size_t length = strlen(key);

	if (strncmp(line, key, length))
		return NULL;
	line += length;
	line += strspn(line, " \t");
	if (*line != ':')
		return NULL;
	return line + 1 + strspn(line + 1, " \t");
}

bool sysfile_key(char *out, size_t room, const char *text, const char *key)
{
	const char *line = text, *value;
	size_t length;

	while (line && *line) {
		value = after_key(line, key);
		if (value) {
			length = strcspn(value, "\n");
			if (length >= room)
				length = room - 1;
			memcpy(out, value, length);
			out[length] = '\0';
			return true;
		}
		line = strchr(line, '\n');
		line += line != NULL;
	}
	return false;
}
