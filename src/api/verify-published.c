/* SPDX-License-Identifier: MIT */
/*
 * Published counts of other people's code whose loop was published, too: what
 * it costs per character is known, what was drawn only by its odds.
 */
#include <math.h>

#include "api/verify.h"
#include "base/text.h"
#include "kernels/expect.h"

#define SIGMAS 6

/* A loop that counts the '1' among drawn characters. */
static const struct loop {
	const char *cpu, *isa, *kernel;
	double each, one, branches;	/* per character, per '1', per char. */
	struct { enum assay_quantity quantity; const char *event; } from[3];
} loops[] = {
	{ "cortex-a72", "arm", "branch", 11, 1, 2, {
	  { ASSAY_Q_instructions, "INST_RETIRED" },
	  { ASSAY_Q_branches, "BR_PRED" },
	  { ASSAY_Q_mispredicts, "BR_MIS_PRED" } } },
};

struct drawn {
	double chars, passes, p, spread;
};

static double option(const struct assay_shape *shape, const char *name)
{
	int at = assay_shape_find(shape, name);

	return at < 0 ? NAN : (double)shape->option[at].value;
}

static void predict(const struct loop *l, const struct drawn *d,
		    struct assay_expectation *out)
{
	const double n = d->chars * d->passes, p = d->p;
	const double ones = p * n, least = fmin(p, 1 - p) * n;
	const double most = 2 * p * (1 - p) * n + d->spread;
	struct assay_expected *row = expect_row(out, ASSAY_Q_instructions);

	expect_cost(row, "chars", l->each, "chars * passes", n,
		    "as published, without the count of a '1'");
	expect_cost(row, "ones", l->one, "ones * passes", ones,
		    "a '1' is counted by one more instruction");
	expect_band(row, row->value - l->one * d->spread,
		    row->value + l->one * d->spread,
		    "6 standard deviations of the draw");
	row = expect_row(out, ASSAY_Q_branches);
	expect_cost(row, "chars", l->branches, "chars * passes", n,
		    "each character is tested, and ends with a branch");
	expect_band(row, row->value, row->value + most, "no fewer; on wrong "
		    "paths at most one more for each misprediction");
	row = expect_row(out, ASSAY_Q_mispredicts);
	expect_term(row, "tests", "min(p, 1 - p) * chars * passes", least,
		    "a draw cannot be foreseen, only its odds");
	expect_band(row, least - d->spread, most, "6 standard deviations: no "
		    "better than the odds, no worse than the last direction");
}

static void compare(const struct loop *l, const struct assay_record *record,
		    struct judgement *j)
{
	struct assay_result *r = &j->result;

	r->compareds = 0;
	for (unsigned i = 0; i < 3; i++) {
		struct assay_compared *c = &j->compared[r->compareds];
		const struct assay_expected *e = assay_expectation_find(
			&j->expectation, l->from[i].quantity);
		int at = assay_record_find(record, l->from[i].event);

		if (at < 0 || !e)
			continue;
		*c = (struct assay_compared){
			.quantity = l->from[i].quantity, .expected = e,
			.measured = assay_record_value(record, (unsigned)at),
			.from = l->from[i].event,
		};
		c->verdict = c->measured.why ? ASSAY_UNAVAILABLE :
			     c->measured.number < e->low ||
			     c->measured.number > e->high ?
			     ASSAY_DISAGREES : ASSAY_AGREES;
		r->compareds++;
	}
	r->compared = j->compared;
}

/* The verdict on the event says so, too: a band proves no digit. */
static void remark(struct verify *v, const struct judgement *j)
{
	for (size_t i = 0; i < j->result.compareds; i++) {
		const struct assay_compared *c = &j->result.compared[i];
		int e = panel_find(&v->panel, c->from);

		if (e >= 0 && c->verdict == ASSAY_AGREES)
			v->panel.event[e].band = "agrees with the loop's "
				"closed form, within the band of what was "
				"drawn; a band proves no last digit";
	}
}

int verify_published(struct verify *v, const struct run *run,
		     struct judgement *j, const struct assay_shape *shape,
		     const struct assay_record *record)
{
	struct drawn d = { option(shape, "chars"), option(shape, "passes"),
			   option(shape, "ones") / 1e6, 0 };
	const int pattern = assay_shape_find(shape, "pattern");
	int rc = 0;

	d.spread = SIGMAS * d.passes * sqrt(d.chars * d.p * (1 - d.p));
	for (size_t i = 0; i < sizeof(loops) / sizeof(*loops) && !rc; i++) {
		const struct loop *l = &loops[i];

		if (!text_equal(l->cpu, record->machine.cpu) ||
		    !text_equal(l->isa, record->machine.isa) ||
		    !text_equal(l->kernel, shape->kernel) || pattern < 0 ||
		    !text_equal(shape->option[pattern].word, "random"))
			continue;
		j->expectation = (struct assay_expectation){ .rows = 0 };
		predict(l, &d, &j->expectation);
		compare(l, record, j);
		remark(v, j);
		rc = verify_take(v, run, &j->result);
	}
	return rc;
}
