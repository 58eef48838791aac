/* SPDX-License-Identifier: MIT */
/* Finds the periods; see periods.h for why what is found must go on. */
#include "sim/fast-forward/periods.h"

static uint32_t sets_of(const struct sim *s, enum place at)
{
	return s->cache[at].present ? s->cache[at].lines.per_slice : 0;
}

/* The largest divisor that is at most `most`, by dropping small factors. */
static uint32_t divisor(uint32_t units, uint32_t most)
{
	uint32_t factor = 2;

	while (units > most) {
		while (units % factor)
			factor++;
		units /= factor;
	}
	return units;
}

static void choose_units(struct periods *p, const struct sim *s)
{
	const uint32_t near = words_gcd(sets_of(s, PLACE_L1D),
					sets_of(s, PLACE_L1I));
	const uint32_t far = words_gcd(sets_of(s, PLACE_L2),
				       sets_of(s, PLACE_L3));

	p->far_units = divisor(far ? far : near, PERIODS_UNITS);
	p->near_units = words_gcd(near, p->far_units);
	p->near_reciprocal = UINT64_MAX / p->near_units + 1;
	p->far_reciprocal = UINT64_MAX / p->far_units + 1;
}

/* line mod units, by Lemire, Kaser, Kurz: exact for 32 bits. */
static inline uint32_t unit_of(uint32_t line, uint64_t reciprocal,
			       uint32_t units)
{
	return (uint32_t)((unsigned __int128)(reciprocal * line) * units >> 64);
}

static void build_images(struct periods *p, const struct sim *s,
			 struct carve *c)
{
	for (int at = 0; at < CACHES; at++)
		if (s->cache[at].present)
			image_build(&p->image[at], &s->cache[at].lines, c);
}

/* Does a set's next state depend on sets of other columns? */
static bool any_coupled(const struct sim *s)
{
	const struct level *const levels[] = {
		&s->cache[PLACE_L1D].lines, &s->cache[PLACE_L1I].lines,
		&s->cache[PLACE_L2].lines, &s->cache[PLACE_L3].lines, &s->dtlb,
		&s->store_dtlb, &s->itlb, &s->l2tlb, &s->l2itlb
	};

	for (size_t i = 0; i < sizeof(levels) / sizeof(*levels); i++)
		if (levels[i]->sets && levels[i]->is->level_words)
			return true;
	return s->cache[PLACE_L2].longer || s->cache[PLACE_L3].longer;
}

struct periods *periods_build(const struct sim *s, struct carve *c)
{
	struct periods *in_place = carve_take(c, sizeof(*in_place));
	struct periods shell, *p = in_place ? in_place : &shell;

	words_clear(p, sizeof(*p));
	choose_units(p, s);
	p->coupled = any_coupled(s);
	for (int at = 0; at < CACHES; at++)
		if (s->cache[at].present)
			p->row_cost += (uint64_t)s->cache[at].lines.sets *
				       PERIODS_SET_COST;
	p->core = carve_take(c, PERIODS_ROWS * 8);
	p->up_core = carve_take(c, PERIODS_ROWS * 8);
	p->up_near = carve_take(c, PERIODS_ROWS * 8);
	p->near = carve_take(c, (size_t)PERIODS_ROWS * p->near_units * 8);
	p->far = carve_take(c, (size_t)PERIODS_ROWS * p->far_units * 8);
	p->near_period = carve_take(c, p->near_units * 2);
	p->far_period = carve_take(c, p->far_units * 2);
	p->near_group = carve_take(c, p->near_units);
	p->far_group = carve_take(c, p->far_units);
	build_images(p, s, c);
	return in_place;
}

void periods_new_attempt(struct periods *p)
{
	p->rows = 0;
	words_clear(p->streak, sizeof(p->streak));
	words_clear(p->joint_streak, sizeof(p->joint_streak));
}

void periods_reset(struct periods *p)
{
	periods_new_attempt(p);
	p->idle = 0;
	p->gap = PERIODS_FIRST_GAP;
	p->written = 0;
}

uint64_t *periods_near(struct periods *p, uint32_t key)
{
	return p->count[p->near_group[unit_of(key >> 3, p->near_reciprocal,
					       p->near_units)]];
}

uint64_t *periods_far(struct periods *p, uint32_t key)
{
	return p->count[p->far_group[unit_of(key >> 3, p->far_reciprocal,
					      p->far_units)]];
}

/* the rows */

static void hash_cache(const struct sim *s, enum place at, uint64_t *unit,
		       uint32_t units)
{
	const struct level *l = &s->cache[at].lines;
	uint32_t u = 0;

	if (!s->cache[at].present)
		return;
	for (uint32_t set = 0; set < l->sets; set++) {
		unit[u] = words_hash(unit[u], level_hash(l, set));
		u = u + 1 == units ? 0 : u + 1;
	}
}

static uint64_t hash_tlb(const struct level *l, uint64_t hash)
{
	for (uint32_t set = 0; set < l->sets; set++)
		hash = words_hash(hash, level_hash(l, set));
	return hash;
}

