/* SPDX-License-Identifier: MIT */
/*
 * All files of records and counts are opened here, so that the number of a run
 * in the database is taken wherever such a file is.
 */
#ifndef STORE_INPUT_H
#define STORE_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "assay/error.h"

/* Is the name a number or a range: "12", "12..17"? */
bool input_is_run(const char *path);
/*
 * As text_load(). If there is no file of that name and the name is a number
 * or a range: the lines of those runs (database/database.h), in the database that ASSAY_DB
 * names or in the user's.
 */
int input_load(char **out, size_t *bytes, const char *path, size_t most,
	       struct assay_error *err);

/* The same as a stream; "-": stdin. */
struct input {
	FILE *file;
	char *text;		/* behind the file; or NULL */
};
int input_open(struct input *out, const char *path, struct assay_error *err);
void input_close(struct input *in);
/* As input_load(), of a table: a run's counts are CSV (docs/table-file.md). */
int input_table(char **out, size_t *bytes, const char *path, size_t most,
		struct assay_error *err);

#endif
