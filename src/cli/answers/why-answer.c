/* SPDX-License-Identifier: MIT */
/* Why lines of code miss, for people: in the first sentence, and a table. */
#include <string.h>

#include "cli/answers/sim-answer.h"

/* A reason of fewer misses of its level is shown with -v only. */
#define LEAST 0.01
enum { LINES = 3 };	/* lines of code; with -v all */

static const struct { const char *count, *level; } levels[] = {
	{ "l1d_misses", "L1D" }, { "l1i_misses", "L1I" },
	{ "l2_misses", "L2" }, { "l3_misses", "L3" },
	{ "dtlb_misses", "DTLB" }, { "mispredicts", "branches" },
};
enum { LEVELS = sizeof(levels) / sizeof(*levels) };

/* The name of a count in the reasons; NULL: it has none. */
static const char *why_level(const char *count)
{
	for (int i = 0; i < LEVELS; i++)
		if (!strcmp(levels[i].count, count))
			return levels[i].level;
	return NULL;
}

static bool same_place(const struct assay_row *a, const struct assay_row *b)
{
	static const char *const key[] = { "function", "line", "object",
					   "inlined" };

	for (int i = 0; i < 4; i++)
		if (strcmp(row_text(a, key[i]), row_text(b, key[i])) != 0)
			return false;
	return true;
}

void why_add(struct phrase *out, const struct kept_rows *reasons,
	     const struct assay_row *row, const char *count)
{
	const char *level = why_level(count);

	for (size_t i = 0; level && i < reasons->rows; i++) {
		const struct assay_row *r = &reasons->row[i];

		if (strcmp(row_text(r, "level"), level) != 0 ||
		    !same_place(r, row))
			continue;
		phrase_add(out, ": %s", row_text(r, "reason"));
		return;
	}
}

/* A kind of misses; one below 0 is shown as none. */
static struct assay_field kind(const struct assay_row *row, const char *name)
{
	const struct assay_field *found = row_find(row, name);
	const bool none = found && found->kind == ASSAY_FIELD_REAL &&
			  found->real < 0;

	return found && !none ? *found :
	       (struct assay_field){ .name = name, .kind = ASSAY_FIELD_TEXT,
				     .text = none ? "none" : "" };
}

static int put(const struct assay_row *row, bool prefetches,
	       struct report *report)
{
	static const char *const numbers[] = { "misses", "cold", "capacity",
					       "conflict", "covered" };
	struct assay_field field[8];
	struct miss_place p;
	size_t n = 0;

	miss_place(&p, row, 30);
	field[n] = (struct assay_field){ .name = "line", .text = *p.line ?
		p.line : p.function, .kind = ASSAY_FIELD_TEXT };
	field[n++].flags |= ASSAY_FIELD_CUT;
	field[n] = *row_find(row, "level");
	field[n++].name = "level";
	for (int i = 0; i < 4 + prefetches; i++)
		field[n++] = kind(row, numbers[i]);
	return report_row(report, &(struct assay_row){ "why", field, n });
}

/* Of the misses of that level in all rows. */
static double share_of(const struct assay_row *row,
		       const struct kept_rows *misses)
{
	const struct assay_row *total = &misses->row[misses->rows - 1];
	const char *level = row_text(row, "level");

	for (int i = 0; i < LEVELS; i++)
		if (!strcmp(levels[i].level, level) &&
		    row_number(total, levels[i].count) > 0)
			return row_number(row, "misses") /
			       row_number(total, levels[i].count);
	return 0;
}

static bool any_covered(const struct kept_rows *reasons)
{
	for (size_t i = 0; i < reasons->rows; i++)
		if (row_number(&reasons->row[i], "covered") > 0)
			return true;
	return false;
}

int why_table(const struct kept_rows *reasons, const struct kept_rows *misses,
	      struct report *report)
{
	const bool all = report_style(report)->verbose;
	const bool prefetches = any_covered(reasons);
	size_t lines = 0;
	int rc = 0;

	for (size_t i = 0; i < reasons->rows && misses->rows && !rc; i++) {
		const struct assay_row *r = &reasons->row[i];

		lines += !i || !same_place(r, r - 1);
		if (!strcmp(row_text(r, "level"), "branches") ||
		    (!all && (lines > LINES || miss_is_start(r) ||
			      share_of(r, misses) < LEAST)))
			continue;
		rc = put(r, prefetches, report);
	}
	report_flush(report);
	return rc;
}
