/* SPDX-License-Identifier: MIT */
/* A file of records, or a run of the database. */
#define _GNU_SOURCE	/* fmemopen */
#include "store/input.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "database/database.h"

#define RUN_BYTES (1u << 30)	/* of a stored run at most */

bool input_is_run(const char *path)
{
	struct database_range range;

	return database_range(&range, path);
}

/* A file goes before the run that has its name as a number. */
static int load(char **out, size_t *bytes, const char *path, size_t most,
		int (*run)(char **, size_t *, const char *,
			   const struct database_range *, size_t,
			   struct assay_error *),
		struct assay_error *err)
{
	struct database_range range;
	int rc;

	if (!database_range(&range, path) || access(path, F_OK) == 0)
		return text_load(out, bytes, path, most, err);
	rc = run(out, bytes, NULL, &range, most, err);
	if (rc == -ASSAY_ENOENT)
		error_add(err, "and no file is called '%.200s'", path);
	return rc;
}

int input_load(char **out, size_t *bytes, const char *path, size_t most,
	       struct assay_error *err)
{
	return load(out, bytes, path, most, database_lines, err);
}

static int open_run(struct input *out, const char *path,
		    struct assay_error *err)
{
	char *text;
	size_t bytes;
	int rc = input_load(&text, &bytes, path, RUN_BYTES, err);
	FILE *file = rc ? NULL : fmemopen(text, bytes, "r");

	if (!rc && !file) {
		free(text);
		rc = error_memory(err);
	}
	if (!rc)
		*out = (struct input){ file, text };
	return rc;
}

int input_open(struct input *out, const char *path, struct assay_error *err)
{
	const bool standard = !strcmp(path, "-");
	FILE *file = standard ? stdin : fopen(path, "re");

	if (!file && errno == ENOENT && input_is_run(path))
		return open_run(out, path, err);
	if (!file)
		return error_read(err, path);
	*out = (struct input){ .file = file };
	return 0;
}

void input_close(struct input *in)
{
	if (in->file != stdin)
		fclose(in->file);
	free(in->text);
}

int input_table(char **out, size_t *bytes, const char *path, size_t most,
		struct assay_error *err)
{
	return load(out, bytes, path, most, database_table, err);
}
