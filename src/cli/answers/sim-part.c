/* SPDX-License-Identifier: MIT */
/* assay sim of a part of a program: --from, --region, --slope. */
#include <string.h>

#include "cli/answers/sim-answer.h"

const char *sim_part_idle(const struct settings *s)
{
	const bool part = s->from || s->region || s->only || s->per_region ||
			  s->steps;

	if (s->trace && part)
		return "--from, --region, --only, --per-region and --slope "
		       "are for programs";
	if (s->plain && part)
		return "--from, --region, --only, --per-region and --slope "
		       "need a simulation: leave --plain away";
	if (s->only && (s->per_region || s->events))
		return "--only knows what instructions cause, but no regions "
		       "or events";
	if (s->from && s->region)
		return "--from and --region both say what is to be counted";
	return NULL;
}

const char *sim_part_rows(const struct settings *s)
{
	return s->steps ? "slope" : s->per_region ? "region" : NULL;
}

/* A slope of 0 is none for people who did not ask for all of them. */
static bool is_dull(const struct settings *s, const struct assay_row *row)
{
	return !strcmp(row->type, "slope") && !s->verbose &&
	       !row_number(row, "per_unit") && !row_number(row, "curvature");
}

bool sim_part_show(const struct settings *s, const struct assay_row *row,
		   struct report *report)
{
	const double calls = row_number(row, "entered");
	const char *object = row_text(row, "object");
	const char *slash = strrchr(object, '/');

	if (!strcmp(row->type, "only")) {
		report_note(report, "counted: what the code of %s causes, "
			    "which has %.3g %% of the instructions",
			    row_text(row, "code"),
			    100 * row_number(row, "instructions"));
		return true;
	}
	if (strcmp(row->type, "from") != 0)
		return is_dull(s, row);
	report_note(report, "counted: from the entry of %s of %s to its "
		    "return; %.0f call%s", row_text(row, "function"),
		    slash ? slash + 1 : object, calls, calls == 1 ? "" : "s");
	return true;
}
