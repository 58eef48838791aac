/* SPDX-License-Identifier: MIT */
/* Comparing claims with the truth, record by record, and ranking them. */
#include "hypotheses/ranking.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/terms.h"
#include "base/row.h"
#include "base/record.h"
#include "base/text.h"

/* The name includes the variant, except for the first variant. */
static void name_claim(struct ranked_claim *claim, const char *name)
{
	const struct formula_file *f = claim->file;
	bool plain = !*f->variant || strcmp(f->chosen, *f->variant) == 0;

	snprintf(claim->name, sizeof(claim->name), plain ? "%s" : "%s:%s",
		 name, f->chosen);
}

static int add_claim(struct ranking *c, const struct ranked_claim *claim,
		     const char *name, struct assay_error *err)
{
	if (c->claims == RANKING_CLAIMS)
		return error_set(err, -ASSAY_ERANGE, "more than %d claims",
				 RANKING_CLAIMS);
	c->claim[c->claims] = *claim;
	name_claim(&c->claim[c->claims++], name);
	return 0;
}

int ranking_add(struct ranking *c, const struct formula_file *file,
		struct assay_error *err)
{
	int rc = 0;

	for (size_t i = 0; i < file->hypotheses && !rc; i++)
		rc = add_claim(c, &(struct ranked_claim){
			.file = file, .hypothesis = &file->hypothesis[i],
			.about = RANKING_ABOUT, .levels = PIE_PARTS },
			file->hypothesis[i].name, err);
	for (size_t i = 0; i < file->formulas && !rc; i++) {
		const struct formula *f = &file->formula[i];

		if (f->claims >= 0)
			rc = add_claim(c, &(struct ranked_claim){
				.file = file, .formula = f,
				.about = f->claims, .levels = 1 },
				f->name, err);
	}
	return rc;
}

int ranking_add_metric(struct ranking *c, const struct formula_file *file,
		       const char *metric, int quantity,
		       struct assay_error *err)
{
	int found = 0, rc = 0;

	for (size_t i = 0; i < file->formulas && !rc; i++) {
		const struct formula *f = &file->formula[i];

		if (f->claims >= 0 || strcmp(f->name, metric) != 0)
			continue;
		rc = add_claim(c, &(struct ranked_claim){
			.file = file, .formula = f, .about = quantity,
			.levels = 1 }, f->name, err);
		found++;
	}
	return rc ? rc : found;
}

void ranking_reset(struct ranking *c)
{
	for (unsigned i = 0; i < c->claims; i++) {
		struct ranked_claim *old = &c->claim[i];
		struct ranked_claim new = {
			.file = old->file, .hypothesis = old->hypothesis,
			.formula = old->formula, .about = old->about,
			.levels = old->levels,
		};

		text_copy(new.name, sizeof(new.name), old->name);
		*old = new;
	}
}

/* ---- the truth ----------------------------------------------------------- */

struct truth {
	double value, low, high;
	const char *why;	/* why there is no truth, or NULL */
	const char *by;		/* F: closed form, S: simulation, T: timing,
				 * E: stated in a table */
	bool exact;		/* of E: the value was stated, not bounds */
};

static bool timed_truth(const struct ranked_times *t, int quantity,
			struct truth *out)
{
	if (!t || t->value.of[quantity].why)
		return false;
	*out = (struct truth){
		.value = round(t->value.of[quantity].number),
		.low = t->low.of[quantity].number,
		.high = t->high.of[quantity].number, .by = "T",
	};
	return true;
}

static struct truth truth_of(const struct ranked_record *r, int quantity)
{
	struct assay_value v = r->record->truth.of[quantity];
	const struct assay_expected *e = r->expectation ?
		assay_expectation_find(r->expectation, quantity) : NULL;
	struct truth timed;

