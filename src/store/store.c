/* SPDX-License-Identifier: MIT */
/* Files of records: opening, reading, finding a shape. */
#include "store/store.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/data.h"
#include "base/record.h"
#include "base/text.h"
#include "store/input.h"
#include "store/lines.h"
#include "store/record-line.h"

int store_add(struct store *store, struct assay_record *record)
{
	size_t n = store->records;
	struct assay_record **more;

	if ((n & (n - 1)) == 0) {
		more = realloc(store->record,
			       (n ? 2 * n : 1) * sizeof(*more));
		if (!more)
			return -ASSAY_ENOMEM;
		store->record = more;
	}
	store->record[store->records++] = record;
	return 0;
}

static int read_line(void *ctx, const struct line *line)
{
	struct store *store = ctx;
	struct assay_record *record = NULL;
	int rc = parse_line(&record, line);

	if (rc < 0 || !record)
		return rc;
	if (store->records == SCHEMA_RECORDS)
		rc = line_error(line, 0, "more than %u records",
				 SCHEMA_RECORDS);
	else if (store_add(store, record) < 0)
		rc = error_set(line->err, -ASSAY_ENOMEM,
			       "no memory for the records of '%.200s'",
			       line->file);
	if (rc < 0)
		record_free(record);
	return rc;
}

int store_read_stream(struct store *out, FILE *in, const char *path,
		      struct assay_error *err)
{
	struct store store = { 0 };
	int rc = lines_each(in, path, read_line, &store, err);

	if (rc < 0)
		store_fini(&store);
	else
		*out = store;
	return rc;
}

/* Can the path be the name of built-in records? */
static bool is_name(const char *path)
{
	return *path && !strchr(path, '/') && !strchr(path, '.');
}

/*
 * Opens records/NAME.jsonl in data_dir, or the built-in one. NULL: errno is
 * ENOENT if there is neither.
 */
static FILE *open_named(const char *name, const char *data_dir)
{
	const struct data_file *data;
	char path[4096];
	FILE *in = NULL;

	if (data_dir && (size_t)snprintf(path, sizeof(path),
					 "%s/records/%s.jsonl", data_dir,
					 name) < sizeof(path))
		in = fopen(path, "r");
	if (in)
		return in;
	snprintf(path, sizeof(path), "records/%.200s.jsonl", name);
	data = data_find(path);
	if (!data || !data->bytes) {
		errno = ENOENT;
		return NULL;
	}
	return fmemopen((void *)data->text, data->bytes, "r");
}

/* -ASSAY_ENOENT, with the most similar name of built-in records. */
static int unknown(const char *name, struct assay_error *err)
{
	static const char folder[] = "records/", suffix[] = ".jsonl";
	char near[ASSAY_NAME] = "", known[ASSAY_NAME];
	unsigned nearest = 1 + (unsigned)strlen(name) / 3;

	error_set(err, -ASSAY_ENOENT,
		  "no file and no record is called '%.200s'", name);
	for (const struct data_file *f = data_files; f->path; f++) {
		size_t n = strlen(f->path), cut = sizeof(folder) - 1;

		if (strncmp(f->path, folder, cut) != 0 ||
		    n < cut + sizeof(suffix) - 1)
			continue;
		text_copy(known, sizeof(known), f->path + cut);
		known[strcspn(known, ".")] = '\0';
		if (text_distance(name, known) <= nearest) {
			nearest = text_distance(name, known);
			text_copy(near, sizeof(near), known);
		}
	}
	if (near[0])
		error_add(err, "did you mean '%s'?", near);
	return -ASSAY_ENOENT;
}

int store_read(struct store *out, const char *path, const char *data_dir,
	       struct assay_error *err)
{
	struct input in = { .file = NULL };
	int rc = input_open(&in, path, err);

	if (rc == -ASSAY_ENOENT && is_name(path) && !input_is_run(path)) {
		in.file = open_named(path, data_dir);
		rc = in.file ? 0 : errno == ENOENT ? unknown(path, err) :
			     error_read(err, path);
	}
	if (rc)
		return rc;
	rc = store_read_stream(out, in.file, in.file == stdin ? "stdin" : path,
			       err);
	input_close(&in);
	return rc;
}

void store_fini(struct store *store)
{
	for (size_t i = 0; i < store->records; i++)
		record_free(store->record[i]);
	free(store->record);
	*store = (struct store){ 0 };
}

/* Choices are compared by word: a kernel's choices may be renumbered. */
static bool same_option(const struct assay_shape_value *saved,
			const struct assay_shape *asked)
{
	int i = assay_shape_find(asked, saved->name);
	const struct assay_shape_value *o;

	if (i < 0)
		return false;
	o = &asked->option[i];
	if (saved->kind == ASSAY_OPTION_CHOICE && saved->word[0])
		return strcmp(saved->word, o->word) == 0;
	return saved->value == o->value;
}

static bool same_shape(const struct assay_shape *saved,
		       const struct assay_shape *asked)
{
	if (strcmp(saved->kernel, asked->kernel) != 0)
		return false;
	for (unsigned i = 0; i < saved->options; i++)
		if (!same_option(&saved->option[i], asked))
			return false;
	return true;
}

const struct assay_record *store_find(const struct store *store,
				      const struct assay_shape *shape)
{
	for (size_t i = 0; i < store->records; i++)
		if (same_shape(&store->record[i]->shape, shape))
			return store->record[i];
	return NULL;
}
