/* SPDX-License-Identifier: MIT */
/* UART logs for the caller: what is whole, and a row for all else. */
#include "run/handle.h"
#include "base/row.h"
#include "base/text.h"
#include "store/uart.h"

struct marks {
	assay_row_fn *fn;
	void *ctx;
	int rc;
};

static void take_mark(void *ctx, const struct uart_mark *mark)
{
	static const char *const words[] = {
		[UART_NOISE] = "noise", [UART_DAMAGED] = "damaged",
		[UART_FAULT] = "fault", [UART_ERROR] = "error",
	};
	struct marks *m = ctx;
	const struct assay_field field[] = {
		field_count("line", mark->line),
		field_text("what", words[mark->kind]),
		field_text("why", mark->why), field_text("text", mark->text),
	};

	if (m->rc == 0)
		m->rc = row_emit(m->fn, m->ctx, "mark", field,
				 sizeof(field) / sizeof(*field));
}

int assay_import(struct assay *assay, const char *path, assay_record_fn *fn,
		 assay_row_fn *row, void *ctx, struct assay_import *out,
		 struct assay_error *err)
{
	struct marks marks = { row, ctx, 0 };
	struct uart_log log;
	int rc = uart_read(&log, path, row ? take_mark : NULL, &marks, err);

	(void)assay;
	if (rc < 0)
		return rc;
	for (size_t i = 0; i < log.store.records && !marks.rc; i++)
		marks.rc = fn(ctx, log.store.record[i]);
	if (marks.rc)
		rc = error_set(err, -ASSAY_ESTOP, "stopped");
	*out = (struct assay_import){
		.lines = log.lines, .records = (unsigned)log.store.records,
		.damaged = log.damaged, .noise = log.noise,
		.faults = log.faults, .errors = log.errors,
		.ended = log.ended, .status = log.status,
		.promised = log.promised,
	};
	uart_fini(&log);
	return rc;
}
