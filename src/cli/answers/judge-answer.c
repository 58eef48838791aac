/* SPDX-License-Identifier: MIT */
/* The sentence above judge's tables. */
#include "cli/answers/answers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* The claims on one place about one quantity or pie. */
struct group { const struct judged_claim *claim; size_t claims; };

/* ---- reading the rows ---------------------------------------------------- */

static void keep_rank(struct judge_answer *answer, const struct assay_row *row)
{
	struct judged_claim *grown = realloc(answer->claim,
		(answer->claims + 1) * sizeof(*grown)), *c;

	if (!grown)
		return;
	answer->claim = grown;
	c = &grown[answer->claims++];
	*c = (struct judged_claim){ .off = 0 };
	text_copy(c->on, sizeof(c->on), row_text(row, "on"));
	text_copy(c->about, sizeof(c->about), row_text(row, "about"));
	text_copy(c->name, sizeof(c->name), row_text(row, "claim"));
	text_copy(c->title, sizeof(c->title), row_text(row, "title"));
	text_copy(c->verdict, sizeof(c->verdict), row_text(row, "verdict"));
	c->rank = (unsigned)row_number(row, "rank");
	c->ranked = c->rank > 0;
	if (!c->ranked)
		text_copy(c->because, sizeof(c->because),
			  row_text(row, "note"));
	c->worst = row_number(row, "worst");
	if (sscanf(row_text(row, "shapes"), "%u of %u", &c->right,
		   &c->runs) != 2)
		c->right = c->runs = 0;
}

/* A place's rows "level" follow its rows "rank". */
static void keep_level(struct judge_answer *answer,
		       const struct assay_row *row)
{
	const double off = row_number(row, "error");

	for (size_t i = answer->claims; i-- > 0;) {
		struct judged_claim *c = &answer->claim[i];

		if (strcmp(c->on, row_text(row, "on")))
			return;
		if (strcmp(c->name, row_text(row, "claim")) ||
		    fabs(off) <= fabs(c->off))
			continue;
		c->off = off;
		text_copy(c->level, sizeof(c->level), row_text(row, "level"));
		text_copy(c->because, sizeof(c->because),
			  row_text(row, "because"));
		return;
	}
}

void judge_answer_add(struct judge_answer *answer,
		       const struct assay_row *row)
{
	if (!strcmp(row->type, "rank"))
		keep_rank(answer, row);
	else if (!strcmp(row->type, "level"))
		keep_level(answer, row);
	else if (!strcmp(row->type, "identity"))
		answer->violated += !strcmp(row_text(row, "verdict"),
					    "violated");
}

void judge_answer_fini(struct judge_answer *answer)
{
	free(answer->claim);
	*answer = (struct judge_answer){ .claim = NULL };
}

/* ---- one place ----------------------------------------------------------- */

static bool is(const struct judged_claim *claim, const char *verdict)
{
	return !strcmp(claim->verdict, verdict);
}

static bool is_pie(const struct judged_claim *claim)
{
	return !strcmp(claim->about, "pie");
}

static void add_name(struct phrase *out, const struct judged_claim *claim)
{
	phrase_add(out, is_pie(claim) ? "%s (%s)" : "%s", claim->name,
		   claim->title);
}

/* "6 hypotheses about who served the accesses" */
static void add_subject(struct phrase *out, const struct group *g)
{
	const bool one = g->claims == 1;

	if (is_pie(g->claim))
		phrase_add(out, "%zu %s about who served the accesses",
			   g->claims, one ? "hypothesis" : "hypotheses");
	else
		phrase_add(out, "%zu %s for %s", g->claims,
			   one ? "formula" : "formulas", g->claim->about);
}

static void add_share(struct phrase *out, double share)
{
	if (share > 0 && share < 0.0005)
		phrase_add(out, "less than 0.1 %%");
	else
		phrase_add(out, "%.*f %%", share > 0, 100 * share);
}

static size_t count(const struct group *g, const char *verdict)
{
	size_t n = 0;

	for (size_t i = 0; i < g->claims; i++)
		n += is(&g->claim[i], verdict);
	return n;
}

/* Was an event absent that the claim needs? */
static bool uncomputed(const struct judged_claim *c)
{
	return is(c, "absent") || is(c, "false zero");
}

static size_t count_uncomputed(const struct group *g)
{
	return count(g, "absent") + count(g, "false zero");
}

/* "; not computed: h5, h5r (needs LL_CACHE_MISS: not implemented)" */
static void append_uncomputed(struct phrase *out, const struct group *g)
{
	const char *why = NULL;

	for (size_t i = 0; i < g->claims; i++) {
		if (!uncomputed(&g->claim[i]))
			continue;
		phrase_add(out, "%s%s", why ? ", " : "; not computed: ",
			   g->claim[i].name);
		why = g->claim[i].because;
	}
	if (why)
		phrase_add(out, " (%s)", why);
}

/* Failing runs of a claim, its largest error, and the reason. */
static void add_failure(struct phrase *out, const struct judged_claim *c,
			bool brief)
{
	phrase_add(out, "off by more than 1 %% in %u of %u runs, by up to ",
		   c->runs - c->right, c->runs);
	add_share(out, c->worst);
	if (*c->because && !brief)
		phrase_add(out, " (%s: %s)", c->level, c->because);
}

