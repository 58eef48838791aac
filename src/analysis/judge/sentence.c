/* SPDX-License-Identifier: MIT */
/* The sentence of a verdict: what the event counts, how sure the verdict is and
 * where the event fails. */
#include <string.h>

#include "analysis/judge/parts.h"

/* The quantity that the event claims to count. */
static const char *claim(const struct judge_shape *s)
{
	const char *q = s->row[0]->quantity;

	return *q ? q : "what was expected";
}

/* "(3 shapes, 30 readings, 1 left out)" */
static void how_sure(struct judge_words *w, const struct judge_facts *f)
{
	const struct judge_shape *s = f->worst;

	judge_add(w, " (%u shape%s, %u reading%s", f->shapes,
		  f->shapes == 1 ? "" : "s", f->readings,
		  f->readings == 1 ? "" : "s");
	if (f->programs > 1)
		judge_add(w, ", %u programs", f->programs);
	if (f->left_out)
		judge_add(w, ", %u left out", f->left_out);
	if (s && s->scaled < 0.9995)
		judge_add(w, ", counted for %.3g %% of the time",
			  fmax(0.1, 100 * s->scaled));
	judge_add(w, ").");
}

/* "within 1.6 %": the largest distance of an agreeing shape from its truth. */
static void within(struct judge_words *w, const struct judge_facts *f)
{
	if (f->far == 0) {
		judge_add(w, ", to the last digit");
	} else if (f->far_part > 0 && (f->rate || f->far > 3)) {
		judge_add(w, ", within ");
		judge_add_percent(w, f->far_part);
	} else {
		const double far = f->rate ? f->far : ceil(f->far);

		judge_add(w, ", within ");
		judge_add_number(w, far);
		judge_add(w, f->rate ? "" : far == 1 ? " count" : " counts");
	}
}

static void exact(struct judge_words *w, const struct judge_facts *f)
{
	judge_add(w, "Counts %.80s", claim(f->worst));
	within(w, f);
}

static void bounded(struct judge_words *w, const struct judge_facts *f)
{
	judge_add(w, "Counts %.80s as far as is known: within its bounds, at "
		  "most ", claim(f->worst));
	judge_add_percent(w, f->far_part);
	judge_add(w, " from their middle");
}

/* "and one per interrupt" */
static void add_each(struct judge_words *w, unsigned many, const char *what)
{
	if (!many)
		return;
	judge_add(w, " and ");
	if (many > 2)
		judge_add(w, "%u", many);
	else
		judge_add(w, many == 1 ? "one" : "two");
	if (!strcmp(what, "interrupts"))
		judge_add(w, " per interrupt");
	else if (!strcmp(what, "page_faults"))
		judge_add(w, " per page fault");
	else
		judge_add(w, " per `%.60s`", what);
}

static void terms(struct judge_words *w, const struct judge_facts *f)
{
	const struct judge_shape *s = f->worst;

	judge_add(w, "Counts %.80s", claim(s));
	for (unsigned k = 0; s->each && k < s->each->covariates; k++)
		add_each(w, judge_per(s, s->each->name[k]), s->each->name[k]);
	if (s->marks & JUDGE_SILENT)
		judge_add(w, " (the interrupt counter is dead)");
	if (s->marks & JUDGE_HIGH)
		judge_add(w, " (the interrupt counter stands too high)");
	judge_add(w, "; what is left agrees");
	within(w, f);
}

static void add_constant(struct judge_words *w, const struct judge_facts *f)
{
	judge_add_number(w, judge_step(f->worst, isnan(f->constant) ?
		f->worst->mean - f->worst->expected : f->constant));
	judge_add(w, " more in each run");
}

static void constant(struct judge_words *w, const struct judge_facts *f)
{
	judge_add(w, "Counts %.80s, and ", claim(f->worst));
	add_constant(w, f);
	if (!f->lone || f->same_over_programs)
		judge_add(w, ", whatever the work");
}

static void proportional(struct judge_words *w, const struct judge_facts *f)
{
	judge_add(w, "Counts ");
	judge_add_times(w, f->factor);
	judge_add(w, " %.80s", claim(f->worst));
	if (f->line == JUDGE_FACTOR_CONSTANT) {
		judge_add(w, ", and ");
		add_constant(w, f);
	}
}

static void outside(struct judge_words *w, const struct judge_facts *f)
{
	const struct judge_shape *s = f->worst;

	judge_add(w, "Counts ");
	judge_add_number(w, s->mean);
	judge_add(w, ", %s ", f->below ? "below the least that is possible,"
		  : "above the most that is possible,");
	judge_add_number(w, f->below ? s->low : s->high);
}

