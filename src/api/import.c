/* SPDX-License-Identifier: MIT */
/*
 * Data of other origin: assay_import() reads the UART log of an image into
 * records, and a row for each line that is damaged, noise or an error.
 * assay_formulas_import() turns the metrics of another tool (perf, likwid) into
 * the text of a formula file.
 */
#include <ctype.h>
#include <string.h>

#include "analysis/import/import.h"
#include "run/handle.h"
#include "base/row.h"
#include "base/text.h"
#include "store/metrics/metrics.h"
#include "store/uart.h"

/* ---- UART logs ---------------------------------------------------------- */

struct marks {
	assay_row_fn *fn;
	void *ctx;
	int rc;
};

static void emit_mark(void *ctx, const struct uart_mark *mark)
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
	int rc = uart_read(&log, path, row ? emit_mark : NULL, &marks, err);

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

/* ---- metrics ------------------------------------------------------------ */

/* The name of the formula file: "DIR/SKL-metrics.json" -> "skl-metrics". */
static void formula_file_name(char out[ASSAY_NAME], const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *from = slash ? slash + 1 : path;
	size_t n = 0;

	for (; *from && *from != '.' && n < ASSAY_NAME - 1; from++)
		out[n++] = isalnum((unsigned char)*from) ?
			   (char)tolower((unsigned char)*from) : '-';
	out[n] = '\0';
	if (strspn(out, "-") == n)
		text_copy(out, ASSAY_NAME, "imported");
}

int assay_formulas_import(struct assay *assay, const char *path,
			  const char *pattern, const char *cpu, char **text,
			  assay_row_fn *fn, void *ctx, struct assay_error *err)
{
	struct metric_list list;
	struct cpu *file = NULL;
	char name[ASSAY_NAME];
	int rc = cpu ? cpu_load(&file, cpu, assay->data_dir, err) : 0;

	if (rc < 0)
		return rc;
	rc = metrics_read(&list, path, err);
	if (rc == 0) {
		formula_file_name(name, path);
		rc = formulas_import(text, &list, name, pattern, file, fn, ctx,
				     err);
		metrics_fini(&list);
	}
	cpu_free(file);
	return rc;
}
