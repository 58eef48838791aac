/* SPDX-License-Identifier: MIT */
/* Finds passes, compares them, and leaves out what repeats.h allows. */
#include "sim/lean.h"
#include "sim/periods.h"
#include "sim/repeats.h"

static uint32_t least(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

static size_t l1d_entries(const struct sim *s)
{
	const struct level *l = &s->cache[PLACE_L1D].lines;

	return (size_t)l->sets * l->stride;
}

/* A look at L1D is not to take longer than a pass. */
static uint32_t least_length(const struct sim *s)
{
	const size_t entries = l1d_entries(s);

	return entries > REPEATS_LEAST ? (uint32_t)entries : REPEATS_LEAST;
}

/* Small caches need not pay for long passes. */
static uint32_t most_steps(const struct sim *s)
{
	size_t most = REPEATS_MOST_LEAST, lines;

	for (int at = 0; at < CACHES; at++) {
		lines = (size_t)s->cache[at].lines.sets *
			s->cache[at].lines.ways;
		if (s->cache[at].present && REPEATS_LINES * lines > most)
			most = REPEATS_LINES * lines;
	}
	return most < REPEATS_MOST ? (uint32_t)most : REPEATS_MOST;
}

struct repeats *repeats_build(const struct sim *s, struct carve *c)
{
	struct repeats shell, *in_place, *r;

	if (!lean_plain(s) || l1d_entries(s) > REPEATS_MOST / 8)
		return NULL;
	in_place = carve_take(c, sizeof(*in_place));
	r = in_place ? in_place : &shell;
	words_clear(r, sizeof(*r));
	r->most = most_steps(s);
	r->past = carve_take(c, r->most * sizeof(*r->past));
	r->l1d = carve_take(c, l1d_entries(s) * sizeof(*r->l1d));
	return in_place;
}

/* words */

static void copy(uint32_t *to, const uint32_t *from, uint32_t n)
{
	words_copy(to, from, n * sizeof(*to));
}

static uint32_t leading_same(const struct sim *s, const uint32_t *a,
			     const uint32_t *b, uint32_t n)
{
	return s->lean->same(a, b, n);
}

/* Where `like` begins again, from `i` on; or n. */
static uint32_t find_like(const struct sim *s, const uint32_t *like,
			  const uint32_t *key, uint32_t i, uint32_t n)
{
	while (i + REPEATS_LIKE <= n) {
		i += s->lean->find(key + i, n - i, *like);
		if (i + REPEATS_LIKE <= n &&
		    leading_same(s, like, key + i, REPEATS_LIKE) ==
		    REPEATS_LIKE)
			return i;
		i++;
	}
	return n;
}

/* simulating */

/* As they are; counted in n[]. */
static void simulate(struct sim *s, const uint32_t *key, uint32_t steps,
		     uint64_t *n)
{
	uint32_t of[STEP_WALK + 1], now;

	for (; steps; key += now, steps -= now) {
		now = least(steps, STEPS);
		s->lean->kinds(key, now, of);
		s->repeats->disturbed += lean_take(s, key, now, of, n);
	}
}

static void add(uint64_t *sum, const uint64_t *n)
{
	for (int i = 0; i < SIGNALS; i++)
		sum[i] += n[i];
}

static void add_times(uint64_t *sum, const uint64_t *n, uint64_t times)
{
	for (int i = 0; times && i < SIGNALS; i++)
		sum[i] += n[i] * times;
}

static void count_anew(struct repeats *r)
{
	words_clear(r->count, sizeof(r->count));
	r->disturbed = 0;
}

/* This pass, as far as it is. */
static void simulate_pass(struct sim *s)
{
	struct repeats *r = s->repeats;
	const uint32_t done = r->length - r->left;
	const uint32_t wrapped = done > r->at ? done - r->at : 0;

	simulate(s, r->past + r->length - wrapped, wrapped, r->count);
	simulate(s, r->past + r->at - (done - wrapped), done - wrapped,
		 r->count);
}

/* What was put off is counted, or simulated: it is no whole pass. */
static void catch_up(struct sim *s)
{
	struct repeats *r = s->repeats;

	if (!r->put_off)
		return;
	add_times(s->total, r->count, r->passes);
	r->passes = 0;
	r->put_off = false;
	count_anew(r);
	simulate_pass(s);
}

/* A pass begins here. */
static void begin_pass(struct sim *s)
{
	struct repeats *r = s->repeats;

	catch_up(s);
	add(s->total, r->count);
	count_anew(r);
	r->alike = false;
	r->left = r->length;
}

void repeats_settle(struct sim *s)
{
	if (s->repeats && s->repeats->length)
		begin_pass(s);
}

/* looking for a pass */

static void look_again(struct repeats *r)
{
	r->length = 0;
	r->liked = false;
	r->idle = r->most * r->tries;
	r->tries += r->tries < 15;
}

void repeats_reset(struct repeats *r)
{
	if (!r)
		return;
	r->tries = 0;
	r->put_off = false;
	r->passes = r->left_out = 0;
	count_anew(r);
	look_again(r);
}

static void begin_passes(struct repeats *r, uint32_t length)
{
	r->length = r->left = length;
	r->at = r->steady = r->differed = 0;
	r->alike = false;
	r->patience = REPEATS_PATIENCE;
}

/* Where the second pass begins; or n: it is not known. */
static uint32_t find_pass(const struct sim *s, const uint32_t *key, uint32_t n)
{
	struct repeats *r = s->repeats;
	const uint32_t least_at = least_length(s);
	uint32_t at;

	if (r->idle) {
		r->idle -= least(n, r->idle);
		return n;
	}
	if (!r->liked) {
		if (n < REPEATS_LIKE)
			return n;
		copy(r->like, key, REPEATS_LIKE);
		r->liked = true;
		r->since = 0;
	}
	at = find_like(s, r->like, key,
		       least_at > r->since ? least_at - r->since : 0, n);
	r->since += at;
	if (r->since > r->most) {
		look_again(r);
		return n;
	}
	if (at < n)
		begin_passes(r, r->since);
	return at;
}

/* passes */

/* Does the next one count as this one has? See repeats.h. */
static bool settled(const struct sim *s)
{
	const struct repeats *r = s->repeats;

	return r->steady && (!r->disturbed || (!s->trains[2] &&
			     r->steady >= REPEATS_SETTLED));
}

/* One that was simulated. */
static void end_simulated(struct sim *s)
{
	const uint32_t *entry = s->cache[PLACE_L1D].lines.entry;
	const uint32_t entries = (uint32_t)l1d_entries(s);
	struct repeats *r = s->repeats;

	r->steady = r->alike && leading_same(s, r->l1d, entry, entries) ==
		    entries ? r->steady + 1 : 0;
	if (!r->steady)
		copy(r->l1d, entry, entries);
	add(s->total, r->count);
	r->put_off = settled(s);
	if (r->put_off)
		return;
	count_anew(r);
	if (!r->patience--)
		look_again(r);
}

static void end_put_off(struct repeats *r)
{
	r->passes++;
	r->left_out += r->length;
	r->patience = REPEATS_PATIENCE;
	r->tries = 0;
}

static void end_pass(struct sim *s)
{
	struct repeats *r = s->repeats;

	if (r->alike)
		r->differed = 0;
	if (r->put_off)
		end_put_off(r);
	else
		end_simulated(s);
	r->alike = true;
	r->left = r->length;
}

/*
 * The next step is not as in the last pass. What follows may well be done once
 * more, so that a pass should begin where they differ: here, if that is late in
 * this one; and where the last one has differed, if this one does so earlier.
 */
static void differ(struct sim *s)
{
	struct repeats *r = s->repeats;
	const uint32_t done = r->length - r->left;
	const bool late = done > r->length / 8, earlier = done < r->differed;

	catch_up(s);
	r->alike = false;
	if (late || earlier)
		begin_pass(s);
	if (earlier)
		r->left = r->differed - done;
	r->differed = late || earlier ? 0 : done;
}

/* Some of the n next steps; returns how many. */
static uint32_t go_on(struct sim *s, const uint32_t *key, uint32_t n)
{
	struct repeats *r = s->repeats;
	uint32_t now = least(n, least(r->left, r->length - r->at));
	uint32_t *past = r->past + r->at;

	if (r->alike)
		now = leading_same(s, past, key, now);
	if (!now) {
		differ(s);
		return 0;
	}
	if (!r->put_off)
		simulate(s, key, now, r->count);
	if (!r->alike)
		copy(past, key, now);
	r->at = r->at + now < r->length ? r->at + now : 0;
	r->left -= now;
	if (!r->left)
		end_pass(s);
	return now;
}

static void pass_by(struct sim *s, const struct steps *steps)
{
	const uint32_t *key = steps->key, n = steps->count;
	uint32_t at = 0;

	if (!s->repeats->length) {
		at = find_pass(s, key, n);
		if (at == n) {
			lean_take(s, key, n, steps->of, s->total);
			return;
		}
		simulate(s, key, at, s->total);
	}
	while (at < n && s->repeats->length)
		at += go_on(s, key + at, n - at);
	simulate(s, key + at, n - at, s->total);
}

void repeats_take(struct sim *s, const struct steps *steps)
{
	if (s->repeats && !s->periods->off && !s->watched)
		pass_by(s, steps);
	else
		lean_take(s, steps->key, steps->count, steps->of, s->total);
}

uint64_t sim_left_out(const struct sim *sim)
{
	return sim->repeats ? sim->repeats->left_out : 0;
}
