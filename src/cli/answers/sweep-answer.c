/* SPDX-License-Identifier: MIT */
/* The sentence above `sweep --formulas`, and the columns below it. */
#include "cli/answers/answers.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "cli/results.h"

#define AGREES 0.01	/* largest error, as in judge */
#define PARTS (PIE_LEVELS + 1)	/* and the total */

const struct assay_pie *sweep_truth(const struct assay_result *r)
{
	for (size_t i = 0; i < r->pies; i++)
		if ((r->pie[i].truth || r->pie[i].bars) &&
		    !r->pie[i].total.why && r->pie[i].total.number > 0)
			return &r->pie[i];
	return NULL;
}

static bool is_hypothesis(const struct assay_pie *pie)
{
	return !pie->truth && !pie->bars;
}

/* Error beyond the true value, or beyond its error bar, per access. */
static double part_error(const struct assay_pie *truth,
			 const struct assay_pie *pie, int i)
{
	const double all = truth->total.number;
	double low = pie_part(truth, i)->number / all, high = low;
	const double said = pie_part(pie, i)->number / all;

	if (truth->bars && i < PARTS - 1) {
		low = truth->low[i];
		high = truth->high[i];
	}
	return fmax(0, fmax(low - said, said - high));
}

/* The largest error of all parts. */
static struct assay_value pie_error(const struct assay_pie *truth,
				    const struct assay_pie *pie)
{
	struct assay_value error = { .number = 0 };

	for (int i = 0; i < PARTS; i++) {
		if (pie_part(pie, i)->why)
			return *pie_part(pie, i);
		if (!pie_part(truth, i)->why)
			error.number = fmax(error.number,
					    part_error(truth, pie, i));
	}
	return error;
}

/* ---- reading each run ---------------------------------------------------- */

/* "h4"; "h4/2" for the second file or variant with an h4. */
static void name_of(char *out, size_t room, const struct assay_result *r,
		    size_t pie)
{
	unsigned before = 1;

	for (size_t i = 0; i < pie; i++)
		before += !strcmp(r->pie[i].name, r->pie[pie].name);
	snprintf(out, room, before > 1 ? "%.60s/%u" : "%.60s",
		 r->pie[pie].name, before);
}

static struct swept_hypothesis *find(struct sweep_answer *answer,
				     const struct assay_result *r, size_t pie)
{
	struct swept_hypothesis *h;
	char name[80];

	name_of(name, sizeof(name), r, pie);
	for (unsigned i = 0; i < answer->hypotheses; i++)
		if (!strcmp(answer->of[i].name, name))
			return &answer->of[i];
	if (answer->hypotheses == SWEPT_HYPOTHESES)
		return NULL;
	h = &answer->of[answer->hypotheses++];
	text_copy(h->name, sizeof(h->name), name);
	text_copy(h->title, sizeof(h->title), r->pie[pie].title);
	return h;
}

static void count_error(struct swept_hypothesis *h, double error,
		       unsigned index, const char *shape)
{
	h->judged++;
	if (error > h->worst) {
		h->worst = error;
		text_copy(h->worst_at, sizeof(h->worst_at), shape);
	}
	if (error > AGREES)
		return;
	if (!h->agree++) {
		h->first_index = index;
		text_copy(h->first, sizeof(h->first), shape);
	}
	h->last_index = index;
	text_copy(h->last, sizeof(h->last), shape);
}

static void count_pie(struct sweep_answer *answer, const struct assay_result *r,
		     size_t index, const struct assay_pie *truth,
		     const char *shape)
{
	struct swept_hypothesis *h = find(answer, r, index);
	const struct assay_pie *pie = &r->pie[index];
	struct assay_value error;

	if (!h)
		return;
	h->contradicts += !pie->residual.why && !pie->consistent;
	if (!truth)
		return;
	error = pie_error(truth, pie);
	if (error.why)
		text_copy(h->why, sizeof(h->why), error.why);
	else
		count_error(h, error.number, answer->runs, shape);
}

