/* SPDX-License-Identifier: MIT */
/* The sentence above stat's metrics. */
#include "cli/answers/stat-answer.h"

#include <math.h>

#define NAMED 3	/* metrics that are named, at most */

static bool present(const struct assay_stat_metric *m)
{
	return !m->value.why;
}

/* Ratios and rates are what people look for; else the first ones. */
static void add_values(struct phrase *out, const struct assay_stat_result *r)
{
	size_t named = 0;

	for (int integer = 0; integer < 2; integer++)
		for (size_t i = 0; i < r->metrics && named < NAMED; i++) {
			const struct assay_stat_metric *m = &r->metric[i];
			const double value = m->value.number;

			if (!present(m) || m->mark == ASSAY_MARK_WRONG ||
			    (value == floor(value)) != integer)
				continue;
			phrase_add(out, "%s%s %.*g", named++ ? ", " :
				   ", for instance ", m->name,
				   fabs(value) < 1e4 ? 4 : 15, value);
		}
}

static size_t marked(const struct assay_stat_result *r, enum assay_mark mark)
{
	size_t n = 0;

	for (size_t i = 0; i < r->metrics; i++)
		n += present(&r->metric[i]) && r->metric[i].mark == mark;
	return n;
}

/* "; 2 are not to be trusted: l3_reads, l3_misses (why)" */
static void add_wrong(struct phrase *out, const struct assay_stat_result *r)
{
	const size_t n = marked(r, ASSAY_MARK_WRONG);
	const char *why = "";
	size_t named = 0;

	if (!n)
		return;
	phrase_add(out, "; %zu %s not to be trusted: ", n,
		   n == 1 ? "is" : "are");
	for (size_t i = 0; i < r->metrics && named < NAMED; i++) {
		const struct assay_stat_metric *m = &r->metric[i];

		if (!present(m) || m->mark != ASSAY_MARK_WRONG)
			continue;
		phrase_add(out, "%s%s", named++ ? ", " : "", m->name);
		why = *why || !m->mark_why ? why : m->mark_why;
	}
	phrase_add(out, n > named ? " ..." : "");
	if (*why)
		phrase_add(out, " (%.300s)", why);
}

/* "; 2 come from a doubtful formula: l2_misses_by_script" */
static void add_doubtful(struct phrase *out, const struct assay_stat_result *r)
{
	size_t n = 0;

	for (size_t i = 0; i < r->metrics; i++)
		if (present(&r->metric[i]) && *r->metric[i].warning)
			phrase_add(out, "%s%s", n++ ? ", " :
				   "; doubtful by their formulas: ",
				   r->metric[i].name);
}

static void add_trust(struct phrase *out, const struct assay_stat_result *r)
{
	const size_t verified = marked(r, ASSAY_MARK_VERIFIED);
	const size_t unknown = marked(r, ASSAY_MARK_UNKNOWN);

	if (verified)
		phrase_add(out, "; %zu rest%s on events verified on this CPU",
			   verified, verified == 1 ? "s" : "");
	if (unknown)
		phrase_add(out, "; %zu rest%s on events that nobody has "
			   "verified here", unknown, unknown == 1 ? "s" : "");
	add_wrong(out, r);
	add_doubtful(out, r);
}

static void add_missing(struct phrase *out, const struct assay_stat_result *r,
			size_t missing)
{
	for (size_t i = 0; i < r->metrics && missing; i++) {
		if (present(&r->metric[i]))
			continue;
		phrase_add(out, "; %zu %s missing, the first (%s) because: %s",
			   missing, missing == 1 ? "is" : "are",
			   r->metric[i].name, r->metric[i].value.why);
		return;
	}
}

void stat_answer_say(const struct assay_stat_result *r, unsigned violated,
		     struct phrase *out)
{
	size_t n = 0;

	for (size_t i = 0; i < r->metrics; i++)
		n += present(&r->metric[i]);
	phrase_add(out, "%zu of %zu metrics could be computed", n, r->metrics);
	add_values(out, r);
	add_trust(out, r);
	if (violated)
		phrase_add(out, "; the counts break %u law%s between events",
			   violated, violated == 1 ? "" : "s");
	add_missing(out, r, r->metrics - n);
}
