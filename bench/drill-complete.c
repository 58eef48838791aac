/* SPDX-License-Identifier: MIT */
/* Runs of the whole of verify. */
#include <stdio.h>
#include <string.h>

#include "run/handle.h"
#include "base/text.h"
#include "cpus/cpu.h"
#include "drill.h"

struct seen {
	struct drill *d;
	const char *on, *map, *liar;
	unsigned lent;		/* counters that were found */
	bool named, nothing;	/* nothing: the liar only ever counted 0, or
				 * counts pages of another size */
};

static int see(void *ctx, const struct assay_row *row)
{
	struct seen *s = ctx;
	int class_;

	if (strcmp(row->type, "finding") == 0 && s->liar) {
		s->lent = (unsigned)row->field[2].count;
		return 0;
	}
	if (strcmp(row->type, "finding") == 0 ||
	    (strcmp(row->type, "identity") == 0 && !s->liar))
		s->d->score.free_accused++;
	if (strcmp(row->type, "event") != 0)
		return 0;
	class_ = assay_class_find(row->field[1].text);
	if (s->liar && strcmp(row->field[0].text, s->liar) == 0) {
		s->named = class_ == ASSAY_CLASS_PROPORTIONAL;
		s->nothing = class_ == ASSAY_CLASS_INCONCLUSIVE ||
			     class_ == ASSAY_CLASS_UNAVAILABLE;
		return 0;
	}
	s->d->score.free_events++;
	if (class_ >= 0 && !accuses((enum assay_class)class_))
		return 0;
	s->d->score.free_accused++;
	printf("false accusation: %s [%s, seed %u] %s: %s\n", s->on, s->map,
	       s->d->base->seed, row->field[0].text, row->field[2].text);
	return 0;
}

static int verify(struct drill *d, struct seen *s, const char *events)
{
	struct assay_error err = { .code = 0 };
	unsigned disagreements;
	const struct assay_verification ask = {
		.on = s->on, .page_map = s->map, .effort = ASSAY_QUICK,
		.seed = d->base->seed, .events = events };
	int rc = assay_verify(d->assay, &ask, see, s, &disagreements, &err);

	if (rc < 0)
		fprintf(stderr, "drill: %s: %s\n", s->on, err.text);
	return rc;
}

int drill_free(struct drill *d, const char *cpu, unsigned n)
{
	char on[128], map[32];
	struct seen s = { .d = d, .on = on, .map = map };

	snprintf(on, sizeof(on), "sim:%.100s", cpu);
	draw_map(d, n, map, sizeof(map));
	d->score.free_runs++;
	return verify(d, &s, NULL);
}

/* Fewer counters than there are, and of some events one that counts twice. */
int drill_lent(struct drill *d, const char *cpu)
{
	char on[512], map[32], list[8 * ASSAY_NAME] = "", liar[ASSAY_NAME];
	struct seen s = { .d = d, .on = on, .map = map, .liar = liar };
	unsigned lent, all;
	int rc;

	memset(d->base, 0, sizeof(*d->base));
	snprintf(on, sizeof(on), "sim:%.100s", cpu);
	rc = target_init(&d->base->target, d->assay, on, NULL, false, NULL);
	if (rc < 0)
		return rc;
	all = d->base->target.cpu->counters;
	lent = all > 1 ? 1 + (unsigned)draw(d, all - 1) : 1;
	for (int i = 0; i < 6; i++) {
		text_copy(liar, sizeof(liar), draw_event(d)->name);
		snprintf(list + strlen(list), sizeof(list) - strlen(list),
			 "%s%s", i ? "," : "", liar);
	}
	target_fini(&d->base->target);
	snprintf(on, sizeof(on), "sim:%.100s,fault=counters=%u,fault=double:%s",
		 cpu, lent, liar);
	draw_map(d, 1, map, sizeof(map));
	rc = verify(d, &s, list);
	d->score.lent++;
	if (rc == 0 && (s.named || s.nothing) &&
	    s.lent == (lent < all ? lent : 0))
		return 0;
	d->score.lent_missed++;
	printf("missed: %s [%s]: %u counters found, %s %snamed\n", on, map,
	       s.lent, liar, s.named ? "" : "not ");
	return rc;
}