	if (!v.why)
		return (struct truth){ v.number, v.number, v.number, NULL,
				       "S", true };
	if (e && isfinite(e->low) && isfinite(e->high) && e->low <= e->high)
		return (struct truth){ e->value, e->low, e->high, NULL,
				       r->table ? "E" : "F", e->exact };
	if (timed_truth(r->timed, quantity, &timed))
		return timed;
	return (struct truth){ .why = "nothing says what is true here" };
}

static struct truth true_total(const struct ranked_record *r)
{
	struct truth loads = truth_of(r, ASSAY_Q_loads);
	struct truth stores = truth_of(r, ASSAY_Q_stores);

	if (loads.why)
		return loads;
	if (!stores.why) {
		loads.value += stores.value;
		loads.low += stores.low;
		loads.high += stores.high;
	}
	return loads;
}

static struct truth true_level(const struct ranked_claim *claim,
			       const struct ranked_record *r, unsigned level)
{
	static const int served[] = {
		ASSAY_Q_served_l1, ASSAY_Q_served_l2, ASSAY_Q_served_l3,
		ASSAY_Q_served_dram,
	};

	if (!claim->hypothesis)
		return truth_of(r, claim->about);
	return level == PIE_TOTAL ? true_total(r) : truth_of(r, served[level]);
}

/*
 * The distance as a share: of all accesses for a pie; else of the larger
 * number, but of at least a hundredth of the accesses.
 */
static double share_of(const struct ranked_claim *claim,
		       const struct ranked_record *r, double said,
		       const struct truth *t, double off)
{
	struct truth total = true_total(r);
	double scale = total.why ? 0 : total.value;

	if (!claim->hypothesis)
		scale = fmax(fmax(fabs(said), fabs(t->value)), scale / 100);
	if (off == 0)
		return 0;
	return scale > 0 ? off / scale : off > 0 ? 1 : -1;
}

/*
 * The truth of a table has a margin. A claim that is within the margin, but
 * further from the stated number than RANKING_HOLDS, neither holds nor fails.
 */
static struct assay_value error_of(const struct ranked_claim *claim,
				   const struct ranked_record *r, double said,
				   const struct truth *t)
{
	const double off = said < t->low ? said - t->low :
			   said > t->high ? said - t->high : 0;
	const double all = share_of(claim, r, said, t, said - t->value);
	struct assay_value error = {
		.number = share_of(claim, r, said, t, off),
	};

	if (!r->table || fabs(error.number) > RANKING_HOLDS)
		return error;
	error.number = all;
	if (!t->exact || fabs(all) > RANKING_HOLDS)
		error.why = "what the table states is not known well enough";
	return error;
}

/* ---- one record --------------------------------------------------------- */

static const struct formula *part(const struct ranked_claim *claim,
				  unsigned level)
{
	return claim->hypothesis ? &claim->hypothesis->part[level] :
				   claim->formula;
}

static int emit_size(const struct ranking *c,
		     const struct ranked_claim *claim,
		     const struct ranked_record *r, unsigned level,
		     struct assay_value said, struct assay_value error,
		     const struct truth *t)
{
	struct assay_value right = { .number = t->value, .why = t->why };
	const char *verdict = error.why ? "not judged" :
		fabs(error.number) <= RANKING_HOLDS ? "holds" : "fails";
	const struct assay_field field[] = {
		field_text("on", c->where),
		field_text("file", claim->file->name),
		field_text("claim", claim->name),
		field_text("kernel", r->kernel), field_text("shape", r->shape),
		field_text("level", ranking_level_name(claim, level)),
		field_value("said", said), field_value("true", right),
		field_share("error", error), field_text("verdict", verdict),
		field_text("read as 0", claim->zeroed),
		field_text("by", t->by ? t->by : ""),
	};

	return row_emit(c->fn, c->ctx, "size", field,
			sizeof(field) / sizeof(*field));
}