static void biased(struct judge_words *w, const struct judge_facts *f)
{
	const struct judge_shape *s = f->worst;

	if (f->marks & JUDGE_ACCUSED) {
		judge_add(w, "Moves as interrupts do, but stands too high: "
			  "other events leave no room for ");
		judge_add_number(w, s->mean);
	} else if (f->above || f->below) {
		outside(w, f);
	} else if (s->expected == 0) {
		judge_add(w, "Counts ");
		judge_add_number(w, s->mean);
		judge_add(w, " where no %.80s happen: it counts something "
			  "else", claim(s));
	} else {
		judge_add(w, "Counts ");
		judge_add_off(w, s);
		judge_add(w, s->mean >= 2 * s->expected ||
			  s->mean <= s->expected / 2 ? " %.80s (" :
			  " than %.80s (", claim(s));
		judge_add_number(w, s->mean);
		judge_add(w, " of ");
		judge_add_number(w, s->expected);
		judge_add(w, ")");
	}
}

static void part(struct judge_words *w, const struct judge_facts *f)
{
	const struct judge_shape *s = f->worst;
	const double t = isnan(s->expected) ? s->low : s->expected;

	judge_add(w, "Counts only a part of %.80s: ", claim(s));
	if (s->mean > 0)
		judge_add_percent(w, s->mean / t);
	else
		judge_add(w, "none");
	judge_add(w, " of them");
}

static void dead(struct judge_words *w, const struct judge_facts *f)
{
	const struct judge_shape *s = f->worst;
	const double t = isnan(s->expected) ? s->low : s->expected;

	judge_add(w, "Is dead: ");
	judge_add_number(w, s->mean);
	if (f->marks & JUDGE_EMPTY) {
		judge_add(w, " although a part of it was counted");
		return;
	}
	judge_add(w, " where ");
	judge_add_number(w, t);
	judge_add(w, " %.80s were expected", claim(s));
}

static void unstable(struct judge_words *w, const struct judge_facts *f)
{
	judge_add(w, "Differs from itself: ");
	judge_add_number(w, f->worst->least);
	judge_add(w, " to ");
	judge_add_number(w, f->worst->most);
	judge_add(w, " in %u readings of one shape", f->worst->readings);
}

static void law(struct judge_words *w, const struct judge_facts *f)
{
	if (f->wrapped) {
		judge_add(w, "Ran below 0: a count near 2^64 is negative");
	} else if (f->marks & JUDGE_RATE) {
		judge_add(w, "No memory is so fast: ");
		judge_add_number(w, f->worst->mean);
		judge_add(w, " MB/s");
	} else {
		judge_add(w, "The parts do not add up to %.80s: ",
			  claim(f->worst));
		judge_add_off(w, f->worst);
		judge_add(w, "; a part is missing");
	}
}

/* ---- inconclusive -------------------------------------------------------- */

static void refuted(struct judge_words *w, const struct judge_shape *s)
{
	judge_add_number(w, s->mean);
	judge_add(w, " of ");
	judge_add_number(w, s->expected);
	judge_add(w, " %.80s; but %s, so that what was expected may be wrong, "
		  "not the event", claim(s), s->marks & JUDGE_BY_TIME ?
		  "the cycles leave no room for so many" :
		  "the sum with its other parts is right");
}

/* "-11 %", "+2.1 times": a count is never below 0. */
static void add_edge(struct judge_words *w, double edge)
{
	const double part = fmax(edge, -1);

	judge_add(w, part < 0 ? "-" : "+");
	if (part >= 1)
		judge_add_times(w, part);
	else
		judge_add_percent(w, part);
}

/* "anything from -11 % to +52 %"; "+0.92 %" if both edges are the same. */
static void add_edges(struct judge_words *w, const struct judge_shape *s)
{
	const double off = s->mean - s->expected, t = s->expected;
	struct judge_words low = { .used = 0 }, high = { .used = 0 };

	add_edge(&low, (off - s->half) / t);
	add_edge(&high, (off + s->half) / t);
	if (strcmp(low.text, high.text))
		judge_add(w, ", anything from %s to %s", low.text, high.text);
	else
		judge_add(w, ", %s", high.text);
	if (s->readings == 1)
		judge_add(w, ", and one reading does not show its noise");
}

