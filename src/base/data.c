/* SPDX-License-Identifier: MIT */
/* Finding a built-in data file. */
#include "base/data.h"

#include <string.h>

const struct data_file *data_find(const char *path)
{
	for (const struct data_file *f = data_files; f->path; f++)
		if (strcmp(f->path, path) == 0)
			return f;
	return NULL;
}
