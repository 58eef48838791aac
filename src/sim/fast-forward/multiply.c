/* SPDX-License-Identifier: MIT */
/* Counts by period, and puts every unit into its final state. */
#include "sim/fast-forward/periods.h"

/* images */

static void copy_set(uint32_t *entry, const uint32_t *from_entry,
		     uint64_t *word, const uint64_t *from_word,
		     const struct level *l, uint32_t set)
{
	for (uint32_t w = 0; w < l->stride; w++)
		entry[(size_t)set * l->stride + w] =
			from_entry[(size_t)set * l->stride + w];
	for (uint32_t w = 0; w < l->words; w++)
		word[(size_t)set * l->words + w] =
			from_word[(size_t)set * l->words + w];
}

/* Saves the sets of units that are now as they will be at the end. */
static void save(struct sim *s, enum place at, const uint16_t *period,
		 uint32_t units)
{
	const struct periods *p = s->periods;
	const struct level *l = &s->cache[at].lines;
	const struct image *to = &p->image[at];

	if (!s->cache[at].present)
		return;
	for (uint32_t set = 0; set < l->sets; set++)
		if (p->span % period[set % units] == p->done)
			copy_set(to->entry, l->entry, to->word, l->word, l,
				 set);
}

static void save_all(struct sim *s)
{
	const struct periods *p = s->periods;

	save(s, PLACE_L1D, p->near_period, p->near_units);
	save(s, PLACE_L1I, p->near_period, p->near_units);
	save(s, PLACE_L2, p->far_period, p->far_units);
	save(s, PLACE_L3, p->far_period, p->far_units);
}

static void restore_all(struct sim *s)
{
	for (int at = 0; at < CACHES; at++) {
		const struct level *l = &s->cache[at].lines;
		const struct image *from = &s->periods->image[at];

		if (s->cache[at].present)
			for (uint32_t set = 0; set < l->sets; set++)
				copy_set(l->entry, from->entry, l->word,
					 from->word, l, set);
	}
}

/* groups */

/* The group of a period; GROUPS if there is none left. */
static uint32_t group_of(struct periods *p, uint32_t period)
{
	uint32_t g = 0;

	while (g < p->groups && p->group_period[g] != period)
		g++;
	if (g == p->groups && g < GROUPS) {
		p->group_period[g] = period;
		p->groups++;
	}
	return g;
}

static bool group_units(struct periods *p, const uint16_t *period,
			uint8_t *group, uint32_t units)
{
	for (uint32_t u = 0; u < units; u++) {
		const uint32_t g = group_of(p, period[u]);

		if (g == GROUPS)
			return false;
		group[u] = (uint8_t)g;
	}
	return true;
}

bool multiply_start(struct sim *s, uint64_t left)
{
	struct periods *p = s->periods;

	p->groups = 0;
	group_of(p, p->core_period);	/* 0 */
	if (!group_units(p, p->near_period, p->near_group, p->near_units) ||
	    !group_units(p, p->far_period, p->far_group, p->far_units))
		return false;
	words_clear(p->extra, sizeof(p->extra));
	p->span = left - left % p->core_period;
	p->done = 0;
	p->multiplying = true;
	s->grouped = true;
	s->core = p->count[0];
	p->pictured = false;
	save_all(s);
	return true;
}

/* Of `span` passes, how many are like pass `done` of a period's first. */
static uint64_t weight(const struct periods *p, uint32_t period)
{
	return p->done < period ? (p->span - p->done - 1) / period + 1 : 0;
}

static void collect(struct sim *s)
{
	struct periods *p = s->periods;

	for (uint32_t g = 0; g < p->groups; g++) {
		const uint64_t more = weight(p, p->group_period[g]) - 1;

		for (int i = 0; i < SIGNALS; i++) {
			s->total[i] += p->count[g][i];
			p->extra[i] += more * p->count[g][i];
			p->count[g][i] = 0;
		}
	}
}

static void stop(struct sim *s)
{
	s->periods->multiplying = false;
	s->periods->trial = false;
	s->grouped = false;
	s->core = s->total;
}

/* The rows of a trial have shown other periods: the search goes on. */
static bool refuted(struct sim *s)
{
	struct periods *p = s->periods;

	p->known = !p->trial || periods_proven(p);
	return !p->known;
}

uint64_t multiply_pass(struct sim *s)
{
	struct periods *p = s->periods;
	uint64_t skipped;

	collect(s);
	p->done++;
	save_all(s);
	if (p->trial)
		periods_add_row(s);
	if (p->done < p->most)
		return 0;
	if (refuted(s)) {
		stop(s);
		words_copy(p->before, s->total, sizeof(p->before));
		return 0;
	}
	for (int i = 0; i < SIGNALS; i++)
		s->total[i] += p->extra[i];
	restore_all(s);
	skipped = p->span - p->most;
	p->fast_forwarded += skipped;
	stop(s);
	periods_reset(p);
	return skipped;
}

void multiply_cancel(struct sim *s)
{
	collect(s);
	stop(s);
}
