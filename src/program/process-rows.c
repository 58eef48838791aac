/* SPDX-License-Identifier: MIT */
/* The rows of programs (--per-process). */
#include "program/attribute.h"
#include "base/row.h"

static int put_process(const struct tally *t,
		       const struct merged_program *program, assay_row_fn *fn,
		       void *ctx)
{
	static const char *const ends[] = {
		[PROGRAM_ENDED] = "", [PROGRAM_KILLED] = "was killed",
		[PROGRAM_RUNS] = "still ran",
		[PROGRAM_NEVER_BEGAN] = "ended before it ran",
	};
	const bool plain = t->mode == TALLY_COUNT;
	struct assay_field field[TALLY_COLUMNS + 3];
	size_t n = 0;

	field[n] = field_count("pid", program->pid);
	field[n++].flags |= ASSAY_FIELD_PLAIN;
	field[n++] = field_text("command", program->name);
	for (int i = 0; i < TALLY_COLUMNS; i++) {
		if (plain ? i > TALLY_stores : !tally_has_column(&t->geometry, i))
			continue;
		field[n] = field_count(tally_column_names[i], program->count[i]);
		if (!plain && (i == TALLY_loads || i == TALLY_stores ||
			       i == TALLY_l1i_misses))
			field[n].flags |= ASSAY_FIELD_DETAIL;
		n++;
	}
	field[n++] = field_detail("end", ends[program->end]);
	return row_emit(fn, ctx, "process", field, n);
}

int attribute_processes(const struct merged_tally *merged, assay_row_fn *fn,
			void *ctx)
{
	int rc = 0;

	for (size_t i = 0; i < merged->programs && rc == 0; i++)
		rc = put_process(merged->sum.tally, &merged->program[i], fn,
				 ctx);
	return rc;
}
