/* SPDX-License-Identifier: MIT */
/* assay_compare(): one old source against others. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "compare/rows.h"

#define LIMITS_MOST 256u

struct comparing {
	struct assay *assay;
	const struct assay_comparison *ask;
	struct compare_limit *limit;
	struct source old;
	struct groups old_groups;
	struct rows_out out;
	struct assay_compared_counts *counts;
	struct assay_error *err;
};

/* The pairs of the old source and one other. */
struct matched {
	struct source new;
	struct groups groups;
	struct pair *pair;
	struct lines *lines;	/* of each pair */
	size_t pairs;
	size_t missing;		/* old groups without a partner */
	struct counted counted;
};

static void matched_fini(struct matched *m)
{
	for (size_t i = 0; i < m->pairs; i++) {
		free(m->pair[i].change);
		lines_fini(&m->lines[i]);
	}
	free(m->pair);
	free(m->lines);
	groups_fini(&m->groups);
	source_fini(&m->new);
}

static int cannot(const struct comparing *c, const struct matched *m,
		  const char *why)
{
	return error_set(c->err, -ASSAY_EUNAVAIL, "'%.200s' and '%.200s' cannot "
			 "be compared: %.300s", c->old.name, m->new.name, why);
}

static int add_pair(const struct comparing *c, struct matched *m,
		    const struct group *old, const struct group *new)
{
	struct pair *pair = &m->pair[m->pairs];
	const char *why = quantities_barred(old->record[0], new->record[0]);
	int rc;

	if (why)
		return cannot(c, m, why);
	*pair = (struct pair){ .old = old, .new = new };
	m->lines[m->pairs++] = (struct lines){ 0 };
	rc = quantities_compare(pair, c->err);
	for (size_t i = 0; i < pair->changes; i++) {
		pair->change[i].pair = m->pairs - 1;
		m->counted.state[pair->change[i].by.state]++;
	}
	return rc ? rc : lines_make(&m->lines[m->pairs - 1], pair, c->err);
}

static int match(const struct comparing *c, struct matched *m)
{
	const struct groups *old = &c->old_groups;
	int rc = groups_make(&m->groups, &m->new, c->err);

	if (rc)
		return rc;
	m->pair = calloc(old->groups, sizeof(*m->pair));
	m->lines = calloc(old->groups, sizeof(*m->lines));
	if (!m->pair || !m->lines)
		return error_memory(c->err);
	for (size_t i = 0; i < old->groups && !rc; i++) {
		const struct group *new =
			groups_partner(&m->groups, &old->group[i], old);

		m->missing += !new;
		if (new)
			rc = add_pair(c, m, &old->group[i], new);
	}
	return rc;
}

/* Nothing to compare: the reason of the first quantity, or of the shapes. */
static int refuse(const struct comparing *c, const struct matched *m)
{
	if (!m->pairs)
		return cannot(c, m, "no kernel with the same options, and no "
			      "program of the same name, ran in both");
	if (!m->pair[0].changes)
		return cannot(c, m, "no event and no quantity was counted");
	return cannot(c, m, m->pair[0].change[0].why);
}

static bool nothing(const struct counted *counted)
{
	for (int i = 0; i < COMPARE_UNKNOWN; i++)
		if (counted->state[i])
			return false;
	return true;
}

static void add_counts(struct assay_compared_counts *to,
		       const struct counted *counted)
{
	to->better += counted->state[COMPARE_BETTER];
	to->worse += counted->state[COMPARE_WORSE];
	to->changed += counted->state[COMPARE_OTHER];
	to->same += counted->state[COMPARE_SAME];
	to->not_compared += counted->state[COMPARE_UNKNOWN];
}

/* The limit on all pairs: the first pair that exceeds the limit, else that
 * cannot be judged, is shown. */
