/* SPDX-License-Identifier: MIT */
/* Results of a ranking, as rows. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/terms.h"
#include "hypotheses/ranking.h"
#include "base/row.h"

#define FIELDS(array) array, sizeof(array) / sizeof(*(array))

static const char *about(const struct ranked_claim *claim)
{
	return claim->about == RANKING_ABOUT ? "pie" :
	       assay_quantity_name((enum assay_quantity)claim->about);
}

const char *ranking_level_name(const struct ranked_claim *claim, unsigned level)
{
	static const char *const names[PIE_PARTS] = { "L1", "L2", "L3", "DRAM",
						      "total" };

	return claim->hypothesis ? names[level] : about(claim);
}

static const char *verdict(const struct ranked_claim *claim)
{
	if (claim->judged)
		return claim->fails ? "fails" : "holds";
	if (claim->false_zero)
		return "false zero";
	if (!claim->shapes || claim->zeroed)
		return "absent";
	return claim->inconsistent ? "contradicts itself" : "not judged";
}

/* "tie with h4, h5r"; "needs LL_CACHE_MISS: not implemented" */
static void note(char *out, size_t room, const struct ranking *c,
		 const struct ranked_claim *claim)
{
	size_t used = 0;
	bool first = true;

	*out = '\0';
	for (unsigned i = 0; claim->tied && i < c->claims; i++) {
		const struct ranked_claim *other = &c->claim[i];

		if (other == claim || other->about != claim->about ||
		    other->rank != claim->rank || used >= room)
			continue;
		used += (size_t)snprintf(out + used, room - used, "%s%s",
					 first ? "tie with " : ", ",
					 other->name);
		first = false;
	}
	if (claim->zeroed && used < room)
		snprintf(out + used, room - used, "%s%s", first ? "" : "; ",
			 claim->why);
	else if (!claim->shapes && used < room)
		snprintf(out + used, room - used, "none of its events is "
			 "counted here");
}

static int emit_rank(const struct ranking *c,
		     const struct ranked_claim *claim)
{
	struct assay_value mean = { .why = "nothing says what is true here" };
	struct assay_value worst = mean, rank = mean;
	char text[300], good[40];

	if (claim->judged) {
		mean = plain_value(claim->sum / claim->judged);
		worst = plain_value(claim->worst);
		rank = plain_value(claim->rank);
	} else if (claim->zeroed) {
		mean.why = worst.why = rank.why = claim->why;
	}
	note(text, sizeof(text), c, claim);
	snprintf(good, sizeof(good), "%u of %u", claim->judged - claim->fails,
		 claim->judged);
	const struct assay_field field[] = {
		field_text("on", c->where), field_text("about", about(claim)),
		field_value("rank", rank),
		field_text("file", claim->file->name),
		field_text("claim", claim->name),
		field_text("verdict", verdict(claim)),
		field_text("shapes", claim->judged ? good : ""),
		field_share("mean error", mean),
		field_share("worst", worst), field_text("at", claim->at),
		field_value("said", claim->shapes ? claim->said :
			    (struct assay_value){ .why = "absent" }),
		field_text("note", text),
		field_text("title", claim->hypothesis ?
			   claim->hypothesis->title : claim->formula->text),
	};

	return row_emit(c->fn, c->ctx, "rank", FIELDS(field));
}

static int emit_level(const struct ranking *c,
		      const struct ranked_claim *claim, unsigned level)
{
	const struct ranked_level *l = &claim->level[level];
	char where[220];

	snprintf(where, sizeof(where), l->fails > 1 ? "%s .. %s" : "%s",
		 l->first, l->last);
	const struct assay_field field[] = {
		field_text("on", c->where),
		field_text("file", claim->file->name),
		field_text("claim", claim->name),
		field_text("level", ranking_level_name(claim, level)),
		field_count("fails", l->fails),
		field_count("shapes", l->judged),
		field_text("where", where), field_text("worst at", l->at),
		field_value("said", plain_value(l->said)),
		field_value("true", plain_value(l->right)),
		field_share("error", plain_value(l->worst)),
		field_text("because", l->because),
		field_text("by", l->by ? l->by : ""),
	};

	return row_emit(c->fn, c->ctx, "level", FIELDS(field));
}

int ranking_rows(const struct ranking *c)
{
	int rc = 0;

	for (unsigned i = 0; i < c->claims && rc == 0; i++)
		rc = emit_rank(c, &c->claim[i]);
	for (unsigned i = 0; i < c->claims; i++)
		for (unsigned l = 0; l < c->claim[i].levels && rc == 0; l++)
			if (c->claim[i].level[l].fails)
				rc = emit_level(c, &c->claim[i], l);
	return rc;
}

/* The reference: the first claim about the same quantity with a value. */
static const struct ranked_claim *reference(const struct ranking *c,
					     const struct ranked_claim *claim)
{
	for (const struct ranked_claim *r = c->claim; r < claim; r++)
		if (r->about == claim->about && r->formula && r->shapes &&
		    !r->zeroed && !r->said.why)
			return r;
	return NULL;
}

int ranking_differences(const struct ranking *c,
			const struct assay_record *record)
{
	double a[ASSAY_EVENTS], b[ASSAY_EVENTS];
	char by[400];
	int rc = 0;

	for (unsigned i = 1; i < c->claims && rc == 0; i++) {
		const struct ranked_claim *claim = &c->claim[i];
		const struct ranked_claim *r = reference(c, claim);

		if (!r || !claim->formula || !claim->shapes || claim->zeroed ||
		    claim->said.why || claim->file->events > ASSAY_EVENTS ||
		    r->file->events > ASSAY_EVENTS ||
		    !formula_weights(claim->file, claim->formula, record, a) ||
		    !formula_weights(r->file, r->formula, record, b))
			continue;
		formula_difference(by, sizeof(by), claim->file, a, r->file, b);
		const struct assay_field field[] = {
			field_text("on", c->where),
			field_text("claim", claim->name),
			field_text("than", r->name),
			field_value("more by", plain_value(
				    claim->said.number - r->said.number)),
			field_text("because of", by),
		};
		rc = row_emit(c->fn, c->ctx, "difference", FIELDS(field));
	}
	return rc;
}