/* Claims are in the order of their ranks. */
static void append_right(struct phrase *out, const struct group *g,
			 size_t right, bool brief)
{
	double worst = 0;
	size_t n = 0, next = g->claims, wrong;

	phrase_add(out, "of ");
	add_subject(out, g);
	phrase_add(out, ", ");
	for (size_t i = 0; i < g->claims; i++) {
		const struct judged_claim *c = &g->claim[i];

		if (is(c, "holds")) {
			phrase_add(out, "%s", phrase_between(n++, right));
			add_name(out, c);
			worst = fmax(worst, c->worst);
		} else if (c->ranked && next == g->claims) {
			next = i;
		}
	}
	phrase_add(out, right == 1 ? " is right (largest error " :
				     " are right (largest error ");
	add_share(out, worst);
	phrase_add(out, ")");
	if (next == g->claims)
		return;
	wrong = g->claims - right - count_uncomputed(g);
	phrase_add(out, "; %zu %s", wrong, wrong == 1 ? "fails, " :
		   "fail, the nearest of them ");
	add_name(out, &g->claim[next]);
	phrase_add(out, ": ");
	add_failure(out, &g->claim[next], brief);
}

static void append_wrong(struct phrase *out, const struct group *g, bool brief)
{
	size_t tied = 1;

	phrase_add(out, "none of ");
	add_subject(out, g);
	phrase_add(out, " is right; least wrong ");
	while (tied < g->claims && g->claim[tied].rank == 1)
		tied++;
	phrase_add(out, tied == 1 ? "is " : "are ");
	for (size_t i = 0; i < tied; i++) {
		phrase_add(out, "%s", phrase_between(i, tied));
		add_name(out, &g->claim[i]);
	}
	phrase_add(out, ", ");
	add_failure(out, &g->claim[0], brief);
}

/* No truth is known, or no event was counted. */
static void append_unjudged(struct phrase *out, const struct group *g)
{
	const size_t absent = count_uncomputed(g);
	const size_t against = count(g, "contradicts itself");

	if (absent == g->claims) {
		phrase_add(out, "none of ");
		add_subject(out, g);
		if (!strncmp(g->claim->because, "needs ", 6))
			phrase_add(out, " can be computed: %s %s",
				   g->claim->name, g->claim->because);
		else
			phrase_add(out, " can be computed: its events are not "
				   "counted");
		return;
	}
	phrase_add(out, g->claims == 1 ? "nothing says whether " :
		   "nothing says which of ");
	add_subject(out, g);
	phrase_add(out, " is right");
	if (against)
		phrase_add(out, "; %zu of them contradict themselves: the "
			   "parts do not add up", against);
}

/* "h4 (refills are misses) is right about who served the accesses" */
static void append_only(struct phrase *out, const struct judged_claim *c,
		     bool brief)
{
	add_name(out, c);
	phrase_add(out, " is %s about %s, ", is(c, "holds") ? "right" :
		   "wrong", is_pie(c) ? "who served the accesses" : c->about);
	if (is(c, "holds")) {
		phrase_add(out, "largest error ");
		add_share(out, c->worst);
	} else {
		add_failure(out, c, brief);
	}
}

/* brief: there is more than one group. */
static void append_group(struct phrase *out, const struct group *g, bool brief,
		      const char *before)
{
	const size_t right = count(g, "holds");

	phrase_add(out, "%s", out->used ? "; " : "");
	if (strcmp(before, g->claim->on))
		phrase_add(out, "on %s, ", g->claim->on);
	if (g->claims == 1 && g->claim->ranked)
		append_only(out, g->claim, brief);
	else if (right)
		append_right(out, g, right, brief);
	else if (g->claim->ranked)
		append_wrong(out, g, brief);
	else
		append_unjudged(out, g);
	if (g->claim->ranked)
		append_uncomputed(out, g);
}

/* ---- many places --------------------------------------------------------- */

static bool next_group(const struct judge_answer *answer, struct group *g)
{
	const struct judged_claim *end = answer->claim + answer->claims;

	g->claim = g->claim ? g->claim + g->claims : answer->claim;
	for (g->claims = 0; g->claim && g->claim + g->claims < end; g->claims++)
		if (strcmp(g->claim[g->claims].on, g->claim->on) ||
		    strcmp(g->claim[g->claims].about, g->claim->about))
			break;
	return g->claims > 0;
}

static size_t places(const struct judge_answer *answer)
{
	size_t n = 0;

	for (size_t i = 0; i < answer->claims; i++)
		n += !i || strcmp(answer->claim[i].on, answer->claim[i - 1].on);
	return n;
}

static bool holds(const struct judged_claim *claim)
{
	return is(claim, "holds");
}

static bool is_first(const struct judged_claim *claim)
{
	return claim->rank == 1;
}

typedef bool test_fn(const struct judged_claim *claim);