/* Compares formulas of quantities with the kernel's closed form. */
static void count_compared(struct sweep_answer *answer,
			  const struct assay_compared *c, const char *shape)
{
	if (!strcmp(c->from, "truth"))
		return;
	answer->agree += c->verdict == ASSAY_AGREES;
	if (c->verdict == ASSAY_DISAGREES && !answer->disagree++)
		snprintf(answer->disagrees, sizeof(answer->disagrees),
			 "%s from %.60s at %.60s",
			 assay_quantity_name(c->quantity), c->from, shape);
}

void sweep_answer_add(struct sweep_answer *answer,
		       const struct assay_result *r, const char *shape)
{
	const struct assay_pie *truth = sweep_truth(r);

	answer->total = r->total;
	answer->metrics = (unsigned)r->metrics;
	answer->truths += truth != NULL;
	answer->timed |= truth && truth->bars;
	for (size_t i = 0; i < r->pies; i++)
		if (is_hypothesis(&r->pie[i]))
			count_pie(answer, r, i, truth, shape);
	for (size_t i = 0; i < r->compareds; i++)
		count_compared(answer, &r->compared[i], shape);
	answer->runs++;
}

/* ---- columns ------------------------------------------------------------- */

size_t sweep_answer_fields(const struct assay_result *r,
			   struct assay_field field[SWEPT_FIELDS],
			   struct sweep_columns *columns)
{
	static const char *const names[PARTS] = {
		"true share|L1", "true share|L2", "true share|L3",
		"true share|DRAM",
	};
	const struct assay_pie *truth = sweep_truth(r);
	char name[80];
	size_t n = 0;

	for (int i = 0; i < PARTS - 1; i++) {
		struct assay_value share = *pie_part(truth, i);

		share.number /= truth->total.number;
		field[n] = field_share(names[i], share);
		field[n++].decimals = 1;
	}
	for (size_t i = 0; i < r->pies && n < SWEPT_FIELDS; i++) {
		if (!is_hypothesis(&r->pie[i]))
			continue;
		name_of(name, sizeof(name), r, i);
		snprintf(columns->name[n], sizeof(columns->name[n]),
			 "largest error|%.60s", name);
		field[n] = field_share(columns->name[n],
				       pie_error(truth, &r->pie[i]));
		field[n++].decimals = 1;
	}
	return n;
}

/* ---- the sentence -------------------------------------------------------- */

static const struct swept_hypothesis *best_of(const struct sweep_answer *a)
{
	const struct swept_hypothesis *best = &a->of[0];

	for (unsigned i = 1; i < a->hypotheses; i++) {
		const struct swept_hypothesis *h = &a->of[i];

		if (!h->judged || (best->judged && h->agree < best->agree))
			continue;
		if (!best->judged || h->agree > best->agree ||
		    h->worst < best->worst)
			best = h;
	}
	return best;
}

/* The range of the runs that agree, if they follow each other. */
static void add_range(struct phrase *out, const struct swept_hypothesis *h,
		      unsigned runs)
{
	phrase_add(out, "%u of %u runs", h->agree, runs);
	if (h->agree > 1 && h->agree < runs &&
	    h->last_index - h->first_index + 1 == h->agree)
		phrase_add(out, ", %s to %s", h->first, h->last);
	else if (h->agree == 1)
		phrase_add(out, ", %s", h->first);
}

/* The hypotheses with the most agreements; of a few also their titles. */
static unsigned add_best(struct phrase *out, const struct sweep_answer *a,
			 const struct swept_hypothesis *best)
{
	unsigned all = 0, n = 0;

	for (unsigned i = 0; i < a->hypotheses; i++)
		all += a->of[i].judged && a->of[i].agree == best->agree;
	for (unsigned i = 0; i < a->hypotheses; i++) {
		const struct swept_hypothesis *h = &a->of[i];

		if (!h->judged || h->agree != best->agree)
			continue;
		phrase_add(out, "%s%s", phrase_between(n++, all), h->name);
		if (all < 3)
			phrase_add(out, " (%s)", h->title);
	}
	return all;
}