static void note_failure(struct ranked_claim *claim,
			 const struct ranked_record *r, unsigned level,
			 double said, const struct truth *t, double error)
{
	struct ranked_level *l = &claim->level[level];

	if (fabs(error) > RANKING_HOLDS) {
		if (!l->fails++)
			text_copy(l->first, sizeof(l->first), r->shape);
		text_copy(l->last, sizeof(l->last), r->shape);
	}
	if (fabs(error) <= fabs(l->worst))
		return;
	l->worst = error;
	l->said = said;
	l->right = t->value;
	l->by = t->by;
	text_copy(l->at, sizeof(l->at), r->shape);
	formula_cause(l->because, sizeof(l->because), claim->file,
		      part(claim, level), r->record, said, t->value);
}

/*
 * True if the claim needs an event that is absent: then no part of the claim is
 * compared. A level is a false zero if a program that reads the event as 0
 * finds 0 there, and the truth is more. An event that a table lacks may have
 * been counted, and is no false zero.
 */
static bool lacks_event(struct ranked_claim *claim,
			const struct ranked_record *r)
{
	bool lacks = false;

	for (unsigned p = 0; p < claim->levels; p++) {
		const struct truth t = true_level(claim, r, p);
		const char *zeroed;
		const struct assay_value careless = formula_value_careless(
			claim->file, part(claim, p), r->record, &zeroed);

		if (!zeroed)
			continue;
		if (!lacks)
			text_copy(claim->why, sizeof(claim->why),
				  formula_value(claim->file, part(claim, p),
						r->record).why);
		lacks = true;
		claim->zeroed = zeroed;
		claim->false_zero |= !careless.why && careless.number == 0 &&
			!t.why && !r->table &&
			error_of(claim, r, 0, &t).number < -RANKING_HOLDS;
	}
	return lacks;
}

static int judge_level(struct ranking *c, struct ranked_claim *claim,
		      const struct ranked_record *r, unsigned level,
		      bool lacks, double *worst)
{
	struct truth t = true_level(claim, r, level);
	struct assay_value said = formula_value(claim->file,
						part(claim, level), r->record);
	struct assay_value error = { .why = said.why ? said.why : t.why };

	if (!error.why && lacks)
		error.why = claim->why;
	if (!error.why && said.estimate)
		error.why = "an event was counted a part of the time only";
	if (!error.why)
		error = error_of(claim, r, said.number, &t);
	if (!error.why) {
		claim->level[level].judged++;
		note_failure(claim, r, level, said.number, &t, error.number);
		*worst = fmax(*worst, fabs(error.number));
	}
	claim->said = said;
	return emit_size(c, claim, r, level, said, error, &t);
}

/* False: all events of the claim are absent, so the claim has no value. */
static bool says_anything(const struct ranked_claim *claim,
			  const struct assay_record *record)
{
	for (unsigned p = 0; p < claim->levels; p++) {
		const struct formula *f = part(claim, p);

		for (unsigned i = 0; i < f->events; i++) {
			const int at = record_find_plain(record,
				claim->file->event[f->event[i]]);

			if (at >= 0 && !assay_record_value(record,
							   (unsigned)at).why)
				return true;
		}
	}
	return false;
}

/* A claim about loads alone does not apply to a run with stores. */
static bool speaks_of(const struct ranked_claim *claim,
		      const struct ranked_record *r)
{
	struct truth stores = truth_of(r, ASSAY_Q_stores);

	return !claim->file->loads_only || stores.why || stores.value == 0;
}

static int judge_claim(struct ranking *c, struct ranked_claim *claim,
		      const struct ranked_record *r)
{
	unsigned before = claim->level[0].judged;
	double worst = 0;
	struct pie pie;
	bool lacks;
	int rc = 0;

	if (!says_anything(claim, r->record) || !speaks_of(claim, r))
		return 0;
	claim->shapes++;
	lacks = lacks_event(claim, r);
	for (unsigned p = 0; p < claim->levels && rc == 0; p++)
		rc = judge_level(c, claim, r, p, lacks, &worst);
	if (claim->hypothesis) {
		hypothesis_pie(claim->file, claim->hypothesis, r->record,
			       &pie);
		claim->inconsistent += !pie.residual.why && !pie.consistent;
	}
	if (claim->level[0].judged == before)
		return rc;
	claim->judged++;
	claim->sum += worst;
	claim->fails += worst > RANKING_HOLDS;
	if (worst > claim->worst) {
		claim->worst = worst;
		text_copy(claim->at, sizeof(claim->at), r->shape);
	}
	return rc;
}

