/* SPDX-License-Identifier: MIT */
/* Errors for files that cannot be read or written: errno in words. */
#include <errno.h>
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