/* The number of places where the claim named `name` passes the test. */
static size_t passes_on(const struct judge_answer *answer, const char *name,
			test_fn *test)
{
	size_t n = 0;

	for (size_t i = 0; i < answer->claims; i++)
		n += !strcmp(answer->claim[i].name, name) &&
		     test(&answer->claim[i]);
	return n;
}

/* The claim that passes on most places; *most: the number of places. */
static const struct judged_claim *
most_often(const struct judge_answer *answer, test_fn *test, size_t *most)
{
	const struct judged_claim *best = answer->claim;

	*most = 0;
	for (size_t i = 0; i < answer->claims; i++) {
		const size_t on = passes_on(answer, answer->claim[i].name,
					    test);

		if (on > *most) {
			best = &answer->claim[i];
			*most = on;
		}
	}
	return best;
}

static void append_places(const struct judge_answer *answer, struct phrase *out)
{
	const struct judged_claim *best;
	size_t most, n = 0;

	best = most_often(answer, holds, &most);
	if (!most) {
		phrase_add(out, "no claim is right on any of %zu CPUs",
			   places(answer));
		best = most_often(answer, is_first, &most);
		if (!most)
			return;
		phrase_add(out, "; least wrong on %zu of them, no other on "
			   "more: ", most);
		add_name(out, best);
		return;
	}
	phrase_add(out, "on %zu of %zu CPUs, no other claim on more, ",
		   most, places(answer));
	add_name(out, best);
	phrase_add(out, " is right");
	for (size_t i = 0; i < answer->claims; i++)
		if (!strcmp(answer->claim[i].name, best->name) &&
		    holds(&answer->claim[i]))
			phrase_add(out, "%s%s", n++ ? ", " : ": ",
				   answer->claim[i].on);
}

/* Quantities of the place without a known truth, and their claims. */
static size_t open_groups(const struct judge_answer *answer, const char *on,
			  size_t *claims, size_t *absent)
{
	struct group g = { NULL, 0 };
	size_t n = 0;

	*claims = *absent = 0;
	while (next_group(answer, &g)) {
		if (strcmp(g.claim->on, on) || g.claim->ranked)
			continue;
		n++;
		*claims += g.claims;
		*absent += count_uncomputed(&g);
	}
	return n;
}

/* First group of a place: sums up three or more open quantities. */
static bool append_open(const struct judge_answer *answer, const char *on,
		     bool first, struct phrase *out)
{
	size_t claims, absent;

	if (open_groups(answer, on, &claims, &absent) < 3)
		return false;
	if (first)
		phrase_add(out, "%son %s, nothing says what is true of %zu "
			   "formulas that can be computed, and %zu cannot be: "
			   "their events are not counted", out->used ? "; " :
			   "", on, claims - absent, absent);
	return true;
}

/* Quantities of the place with a right claim; *judged: with a truth. */
static size_t right_groups(const struct judge_answer *answer, const char *on,
			   size_t *judged)
{
	struct group g = { NULL, 0 };
	size_t n = 0;

	*judged = 0;
	while (next_group(answer, &g))
		if (!strcmp(g.claim->on, on)) {
			*judged += g.claim->ranked != 0;
			n += count(&g, "holds") != 0;
		}
	return n;
}

/* First group of a place: sums up four or more right quantities. */
static bool append_many_right(const struct judge_answer *answer,
			      const char *on, const char *before,
			      struct phrase *out)
{
	size_t judged, right = right_groups(answer, on, &judged);

	if (right < 4)
		return false;
	if (strcmp(before, on))
		phrase_add(out, "%son %s, %zu of %zu quantities have a formula "
			   "that is right", out->used ? "; " : "", on, right,
			   judged);
	return true;
}

static void append_groups(const struct judge_answer *answer, bool brief,
		       struct phrase *out)
{
	struct group g = { NULL, 0 };
	const char *on = "";

	while (next_group(answer, &g)) {
		const char *here = g.claim->on;
		const bool many = append_many_right(answer, here, on, out);
		const bool open = append_open(answer, here, strcmp(on, here),
					      out);

		if (g.claim->ranked ? !many || !count(&g, "holds") : !open)
			append_group(out, &g, brief, many || open ? here : on);
		on = here;
	}
}

void judge_answer_sentence(const struct judge_answer *answer, bool interrupted,
		      struct phrase *out)
{
	struct group g = { NULL, 0 };
	unsigned judged = 0;

	while (next_group(answer, &g))
		judged += g.claim->ranked;
	if (places(answer) > 2)
		append_places(answer, out);
	else
		append_groups(answer, judged > 1, out);
	if (answer->violated)
		phrase_add(out, "%sthe counts break %u law%s between events",
			   out->used ? "; " : "", answer->violated,
			   answer->violated == 1 ? "" : "s");
	if (interrupted)
		phrase_add(out, out->used ? "; interrupted before the rest was "
			   "judged" : "interrupted before anything was judged");
}

void judge_answer_titles(const struct judge_answer *answer, struct phrase *out)
{
	const struct judged_claim *all = answer->claim;

	for (size_t i = 0; i < answer->claims; i++)
		if (is_pie(&all[i]) && !strcmp(all[i].on, all[0].on))
			phrase_add(out, "\n  %s: %s", all[i].name,
				   all[i].title);
}