bool ranking_wants_time(const struct ranking *c,
			const struct ranked_record *r)
{
	for (unsigned i = 0; i < c->claims; i++) {
		const struct ranked_claim *claim = &c->claim[i];
		const bool pie = claim->hypothesis ||
				 (claim->about >= ASSAY_Q_served_l1 &&
				  claim->about <= ASSAY_Q_served_dram);

		if (!pie || !says_anything(claim, r->record) ||
		    !speaks_of(claim, r))
			continue;
		for (unsigned p = 0; p < claim->levels; p++)
			if (true_level(claim, r, p).why)
				return true;
	}
	return false;
}

int ranking_add_record(struct ranking *c, const struct ranked_record *r)
{
	int rc = 0;

	for (unsigned i = 0; i < c->claims && rc == 0; i++)
		rc = judge_claim(c, &c->claim[i], r);
	return rc;
}

/* ---- ranks -------------------------------------------------------------- */

static double mean(const struct ranked_claim *claim)
{
	return claim->judged ? claim->sum / claim->judged : INFINITY;
}

/* Without any truth: how often a pie contradicts itself. */
static double disorder(const struct ranked_claim *claim)
{
	return claim->shapes ? (double)claim->inconsistent / claim->shapes :
			       INFINITY;
}

static bool same(double a, double b)
{
	return a == b || fabs(a - b) < 1e-6;
}

/* < 0: a is better; 0: a tie. */
static int compare(const struct ranked_claim *a,
		   const struct ranked_claim *b)
{
	if (a->about != b->about)
		return a->about - b->about;
	if (!same(mean(a), mean(b)))
		return mean(a) < mean(b) ? -1 : 1;
	if (!same(a->worst, b->worst))
		return a->worst < b->worst ? -1 : 1;
	if (!same(disorder(a), disorder(b)))
		return disorder(a) < disorder(b) ? -1 : 1;
	return 0;
}

static void sort(struct ranking *c)
{
	for (unsigned i = 1; i < c->claims; i++) {
		struct ranked_claim claim = c->claim[i];
		unsigned at = i;

		for (; at && compare(&claim, &c->claim[at - 1]) < 0; at--)
			c->claim[at] = c->claim[at - 1];
		c->claim[at] = claim;
	}
}

void ranking_sort(struct ranking *c)
{
	unsigned place = 0;

	sort(c);
	for (unsigned i = 0; i < c->claims; i++) {
		struct ranked_claim *claim = &c->claim[i];
		struct ranked_claim *before = i ? claim - 1 : NULL;

		place = before && before->about == claim->about ? place + 1 : 1;
		claim->rank = !claim->judged ? 0 :
			before && compare(before, claim) == 0 ? before->rank :
			place;
	}
	for (unsigned i = 0; i < c->claims; i++)
		for (unsigned k = 0; k < c->claims; k++)
			c->claim[i].tied += i != k && c->claim[i].rank &&
				c->claim[i].about == c->claim[k].about &&
				c->claim[i].rank == c->claim[k].rank;
}

bool ranking_judged(const struct ranking *c)
{
	for (unsigned i = 0; i < c->claims; i++)
		if (c->claim[i].judged)
			return true;
	return false;
}

bool ranking_said(const struct ranking *c)
{
	for (unsigned i = 0; i < c->claims; i++)
		if (c->claim[i].shapes)
			return true;
	return false;
}