uint64_t periods_hash_core(const struct sim *s)
{
	uint64_t hash = 0;

	if (s->has_dtlb)
		hash = hash_tlb(&s->dtlb, hash);
	if (s->split_dtlb)
		hash = hash_tlb(&s->store_dtlb, hash);
	if (s->has_itlb)
		hash = hash_tlb(&s->itlb, hash);
	if (s->second[0])
		hash = hash_tlb(s->second[0], hash);
	if (s->second[1] != s->second[0] && s->second[1])
		hash = hash_tlb(s->second[1], hash);
	return words_hash(hash, prefetchers_hash(s->prefetchers));
}

uint64_t periods_hash_predictor(const struct sim *s)
{
	const uint64_t hash = words_hash(s->loop_pc, s->loop_run);

	return words_hash(hash, predictor_hash(s->predictor));
}

static void count_streaks(struct periods *p, uint32_t row)
{
	for (uint32_t q = 1; q <= PERIODS_CORE && q <= row; q++) {
		const uint32_t then = row - q;
		const bool same = p->core[row] == p->core[then] &&
				  p->up_core[row] == p->up_core[then];

		p->joint_streak[q] = same ? p->joint_streak[q] + 1 : 0;
		p->streak[q] = same && p->up_near[row] == p->up_near[then] ?
			       p->streak[q] + 1 : 0;
	}
}

void periods_add_row(struct sim *s)
{
	struct periods *p = s->periods;
	const uint32_t row = p->rows++;
	uint64_t *near = p->near + (size_t)row * p->near_units;
	uint64_t *far = p->far + (size_t)row * p->far_units;

	p->core[row] = words_hash(periods_hash_core(s),
				  periods_hash_predictor(s));
	p->up_core[row] = s->message_core;
	p->up_near[row] = s->message_near;
	words_clear(near, p->near_units * 8);
	words_clear(far, p->far_units * 8);
	hash_cache(s, PLACE_L1D, near, p->near_units);
	hash_cache(s, PLACE_L1I, near, p->near_units);
	hash_cache(s, PLACE_L2, far, p->far_units);
	hash_cache(s, PLACE_L3, far, p->far_units);
	count_streaks(p, row);
}

/* the search */

/* The row that is compared with the one `period` earlier: the last one, or in
 * a trial that which makes the earlier one the first that was counted from. */
static size_t row_of(const struct periods *p, uint32_t period)
{
	return p->trial ? p->first + period : p->rows - 1;
}

static bool near_repeats(const struct periods *p, uint32_t unit,
			 uint32_t period)
{
	const uint64_t *now = p->near + row_of(p, period) * p->near_units;

	return now[unit] == now[unit - (size_t)period * p->near_units];
}

static bool far_repeats(const struct periods *p, uint32_t unit,
			uint32_t period)
{
	const uint64_t *now = p->far + row_of(p, period) * p->far_units;

	return now[unit] == now[unit - (size_t)period * p->far_units] &&
	       near_repeats(p, unit % p->near_units, period);
}

/* A near unit and everything behind it. */
static bool joint_repeats(const struct periods *p, uint32_t unit,
			  uint32_t period)
{
	bool same = true;

	for (uint32_t far = unit; same && far < p->far_units;
	     far += p->near_units)
		same = far_repeats(p, far, period);
	return same;
}

typedef bool repeats_fn(const struct periods *p, uint32_t unit,
			uint32_t period);

/* The shortest period of each unit; returns the longest, or 0 if one has none
 * up to `most`. */
static uint32_t find(const struct periods *p, repeats_fn *repeats,
		     uint16_t *period, uint32_t units, uint32_t most)
{
	const uint32_t q = p->core_period;
	uint32_t longest = 0;

	for (uint32_t u = 0; u < units; u++) {
		uint32_t n = q;

		while (n <= most && !repeats(p, u, n))
			n += q;
		if (n > most)
			return 0;
		period[u] = (uint16_t)n;
		longest = n > longest ? n : longest;
	}
	return longest;
}

/* Sets all periods; false if they are not known yet. A near unit's is at most
 * those of the far units behind it. */
static bool find_fine(struct periods *p)
{
	const uint32_t most = p->streak[p->core_period];

	p->most = find(p, far_repeats, p->far_period, p->far_units, most);
	if (p->most)
		find(p, near_repeats, p->near_period, p->near_units, most);
	return p->most;
}

static bool find_joint(struct periods *p)
{
	p->most = find(p, joint_repeats, p->near_period, p->near_units,
		       p->joint_streak[p->core_period]);
	for (uint32_t far = 0; p->most && far < p->far_units; far++)
		p->far_period[far] = p->near_period[far % p->near_units];
	return p->most;
}

bool periods_find(struct periods *p)
{
	p->known = false;
	for (uint32_t q = 1; q <= PERIODS_CORE; q++) {
		p->core_period = q;
		p->joint = !find_fine(p);
		if (!p->joint || find_joint(p))
			return true;
	}
	return false;
}

/* Does each of the units repeat with its period? */
static bool repeat(const struct periods *p, repeats_fn *repeats,
		   const uint16_t *period, uint32_t units)
{
	uint32_t u = 0;

	while (u < units && repeats(p, u, period[u]))
		u++;
	return u == units;
}

bool periods_proven(const struct periods *p)
{
	const uint32_t q = p->core_period;

	if (p->joint)
		return p->joint_streak[q] >= p->most &&
		       repeat(p, joint_repeats, p->near_period, p->near_units);
	return p->streak[q] >= p->most &&
	       repeat(p, near_repeats, p->near_period, p->near_units) &&
	       repeat(p, far_repeats, p->far_period, p->far_units);
}
