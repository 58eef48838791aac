/* SPDX-License-Identifier: MIT */
/* `assay list cpus` for people: a line for each CPU file. */
#include "cli/cpu/list-cpus.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

enum { FOUND = 24, LETTERS = 5 };	/* columns for products; confidences */

static const char *const confidences[LETTERS] = {
	"documented", "measured", "fitted", "recalled", "guessed",
};

/* Whole names only: "graviton2, altra ..." */
static void cut_names(char out[FOUND + 1], const char *names)
{
	size_t end = 0;

	if (strlen(names) <= FOUND) {
		text_copy(out, FOUND + 1, names);
		return;
	}
	for (size_t i = 0; i + 4 <= FOUND; i++)
		if (names[i] == ',')
			end = i;
	snprintf(out, FOUND + 1, "%.*s ...", (int)end, names);
}

static void show_line(struct report *report, const struct assay_row *row)
{
	char found[FOUND + 1], facts[64] = "";
	const struct assay_field *vendor = row_find(row, "vendor");
	const struct assay_field *year = row_find(row, "year");
	const struct assay_field *events = row_find(row, "events");
	struct assay_field field[6];

	cut_names(found, row_text(row, "found in"));
	for (int i = 0; i < LETTERS; i++)
		text_add(facts, sizeof(facts), "/", "%.0f",
			 row_number(row, confidences[i]));
	field[0] = field_text("name", row_text(row, "name"));
	field[1] = *vendor;
	field[2] = *year;
	field[3] = field_text("found in", found);
	field[4] = *events;
	field[5] = field_text("D/M/F/R/G", facts);
	report_row(report, &(struct assay_row){ "cpu", field, 6 });
}

void list_cpus(struct context *context, const struct kept_rows *kept)
{
	double all[LETTERS] = { 0 };

	for (size_t i = 0; i < kept->rows; i++)
		for (int k = 0; k < LETTERS; k++)
			all[k] += row_number(&kept->row[i], confidences[k]);
	report_answer(context->report, "%zu CPU files; of their facts %.0f are "
		      "documented (D), %.0f measured (M), %.0f fitted (F), "
		      "%.0f recalled (R), %.0f guessed (G).", kept->rows, all[0],
		      all[1], all[2], all[3], all[4]);
	for (size_t i = 0; i < kept->rows; i++)
		if (context->settings.verbose)
			report_row(context->report, &kept->row[i]);
		else
			show_line(context->report, &kept->row[i]);
}
