/* SPDX-License-Identifier: MIT */
/* A limit on the change of a quantity, in all or in one function. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "compare/parts.h"

static void not_judged(struct judged *out, const char *why)
{
	out->kept = COMPARE_NOT_JUDGED;
	text_copy(out->why, sizeof(out->why), why);
}

static void judge_total(struct judged *out, const struct compare_limit *limit,
			const struct pair *pair)
{
	const char *why = "";

	snprintf(out->why, sizeof(out->why), "neither has '%s'",
		 limit->quantity);
	for (size_t i = 0; i < pair->changes; i++) {
		const struct compare_change *by = &pair->change[i].by;

		if (!text_equal(pair->change[i].name, limit->quantity))
			continue;
		out->kept = compare_limit_check(limit, by, &why);
		out->change = by->state == COMPARE_SAME ? 0 : by->new - by->old;
		out->old = by->old;
		text_copy(out->why, sizeof(out->why), *pair->change[i].why ?
			  pair->change[i].why : why);
		return;
	}
}

/* Adds up the function's lines. Returns how many there are. */
static size_t add_up(const struct lines *lines, const char *function,
		     int column, double *old, double *new)
{
	size_t found = 0;

	*old = *new = 0;
	for (size_t i = 0; i < lines->pairs; i++) {
		const struct line_pair *pair = &lines->pair[i];

		if (strcmp(lines_row(pair)->function, function))
			continue;
		*old += lines_old(pair, column);
		*new += lines_new(pair, column);
		found++;
	}
	return found;
}

static void judge_function(struct judged *out,
			   const struct compare_limit *limit,
			   const struct lines *lines)
{
	const char *column = compare_column(limit->quantity), *why = "";
	const int at = lines_column(column ? column : limit->quantity);
	double new;

	if (!lines->pairs)
		return not_judged(out, "there are no rows by function in both: "
				  "assay sim --by line -o FILE.jsonl");
	if (at < 0)
		return not_judged(out, "the rows by function do not count it");
	if (!add_up(lines, limit->function, at, &out->old, &new))
		return not_judged(out, "no function of that name ran");
	out->change = new - out->old;
	if (isnan(out->change))
		return not_judged(out, "a count of the function is missing");
	out->kept = compare_limit_by(limit, out->change, out->old, &why);
	text_copy(out->why, sizeof(out->why), why);
}

void limits_judge(struct judged *out, const struct compare_limit *limit,
		  const struct pair *pair, const struct lines *lines)
{
	*out = (struct judged){ .kept = COMPARE_NOT_JUDGED };
	if (*limit->function)
		judge_function(out, limit, lines);
	else
		judge_total(out, limit, pair);
}
