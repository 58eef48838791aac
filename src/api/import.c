/* SPDX-License-Identifier: MIT */
/*
 * Data of other origin: assay_import() reads records of whatever file, and a
 * row for each line that is damaged, noise, an error or not used.
 */
#include "run/handle.h"
#include "base/row.h"
#include "base/text.h"
#include "run/import.h"

struct marks {
	assay_row_fn *fn;
	void *ctx;
	int rc;
};

static void emit_mark(void *ctx, const struct import_mark *mark)
{
	struct marks *m = ctx;
	const struct assay_field field[] = {
		field_count("line", mark->line),
		field_text("what", mark->what),
		field_text("why", mark->why), field_text("text", mark->text),
	};

	if (m->rc == 0)
		m->rc = row_emit(m->fn, m->ctx, "mark", field,
				 sizeof(field) / sizeof(*field));
}

static struct assay_import summary(const struct imported *in)
{
	return (struct assay_import){
		.lines = in->lines, .records = (unsigned)in->store.records,
		.damaged = in->log.damaged, .noise = in->log.noise,
		.faults = in->log.faults, .errors = in->log.errors,
		.ended = in->log.ended, .status = in->log.status,
		.promised = in->log.promised, .format = in->format,
		.lost = in->lost, .unused = in->unused,
	};
}

int assay_import_as(struct assay *assay, const struct assay_importing *ask,
		    assay_record_fn *fn, assay_row_fn *row, void *ctx,
		    struct assay_import *out, struct assay_error *err)
{
	struct marks marks = { row, ctx, 0 };
	const struct import_source source = {
		.path = ask->path, .from = ask->from,
		.data_dir = assay->data_dir, .fn = row ? emit_mark : NULL,
		.ctx = &marks,
		.table = { ask->map, NULL,
			   (const struct table_setting *)ask->set, ask->sets },
	};
	struct imported in;
	int rc = import_read(&in, &source, err);

	if (rc < 0)
		return rc;
	for (size_t i = 0; i < in.store.records && !marks.rc; i++) {
		struct assay_machine *m = &in.store.record[i]->machine;

		if (ask->cpu && !*m->cpu)
			text_copy(m->cpu, sizeof(m->cpu), ask->cpu);
		marks.rc = fn(ctx, in.store.record[i]);
	}
	if (marks.rc)
		rc = error_set(err, -ASSAY_ESTOP, "stopped");
	*out = summary(&in);
	store_fini(&in.store);
	return rc;
}

int assay_import(struct assay *assay, const char *path, assay_record_fn *fn,
		 assay_row_fn *row, void *ctx, struct assay_import *out,
		 struct assay_error *err)
{
	const struct assay_importing ask = { .path = path };

	return assay_import_as(assay, &ask, fn, row, ctx, out, err);
}
