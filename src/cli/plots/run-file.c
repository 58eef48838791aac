/* SPDX-License-Identifier: MIT */
/* A run to be shown: reading it. See run-file.h. */
#define _GNU_SOURCE	/* memfd_create */
#include "cli/plots/run-file.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/record.h"
#include "base/text.h"
#include "store/input.h"
#include "store/rows.h"
#include "store/store.h"

enum { LARGEST = 256 << 20 };

/* Takes the record. Non-zero: no memory. */
static int take(void *ctx, struct assay_record *record)
{
	struct run_file *run = ctx;
	struct store store = { run->record, run->records };
	const int rc = store_add(&store, record);

	run->record = store.record;
	run->records = store.records;
	if (rc)
		record_free(record);
	return rc;
}

static int take_row(void *ctx, const struct assay_row *row)
{
	struct run_file *run = ctx;

	return keep_row(&run->rows, row);
}

int run_file_parse(struct run_file *out, const char *text,
		   struct assay_error *err)
{
	int rc = rows_read(text, out->name, take_row, take, out, err);

	if (rc == -ASSAY_ESTOP)
		rc = error_set(err, -ASSAY_ENOMEM, "out of memory");
	return rc;
}

/* ctx: a FILE. */
static int put_line(void *ctx, const struct assay_record *record)
{
	return store_write(ctx, record, NULL);
}

static int ignore(void *ctx, const struct assay_row *row)
{
	(void)ctx;
	(void)row;
	return 0;
}

/* Another tool's counts, as lines of records. */
static int import(struct run_file *out, const struct context *context,
		  struct assay_error *err)
{
	struct assay_import said;
	size_t bytes;
	char *text;
	FILE *lines = open_memstream(&text, &bytes);
	int rc;

	if (!lines)
		return error_set(err, -ASSAY_ENOMEM, "out of memory");
	rc = assay_import(context->assay, out->path, put_line, ignore, lines,
			  &said, err);
	if (fclose(lines) && !rc)
		rc = error_set(err, -ASSAY_ENOMEM, "out of memory");
	if (!rc)
		rc = run_file_parse(out, text, err);
	free(text);
	return rc;
}

/* Records that are built in have a name, and no file. */
static int read_named(struct run_file *out, const struct context *context,
		      struct assay_error *err)
{
	struct store store;
	const int rc = store_read(&store, out->path,
				  context->settings.data_dir, err);

	if (rc)
		return rc;
	out->record = store.record;
	out->records = store.records;
	return 0;
}

FILE *run_file_memory(char *path, size_t room)
{
	const int fd = memfd_create("assay", MFD_CLOEXEC);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "w+");

	if (!file && fd >= 0)
		close(fd);
	snprintf(path, room, "/proc/self/fd/%d", fd);
	return file;
}

/* Standard input can be read once: records are replayed from a copy. */
static int hold(struct run_file *out, const char *text, size_t bytes,
		struct assay_error *err)
{
	out->held = run_file_memory(out->path, sizeof(out->path));
	if (out->held && fwrite(text, 1, bytes, out->held) == bytes &&
	    !fflush(out->held))
		return 0;
	return error_set(err, -ASSAY_ENOMEM, "no memory for standard input");
}

int run_file_read(struct run_file *out, const struct context *context,
		  const char *path, struct assay_error *err)
{
	const bool named = strcmp(path, "-") && access(path, F_OK) &&
			   !input_is_run(path);
	size_t bytes;
	char *text;
	int rc;

	*out = (struct run_file){ .name = path };
	text_copy(out->path, sizeof(out->path), path);
	if (named)
		return read_named(out, context, err);
	rc = input_load(&text, &bytes, path, LARGEST, err);
	if (rc)
		return rc;
	if (!strcmp(path, "-"))
		rc = hold(out, text, bytes, err);
	if (!rc)
		rc = rows_are(text) ? run_file_parse(out, text, err) :
				      import(out, context, err);
	free(text);
	if (rc)
		run_file_fini(out);
	return rc;
}

void run_file_fini(struct run_file *run)
{
	struct store store = { run->record, run->records };

	store_fini(&store);
	if (run->held)
		fclose(run->held);
	run->held = NULL;
	run->record = NULL;
	run->records = 0;
	kept_rows_free(&run->rows);
}

bool run_file_is_kernel(const struct assay_record *record)
{
	return assay_kernel_options(record->shape.kernel, NULL, 0, NULL) >= 0;
}

/* Options as a user writes them. Returns how many. */
static size_t write_options(const struct assay_shape *shape,
			    char text[][32], struct assay_setting *out)
{
	for (unsigned i = 0; i < shape->options; i++) {
		const struct assay_shape_value *v = &shape->option[i];

		if (v->kind == ASSAY_OPTION_CHOICE)
			text_copy(text[i], sizeof(text[i]), v->word);
		else if (v->kind == ASSAY_OPTION_REAL)
			snprintf(text[i], sizeof(text[i]), "%.6f",
				 (double)v->value / 1e6);
		else
			snprintf(text[i], sizeof(text[i]), "%lld",
				 (long long)v->value);
		out[i] = (struct assay_setting){ v->name, text[i] };
	}
	return shape->options;
}

/* From a file of its own: a replay reads all of its file. */
int run_file_replay(const struct assay_record *record,
		    const struct context *context, assay_result_fn *fn,
		    void *ctx, struct assay_error *err)
{
	struct assay_setting setting[ASSAY_SHAPE_OPTIONS];
	char text[ASSAY_SHAPE_OPTIONS][32], path[64], on[80];
	const struct assay_job job = {
		.kernel = record->shape.kernel, .on = on, .setting = setting,
		.settings = write_options(&record->shape, text, setting),
		.cpu = -1,
	};
	FILE *alone = run_file_memory(path, sizeof(path));
	int rc = alone ? run_file_put(alone, record) : -ASSAY_ENOMEM;

	snprintf(on, sizeof(on), "replay:%s", path);
	if (alone && fflush(alone))
		rc = -ASSAY_ENOMEM;
	rc = rc ? rc : assay_run(context->assay, &job, fn, ctx, err);
	if (alone)
		fclose(alone);
	return rc;
}

const struct assay_row *run_file_row(const struct run_file *run,
				     const char *type)
{
	for (size_t i = 0; i < run->rows.rows; i++)
		if (!strcmp(run->rows.row[i].type, type))
			return &run->rows.row[i];
	return NULL;
}

size_t run_file_types(const struct kept_rows *rows, const char *out[RUN_TYPES])
{
	size_t n = 0;

	for (size_t i = 0; i < rows->rows && n < RUN_TYPES; i++) {
		size_t k = 0;

		while (k < n && strcmp(out[k], rows->row[i].type))
			k++;
		if (k == n)
			out[n++] = rows->row[i].type;
	}
	return n;
}

int run_file_put(FILE *out, const struct assay_record *record)
{
	return store_write(out, record, NULL);
}