static void add_others(struct phrase *out, const struct sweep_answer *a,
		       const struct swept_hypothesis *best)
{
	unsigned n = 0;

	for (unsigned i = 0; i < a->hypotheses; i++) {
		const struct swept_hypothesis *h = &a->of[i];

		if (h->agree != best->agree && h->judged)
			phrase_add(out, "%s%s in %u", n++ ? ", " : "; ",
				   h->name, h->agree);
	}
}

/* The hypotheses without any value, and the reason of the last one. */
static void add_absent(struct phrase *out, const struct sweep_answer *a)
{
	const char *why = NULL;

	for (unsigned i = 0; i < a->hypotheses; i++) {
		const struct swept_hypothesis *h = &a->of[i];

		if (h->judged || !*h->why)
			continue;
		phrase_add(out, "%s%s", why ? ", " : "; not computed: ",
			   h->name);
		why = h->why;
	}
	if (why)
		phrase_add(out, " (%s)", why);
}

/* Some hypothesis could be compared with the true pie. */
static void append_best(const struct sweep_answer *a, struct phrase *out,
		     const struct swept_hypothesis *best)
{
	const bool every = best->agree == a->truths;
	unsigned tied;

	phrase_add(out, "of %u hypotheses about who served the accesses, ",
		   a->hypotheses);
	tied = add_best(out, a, best);
	phrase_add(out, " %s with %s ", tied == 1 ? "agrees" : "agree",
		   a->timed ? "the times of the loads" :
		   "what the simulation knows");
	phrase_add(out, every ? "everywhere: in " : best->agree ?
		   "most often: in " : "nowhere: in ");
	add_range(out, best, a->truths);
	if (every && tied > 1)
		phrase_add(out, ", which cannot tell them apart");
	if (!every)
		phrase_add(out, best->agree ? "; elsewhere %s is off by up to "
			   "%.1f %% of the accesses (%s)" : "; the nearest, "
			   "%s, is off by up to %.1f %% of the accesses (%s)",
			   best->name, 100 * best->worst, best->worst_at);
	add_others(out, a, best);
	add_absent(out, a);
}

static void append_judged(const struct sweep_answer *a, struct phrase *out)
{
	const struct swept_hypothesis *best = best_of(a);

	if (best->judged) {
		append_best(a, out, best);
		return;
	}
	phrase_add(out, "none of %u hypotheses about who served the accesses "
		   "can be computed: %s %s", a->hypotheses, a->of[0].name,
		   a->of[0].why);
}

/* Hypotheses without a true pie. */
static void append_unjudged(const struct sweep_answer *a, struct phrase *out)
{
	unsigned n = 0;

	phrase_add(out, "nothing here says which of %u hypotheses about who "
		   "served the accesses is right", a->hypotheses);
	for (unsigned i = 0; i < a->hypotheses; i++)
		if (a->of[i].contradicts)
			phrase_add(out, "%s%s in %u of %u runs", n++ ? ", " :
				   "; parts and total do not fit together: ",
				   a->of[i].name, a->of[i].contradicts,
				   a->runs);
}

static void append_formulas(const struct sweep_answer *a, struct phrase *out)
{
	const unsigned all = a->agree + a->disagree;

	if (!all)
		phrase_add(out, "%u metrics are computed in %u runs, but no "
			   "closed form predicts them; 'assay judge' compares "
			   "what claims a quantity with what the simulation "
			   "knows", a->metrics, a->runs);
	else if (!a->disagree)
		phrase_add(out, "the formulas agree with what is predicted in "
			   "all %u comparisons of %u runs", all, a->runs);
	else
		phrase_add(out, "the formulas disagree with what is predicted "
			   "in %u of %u comparisons, first: %s", a->disagree,
			   all, a->disagrees);
}

void sweep_answer_sentence(const struct sweep_answer *answer,
			   struct phrase *out)
{
	if (answer->runs < answer->total)
		phrase_add(out, "interrupted after %u of %u runs: ",
			   answer->runs, answer->total);
	if (!answer->hypotheses)
		append_formulas(answer, out);
	else if (answer->truths)
		append_judged(answer, out);
	else
		append_unjudged(answer, out);
}
