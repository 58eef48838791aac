/* SPDX-License-Identifier: MIT */
/* Runs of a kernel: do the counts agree, and how long does an access take? */
#include <stdio.h>

#include "base/text.h"
#include "cli/answers/answers.h"

static void count_verdict(struct run_answer *answer,
			  enum assay_verdict verdict, const char *name,
			  const char *shape)
{
	answer->verdicts[verdict]++;
	if (verdict == ASSAY_DISAGREES &&
	    answer->verdicts[ASSAY_DISAGREES] == 1)
		snprintf(answer->disagrees, sizeof(answer->disagrees),
			 "%.80s%s%.100s", name, *shape ? " at " : "", shape);
}

static void keep_pace(struct run_pace *pace, const struct assay_result *r,
		      const char *shape)
{
	pace->ns = r->ns_per_access.number;
	pace->cycles = r->cycles_per_access;
	text_copy(pace->at, sizeof(pace->at), shape);
}

void run_answer_add(struct run_answer *answer, const struct assay_result *r,
		    const char *shape)
{
	for (size_t i = 0; i < r->compareds; i++)
		count_verdict(answer, r->compared[i].verdict,
			      assay_quantity_name(r->compared[i].quantity),
			      shape);
	for (size_t i = 0; i < r->slopes; i++)
		count_verdict(answer, r->slope[i].verdict, r->slope[i].name,
			      shape);
	if (!r->record)
		answer->predicted += r->expectation->rows;
	for (unsigned e = 0; r->record && !r->timing && e < r->record->events;
	     e++)
		answer->counted += !assay_record_value(r->record, e).why;
	answer->total = r->total;
	answer->runs++;
	if (r->ns_per_access.why)
		return;
	if (!answer->timed || r->ns_per_access.number < answer->fast.ns)
		keep_pace(&answer->fast, r, shape);
	if (!answer->timed || r->ns_per_access.number > answer->slow.ns)
		keep_pace(&answer->slow, r, shape);
	answer->timed = true;
}

/* Returns whether a count was compared or at least there. */
static bool add_verdicts(const struct run_answer *a, struct phrase *out)
{
	const unsigned agree = a->verdicts[ASSAY_AGREES],
		       disagree = a->verdicts[ASSAY_DISAGREES];

	if (disagree)
		phrase_add(out, "%u of %u comparisons with what is predicted "
			   "disagree, first: %s", disagree, agree + disagree,
			   a->disagrees);
	else if (agree > 1)
		phrase_add(out, "all %u comparisons with what is predicted "
			   "agree", agree);
	else if (agree)
		phrase_add(out, "what was counted agrees with what is "
			   "predicted");
	else if (a->counted)
		phrase_add(out, "%u count%s, without a prediction to compare "
			   "with", a->counted, a->counted == 1 ? "" : "s");
	if (a->verdicts[ASSAY_INCONCLUSIVE])
		phrase_add(out, "%s%u comparison%s inconclusive",
			   out->used ? "; " : "",
			   a->verdicts[ASSAY_INCONCLUSIVE],
			   a->verdicts[ASSAY_INCONCLUSIVE] == 1 ? " is" :
			   "s are");
	return agree || disagree || a->counted ||
	       a->verdicts[ASSAY_INCONCLUSIVE];
}

static void add_pace(const struct run_pace *pace, struct phrase *out)
{
	phrase_add(out, "%.2f ns", pace->ns);
	if (!pace->cycles.why)
		phrase_add(out, " (%s%.1f core cycles%s%s)",
			   pace->cycles.estimate ? "~" : "",
			   pace->cycles.number, *pace->at ? "; " : "",
			   pace->at);
	else if (*pace->at)
		phrase_add(out, " (%s)", pace->at);
}

static void add_paces(const struct run_answer *a, struct phrase *out)
{
	phrase_add(out, "an access takes ");
	add_pace(&a->fast, out);
	if (a->slow.ns > a->fast.ns) {
		phrase_add(out, " to ");
		add_pace(&a->slow, out);
	}
}

void run_answer_sentence(const struct run_answer *answer, struct phrase *out)
{
	struct phrase verdicts = { .used = 0 };
	const bool counts = add_verdicts(answer, &verdicts);

	if (!answer->runs)
		phrase_add(out, "interrupted before anything was run");
	else if (answer->runs < answer->total && answer->total > 1)
		phrase_add(out, "after %u of %u runs: ", answer->runs,
			   answer->total);
	else if (answer->runs > 1 && !answer->predicted)
		phrase_add(out, "%u runs: ", answer->runs);
	if (answer->predicted)
		phrase_add(out, "%u quantities are predicted; nothing was run",
			   answer->predicted);
	if (counts)
		phrase_add(out, "%s", verdicts.text);
	if (answer->timed && counts)
		phrase_add(out, "; ");
	if (answer->timed)
		add_paces(answer, out);
	else if (answer->runs && !counts && !answer->predicted)
		phrase_add(out, "nothing was counted: name events with -e or "
			   "formulas with --formulas");
}
