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

/* A file goes before the run that has its name as a number. */
static int load(char **out, size_t *bytes, const char *path, size_t most,
		int (*run)(char **, size_t *, const char *, int64_t, size_t,
			   struct assay_error *),
		struct assay_error *err)
{
	if (!input_is_run(path) || access(path, F_OK) == 0)
		return text_load(out, bytes, path, most, err);
	return run(out, bytes, NULL, database_run_number(path), most, err);
}

int input_load(char **out, size_t *bytes, const char *path, size_t most,
	       struct assay_error *err)
{
	return load(out, bytes, path, most, database_lines, err);
}

int input_table(char **out, size_t *bytes, const char *path, size_t most,
		struct assay_error *err)
{
	return load(out, bytes, path, most, database_table, err);
}
