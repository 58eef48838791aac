/* SPDX-License-Identifier: MIT */
/* Files of text, and errno in words for files that cannot be read or written. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static int failed(struct assay_error *err, int code, const char *verb,
		  const char *path, int number)
{
	error_set(err, code, "cannot %s '%.300s': %s", verb, path,
		  number ? strerror(number) : "unknown reason");
	if (err)
		err->sys_errno = number;
	return code;
}

int error_read(struct assay_error *err, const char *path)
{
	const int number = errno;
	const bool no_file = number == ENOENT || number == ENOTDIR ||
			     number == EISDIR;

	return failed(err, no_file ? -ASSAY_ENOENT : -ASSAY_EIO, "read", path,
		      number);
}

int error_write(struct assay_error *err, const char *path)
{
	return failed(err, -ASSAY_EIO, "write", path, errno);
}

/* ---- reading ------------------------------------------------------------ */

struct loading {
	char *text;
	size_t bytes, room, most;
	const char *name;
	struct assay_error *err;
};

static int grow(struct loading *l)
{
	char *grown;

	if (l->bytes + 1 < l->room)
		return 0;
	if (l->room > l->most)
		return error_set(l->err, -ASSAY_EINVAL, "'%.300s' is larger "
				 "than %zu MiB", l->name, l->most >> 20);
	l->room = l->room ? 2 * l->room : 1 << 16;
	grown = realloc(l->text, l->room);
	if (!grown)
		return error_set(l->err, -ASSAY_ENOMEM, "out of memory");
	l->text = grown;
	return 0;
}

static int read_all(struct loading *l, FILE *file)
{
	size_t n = 1;
	int rc = 0;

	while (n && !(rc = grow(l))) {
		n = fread(l->text + l->bytes, 1, l->room - l->bytes - 1, file);
		l->bytes += n;
	}
	if (!rc && ferror(file))
		rc = error_read(l->err, l->name);
	if (!rc)
		l->text[l->bytes] = '\0';
	return rc;
}

int text_load(char **out, size_t *bytes, const char *path, size_t most,
	      struct assay_error *err)
{
	const bool is_stdin = !strcmp(path, "-");
	struct loading l = { .most = most, .err = err,
			     .name = is_stdin ? "stdin" : path };
	FILE *file = is_stdin ? stdin : fopen(path, "re");
	int rc = file ? read_all(&l, file) : error_read(err, path);

	if (file && !is_stdin)
		fclose(file);
	if (rc) {
		free(l.text);
		return rc;
	}
	*out = l.text;
	*bytes = l.bytes;
	return 0;
}
