/* SPDX-License-Identifier: MIT */
/*
 * The end of each judged place, and the summary of all places: on which of them
 * each claim holds.
 */
#include "hypotheses/judging.h"

#include <stdio.h>
#include <string.h>

#include "base/row.h"
#include "base/text.h"

static void add_place(char *out, size_t room, const char *place)
{
	size_t used = strlen(out);

	snprintf(out + used, room - used, "%s%s", used ? ", " : "", place);
}

static struct score *score_of(struct judging_run *c,
			      const struct ranked_claim *claim)
{
	for (unsigned i = 0; i < c->scores; i++)
		if (c->score[i].file == claim->file &&
		    strcmp(c->score[i].name, claim->name) == 0)
			return &c->score[i];
	c->score[c->scores] = (struct score){ .file = claim->file };
	text_copy(c->score[c->scores].name, sizeof(c->score[0].name),
		  claim->name);
	return &c->score[c->scores++];
}

static void keep_scores(struct judging_run *c)
{
	const char *place = strncmp(c->where, "sim:", 4) ? c->where :
							   c->where + 4;

	for (unsigned i = 0; i < c->ranking.claims; i++) {
		const struct ranked_claim *claim = &c->ranking.claim[i];
		struct score *s = score_of(c, claim);

		if (claim->judged && !claim->fails)
			add_place(s->holds, sizeof(s->holds), place);
		else if (claim->rank == 1)
			add_place(s->best, sizeof(s->best), place);
		if (claim->false_zero)
			add_place(s->zero, sizeof(s->zero), place);
	}
}

/* Which claim holds on which CPU, once all were judged. */
int judging_summary(const struct judging_run *c)
{
	int rc = 0;

	for (unsigned i = 0; i < c->scores && rc == 0; i++) {
		const struct score *s = &c->score[i];
		const struct assay_field field[] = {
			field_text("file", s->file->name),
			field_text("claim", s->name),
			field_text("holds on", s->holds),
			field_text("least wrong on", s->best),
			field_text("false zero on", s->zero),
		};

		rc = row_emit(c->judging->row, c->judging->ctx, "summary",
			      field, 5);
	}
	return rc;
}

int judging_finish(struct judging_run *c)
{
	ranking_sort(&c->ranking);
	c->judged += ranking_judged(&c->ranking);
	keep_scores(c);
	return ranking_rows(&c->ranking);
}
