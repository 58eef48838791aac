/* SPDX-License-Identifier: MIT */
/*
 * The text files of data/, compiled in (tools/embed writes the table). This is
 * the only way to them, so that --data can override each one.
 */
#ifndef BASE_DATA_H
#define BASE_DATA_H

#include <stddef.h>

struct data_file {
	const char *path;	/* "cpus/cortex-a72.yaml" */
	const char *text;	/* NUL-terminated */
	size_t bytes;		/* without the NUL */
};

/* Sorted by path; ends with path == NULL. Generated. */
extern const struct data_file data_files[];

const struct data_file *data_find(const char *path);

#endif