static int judge(struct comparing *c, const struct matched *m, size_t limit)
{
	struct judged worst = { .kept = COMPARE_KEPT }, here;
	size_t at = 0;

	for (size_t i = 0; i < m->pairs; i++) {
		limits_judge(&here, &c->limit[limit], &m->pair[i],
			     &m->lines[i]);
		if (i && (worst.kept == COMPARE_EXCEEDED ||
			  here.kept == COMPARE_KEPT ||
			  here.kept == worst.kept))
			continue;
		worst = here;
		at = i;
	}
	if (m->missing && worst.kept == COMPARE_KEPT) {
		worst.kept = COMPARE_NOT_JUDGED;
		snprintf(worst.why, sizeof(worst.why), "%zu of the old shapes "
			 "%s not there", m->missing,
			 m->missing > 1 ? "are" : "is");
	}
	c->counts->exceeded += worst.kept == COMPARE_EXCEEDED;
	c->counts->not_judged += worst.kept == COMPARE_NOT_JUDGED;
	return rows_limit(&c->out, c->ask->limit[limit], &worst,
			  m->pairs > 1 ? &m->pair[at] : NULL);
}

/* The groups that are in no pair. */
static int emit_missing(const struct comparing *c, const struct matched *m,
			bool old)
{
	const struct groups *all = old ? &c->old_groups : &m->groups;
	int rc = 0;

	for (size_t i = 0; i < all->groups && !rc; i++) {
		size_t k = 0;

		while (k < m->pairs && &all->group[i] !=
		       (old ? m->pair[k].old : m->pair[k].new))
			k++;
		if (k == m->pairs)
			rc = rows_missing(&c->out, &all->group[i], old);
	}
	return rc;
}

static int emit(struct comparing *c, struct matched *m)
{
	const struct change *head = answer_head(m->pair, m->pairs);
	const struct lines none = { 0 };
	int rc = rows_answer(&c->out, head, head ? &m->lines[head->pair] :
			     &none, &m->counted);

	for (size_t i = 0; i < c->ask->limits && !rc; i++)
		rc = judge(c, m, i);
	if (!rc)
		rc = rows_changes(&c->out, m->pair, m->pairs, c->err);
	for (size_t i = 0; i < m->pairs && !rc; i++)
		rc = rows_places(&c->out, &m->lines[i], c->err);
	for (size_t i = 0; i < m->pairs && !rc; i++)
		rc = rows_differs(&c->out, m->pair[i].old->record[0],
				  m->pair[i].new->record[0]);
	if (!rc)
		rc = emit_missing(c, m, true);
	return rc ? rc : emit_missing(c, m, false);
}

static int compare_with(struct comparing *c, const char *name)
{
	struct matched m = { .pairs = 0 };
	int rc = source_read(&m.new, c->assay, name, c->ask->job, c->err);

	if (rc)
		return rc;
	c->out.file = name;
	rc = match(c, &m);
	if (!rc && nothing(&m.counted))
		rc = refuse(c, &m);
	if (!rc) {
		add_counts(c->counts, &m.counted);
		rc = emit(c, &m);
		if (rc == -ASSAY_ESTOP)
			error_set(c->err, rc, "stopped");
	}
	matched_fini(&m);
	return rc;
}

static int read_limits(struct comparing *c)
{
	int rc = 0;

	if (c->ask->limits > LIMITS_MOST)
		return error_set(c->err, -ASSAY_EINVAL, "more than %u limits",
				 LIMITS_MOST);
	c->limit = calloc(c->ask->limits + 1, sizeof(*c->limit));
	if (!c->limit)
		return error_memory(c->err);
	for (size_t i = 0; i < c->ask->limits && !rc; i++)
		rc = compare_limit_parse(&c->limit[i], c->ask->limit[i],
					 c->err);
	return rc;
}

int assay_compare(struct assay *assay, const struct assay_comparison *ask,
		  assay_row_fn *fn, void *ctx,
		  struct assay_compared_counts *counts,
		  struct assay_error *err)
{
	struct assay_compared_counts sum = { 0 };
	struct comparing c = {
		.assay = assay, .ask = ask, .counts = &sum, .err = err,
		.out = { .fn = fn, .ctx = ctx },
	};
	int rc = ask->sources < 2 ?
		 error_set(err, -ASSAY_EINVAL, "two files, or more, are needed")
		 : read_limits(&c);

	if (!rc)
		rc = source_read(&c.old, assay, ask->source[0], ask->job, err);
	if (!rc)
		rc = groups_make(&c.old_groups, &c.old, err);
	for (size_t i = 1; i < ask->sources && !rc; i++)
		rc = compare_with(&c, ask->source[i]);
	groups_fini(&c.old_groups);
	source_fini(&c.old);
	free(c.limit);
	if (!rc)
		*counts = sum;
	return rc;
}
