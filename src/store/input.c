/* SPDX-License-Identifier: MIT */
/* A file of records, or a run of the database. */
#include "store/input.h"

#include <unistd.h>

#include "base/text.h"
#include "database/database.h"

bool input_is_run(const char *path)
{
	return database_run_number(path) > 0;
}

int input_load(char **out, size_t *bytes, const char *path, size_t most,
	       struct assay_error *err)
{
	if (!input_is_run(path) || access(path, F_OK) == 0)
		return text_load(out, bytes, path, most, err);
	return database_lines(out, bytes, NULL, database_run_number(path),
			      most, err);
}
