/* SPDX-License-Identifier: MIT */
/*
 * Pies for people: one line per hypothesis below the true pie, with a bar and
 * its contradictions. Percentages are of the hypothesis's own total.
 */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "cli/answers/answers.h"
#include "cli/results.h"
#include "report/cell.h"
#include "report/wrap.h"

enum { L1, L2, L3, DRAM, PARTS = PIE_LEVELS };
static const char *const part_names[] = { "L1", "L2", "L3", "DRAM", "total" };

#define NAME 6
#define TOTAL 14
#define SHARE 7
#define SHARES 6
#define BAR_LEAST 10

const struct assay_value *pie_part(const struct assay_pie *pie, int part)
{
	const struct assay_value *parts[] = {
		&pie->l1, &pie->l2, &pie->l3, &pie->dram, &pie->total
	};

	return parts[part];
}

static double share_of(const struct assay_pie *pie, int part)
{
	const struct assay_value *value = pie_part(pie, part);

	if (value->why || pie->total.why || pie->total.number == 0)
		return NAN;
	return value->number / pie->total.number;
}

static void put_share(FILE *out, double share)
{
	if (isfinite(share))
		fprintf(out, "%*.2f", SHARE, 100 * share);
	else
		fprintf(out, "%*s", SHARE, "-");
}

static void number_text(char *out, size_t room, double number)
{
	char groups[40];

	text_groups(groups, sizeof(groups), (uint64_t)fabs(round(number)));
	snprintf(out, room, "%s%s", number < 0 ? "-" : "", groups);
}

static unsigned bar_width(const struct report_style *style)
{
	unsigned used = NAME + TOTAL + SHARE * SHARES + 2;
	unsigned columns = style->columns ? style->columns : 120;

	return columns >= used + BAR_LEAST
		? (columns - used > 40 ? 40 : columns - used) : 0;
}

static void put_pie(FILE *out, const struct report_style *style,
		    const struct assay_pie *pie)
{
	double share[PARTS], known = 0;
	unsigned width = bar_width(style);
	char total[48] = "-", bar[512];

	for (int i = 0; i < PARTS; i++)
		share[i] = share_of(pie, i);
	if (!pie->total.why)
		number_text(total, sizeof(total), pie->total.number);
	report_say(out, "%-*.*s%*s", NAME, NAME, pie->name, TOTAL, total);
	for (int i = 0; i < PARTS; i++) {
		known += share[i];
		put_share(out, share[i]);
		if (i == L2 || i == L3)
			put_share(out, known);
	}
	report_bar(bar, sizeof(bar), share, PARTS, width, style);
	for (size_t n = strlen(bar); n && bar[n - 1] == ' '; n--)
		bar[n - 1] = '\0';
	fprintf(out, "%s%s\n", *bar ? "  " : "", bar);
}

static void put_head(FILE *out, const struct report_style *style)
{
	static const char *const names[SHARES] = {
		"L1", "L2", "L1/2", "L3", "L1/2/3", "DRAM"
	};

	fputs(style->colour ? "\n\033[1m" : "\n", out);
	fprintf(out, "%-*s%*s", NAME, "pie", TOTAL, "total");
	for (int i = 0; i < SHARES; i++)
		fprintf(out, "%*s", SHARE, names[i]);
	fprintf(out, "  %%%s\n", style->colour ? "\033[0m" : "");
}

static const char *between(const struct phrase *problems)
{
	return problems->used ? "; " : "";
}

/* Finds contradictions between the parts of one pie. */
static void find_problems(struct phrase *out, const struct assay_pie *pie)
{
	char number[48];

	for (int i = 0; i < PARTS; i++) {
		const struct assay_value *value = pie_part(pie, i);

		if (value->why || value->number >= 0)
			continue;
		number_text(number, sizeof(number), value->number);
		phrase_add(out, "%s%s is negative: %s", between(out),
			   part_names[i], number);
	}
	if (pie->residual.why || pie->residual.number == 0)
		return;
	number_text(number, sizeof(number), fabs(pie->residual.number));
	phrase_add(out, "%sthe parts %s the total by %s", between(out),
		   pie->residual.number < 0 ? "exceed" : "fall short of",
		   number);
}

/* Absent parts, each reason once; only for the first shape: the other shapes
 * have the same reasons. */
static void find_absent(struct phrase *out, const struct assay_pie *pie)
{
	const char *last = NULL;

	for (int n = 0; n <= PARTS; n++) {
		const int part = n ? n - 1 : PARTS;	/* the total first */
		const char *why = pie_part(pie, part)->why;

		if (!why || (last && !strcmp(last, why)))
			continue;
		last = why;
		phrase_add(out, "%s%s: %s", between(out), part_names[part],
			   why);
	}
}

/* The hypothesis's title, once, and its contradictions. */
static void put_problems(FILE *out, const struct report_style *style,
			 const struct assay_pie *pie, bool first)
{
	const bool title = first && !pie->truth && !pie->bars;
	struct phrase problems = { .used = 0 };
	char text[1900];

	find_problems(&problems, pie);
	if (first)
		find_absent(&problems, pie);
	if (!problems.used && !title)
		return;
	snprintf(text, sizeof(text), "%s %-*s %s%s%s",
		 problems.used ? "!" : " ", NAME - 2,
		 pie->name, title ? pie->title : "",
		 title && problems.used ? ": " : "", problems.text);
	wrap_print(out, text, 0, NAME + 1, style->columns);
}

/* Bars, and how the pie checks itself. */
static void put_note(FILE *out, const struct report_style *style,
		     const struct assay_pie *pie)
{
	char text[400];

	snprintf(text, sizeof(text), "%s %-*s %s", pie->consistent ? " " : "!",
		 NAME - 2, pie->name, pie->note);
	wrap_print(out, text, 0, NAME + 1, style->columns);
}

void page_pies(struct context *context, const struct assay_result *r)
{
	const struct report_style *style = report_style(context->report);
	FILE *out = report_file(context->report);

	if (!r->pies)
		return;
	report_fence(context->report, true);
	put_head(out, style);
	for (size_t i = 0; i < r->pies; i++)
		put_pie(out, style, &r->pie[i]);
	for (size_t i = 0; i < r->pies; i++)
		if (r->pie[i].note)
			put_note(out, style, &r->pie[i]);
	for (size_t i = 0; i < r->pies; i++)
		put_problems(out, style, &r->pie[i],
			   r->index == 0 || style->verbose);
	report_fence(context->report, false);
}
