/* SPDX-License-Identifier: MIT */
/* A source of counts: a file, or a model that runs the job's kernel. */
#define _GNU_SOURCE	/* fmemopen, open_memstream */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "compare/parts.h"
#include "run/handle.h"
#include "run/import.h"

static int write_record(void *ctx, const struct assay_result *result)
{
	return store_write(ctx, result->record, NULL);
}

/* Records are borrowed from the run: their lines are kept, and read again. */
static int run_model(struct source *out, struct assay *assay,
		     const struct assay_job *job, struct assay_error *err)
{
	struct assay_job on = *job;
	char *text = NULL;
	size_t bytes = 0;
	FILE *lines = open_memstream(&text, &bytes);
	int rc;

	if (!lines)
		return error_memory(err);
	on.on = out->name;
	rc = assay_run(assay, &on, write_record, lines, err);
	if (fclose(lines) && !rc)
		rc = error_memory(err);
	lines = rc ? NULL : fmemopen(text, bytes, "r");
	if (lines) {
		rc = store_read_stream(&out->store, lines, out->name, err);
		fclose(lines);
	} else if (!rc) {
		rc = error_memory(err);
	}
	free(text);
	return rc;
}

static int read_file(struct source *out, struct assay *assay,
		     struct assay_error *err)
{
	const struct import_source source = {
		.path = out->name, .data_dir = assay->data_dir,
		.places = &out->places,
	};
	struct imported in;
	int rc = import_read(&in, &source, err);

	if (!rc)
		out->store = in.store;
	return rc;
}

int source_read(struct source *out, struct assay *assay, const char *name,
		const struct assay_job *job, struct assay_error *err)
{
	const bool model = !strncmp(name, "sim:", 4);
	int rc;

	*out = (struct source){ .name = name };
	if (model && (!job || !job->kernel))
		return error_set(err, -ASSAY_EINVAL, "'%.100s' runs a kernel: "
				 "which one?\ntry: --kernel NAME (assay list "
				 "kernels)", name);
	rc = model ? run_model(out, assay, job, err) :
		     read_file(out, assay, err);
	if (!rc && !out->store.records)
		rc = error_set(err, -ASSAY_EINVAL, "'%.200s' holds no records",
			       name);
	if (rc)
		source_fini(out);
	return rc;
}

void source_fini(struct source *source)
{
	store_fini(&source->store);
	places_fini(&source->places);
}