static void unsure(struct judge_words *w, const struct judge_shape *s,
		   bool maybe)
{
	judge_add(w, "Not proven: ");
	judge_add_number(w, s->mean);
	judge_add(w, " of ");
	judge_add_number(w, s->expected);
	judge_add(w, " %.80s", claim(s));
	if (s->expected <= 0)
		return;
	add_edges(w, s);
	if (maybe)
		judge_add(w, "; start-up would explain it");
}

static void inconclusive(struct judge_words *w, const struct judge_facts *f)
{
	const struct judge_shape *s = f->worst;

	if (f->marks & JUDGE_APART)
		judge_add(w, "Two statements of what it should count "
			  "contradict each other; that accuses nobody");
	else if (judge_fails(s) && f->doubted)
		refuted(w, s);
	else if (f->start)
		judge_add_off(w, s), judge_add(w, " than %.80s: start and "
					       "stop, or a bias", claim(s));
	else if (judge_known(s) && f->only_zero)
		judge_add(w, "Was only ever expected to be 0");
	else if (s->label == JUDGE_BOUNDS)
		judge_add(w, "Not proven: the bounds of %.80s are too wide "
			  "to show more than that nothing violates them",
			  claim(s));
	else if (judge_known(s))
		unsure(w, s, f->line == JUDGE_MAYBE);
	else
		judge_add(w, "Nobody said what it should count");
}

/* ---- classes ------------------------------------------------------------- */

static void (*const say[ASSAY_CLASSES])(struct judge_words *w,
					const struct judge_facts *f) = {
	[ASSAY_CLASS_EXACT] = exact,
	[ASSAY_CLASS_BOUNDED] = bounded,
	[ASSAY_CLASS_FAULTS] = terms,
	[ASSAY_CLASS_CONSTANT] = constant,
	[ASSAY_CLASS_PROPORTIONAL] = proportional,
	[ASSAY_CLASS_BIASED] = biased,
	[ASSAY_CLASS_ONE_SIDED] = part,
	[ASSAY_CLASS_DEAD] = dead,
	[ASSAY_CLASS_UNSTABLE] = unstable,
	[ASSAY_CLASS_LAW] = law,
	[ASSAY_CLASS_INCONCLUSIVE] = inconclusive,
};

const struct judge_verdict *judge_leading(const struct judge_verdict *v)
{
	if (!v->facts.combined || v->facts.only_zero)
		return NULL;
	for (size_t i = 0; i < v->parts; i++)
		if (v->part[i].class_ == v->class_ &&
		    (v->program || !*v->part[i].parameter))
			return &v->part[i];
	return NULL;
}

static void name_part(struct judge_words *w, const struct judge_verdict *v)
{
	char scope[200];

	judge_scope(scope, sizeof(scope), v);
	judge_add(w, "`%.100s`", *v->parameter ? strrchr(scope, ';') + 1 :
						 v->program);
}

/* "right in `int`, `x`; in `all`: ", or "in `all`, `n=8..64`: " of a region */
static void depends(struct judge_words *w, const struct judge_verdict *v,
		    const struct judge_verdict *lead,
		    const struct judge_verdict *region)
{
	unsigned right = 0;

	judge_add(w, v->program ? "Depends on the shape: " :
				  "Depends on what runs: ");
	for (size_t i = 0; i < v->parts; i++) {
		const struct judge_verdict *p = &v->part[i];

		if (!judge_is_right(p->class_) ||
		    (!v->program && *p->parameter))
			continue;
		if (right++ >= 3)
			continue;
		judge_add(w, right > 1 ? ", " : "right in ");
		name_part(w, p);
	}
	if (right > 3)
		judge_add(w, " and %u more", right - 3);
	judge_add(w, right ? "; in " : "in ");
	name_part(w, lead);
	if (region) {
		judge_add(w, ", ");
		name_part(w, region);
	}
	judge_add(w, ": ");
}

void judge_sentence(struct judge_words *w, const struct judge_verdict *v)
{
	const struct judge_verdict *lead = judge_leading(v);
	const struct judge_verdict *region = lead ? judge_leading(lead) : NULL;
	struct judge_facts f = v->facts;

	if (region && (v->facts.programs == 1 ||
		       !judge_is_failure(v->class_))) {
		judge_sentence(w, lead);
		return;
	}
	if (lead) {
		if (judge_is_failure(v->class_) &&
		    (region || v->facts.part != 1u << v->class_))
			depends(w, v, lead, region);
		f = region ? region->facts : lead->facts;
		f.far = v->facts.far;
		f.far_part = v->facts.far_part;
	}
	if (!say[v->class_] || !f.worst)
		return;
	say[v->class_](w, &f);
	how_sure(w, &v->facts);
}
