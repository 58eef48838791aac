/* SPDX-License-Identifier: MIT */
/* One set of any policy: what is alike stays so, and is turned as it turns. */
#include "check.h"
#include "draw.h"

#include "sim/model/policy.h"
#include "sim/fast-forward/turn.h"

#define SETS 6000
#define MOST_LINES 96
#define MOST_PERIOD 40
#define MOST_BYTES 8192

static uint64_t seed;

static uint32_t draw(uint32_t below)
{
	return (uint32_t)((draw_next(&seed) >> 11) % below);
}

struct pass {
	uint32_t lines;
	uint32_t key[MOST_LINES];
};

static uint32_t draw_ways(enum replacement policy)
{
	if (policy == REPLACE_TREE_PLRU)
		return (1 + 2 * draw(4)) << draw(4);
	return 1 + draw(policy == REPLACE_BIT_PLRU && !draw(5) ? 64 : 20);
}

static void build(struct level *l, struct image *then, unsigned char *memory)
{
	enum replacement policy = draw(3) ? (enum replacement)draw(REPLACEMENTS)
					  : REPLACE_TREE_PLRU;
	struct level_shape shape = { 1, 1, draw_ways(policy), policy,
				     COLD_INVALID_FIRST };
	struct carve carve = { memory, 0 };

	memset(l, 0, sizeof(*l));
	assert_null(level_refusal(&shape));
	level_build(l, &shape, &carve);
	image_build(then, l, &carve);
	assert_true(carve.used <= MOST_BYTES);
	level_reset(l, seed);
}

static uint32_t find(const struct level *l, uint32_t key)
{
	uint32_t way = 0;

	while (way < l->ways && (l->entry[way] | LEVEL_DIRTY) !=
				(key | LEVEL_DIRTY))
		way++;
	return way;
}

static void renew(const struct level *l, uint32_t way, uint32_t entry)
{
	for (; way; way--)
		l->entry[way] = l->entry[way - 1];
	l->entry[0] = entry;
}

/* Returns whether it was there. */
static bool use(const struct level *l, uint32_t key)
{
	uint32_t way = find(l, key);
	const bool hit = way < l->ways;

	if (!hit)
		way = find(l, LEVEL_EMPTY);
	if (l->is->ordered) {
		if (way == l->ways)
			way--;
		if (!hit || l->policy == REPLACE_LRU)
			renew(l, way, key);
		return hit;
	}
	if (way == l->ways)
		way = policy_victim(l, 0);
	if (hit)
		policy_hit(l, 0, way);
	else
		policy_fill(l, 0, way);
	l->entry[way] = key;
	return hit;
}

/* Lines in turn, more than there are ways or not; some twice. */
static void draw_pass(struct pass *p, uint32_t ways)
{
	const uint32_t again = draw(3) ? 0 : 1 + draw(6);
	const uint32_t lines = 1 + draw(draw(2) ? 2 * ways + 8 : MOST_LINES);
	uint32_t line = 0;

	p->lines = lines < MOST_LINES ? lines : MOST_LINES;
	for (uint32_t i = 0; i < p->lines; i++) {
		p->key[i] = line << 3 | draw(2);
		if (again && !draw(again))
			line -= line ? draw(line) : 0;
		else
			line++;
	}
}

static bool repeat(const struct level *l, const struct pass *p,
		   uint32_t passes)
{
	bool hit = false;

	for (; passes; passes--)
		for (uint32_t i = 0; i < p->lines; i++)
			hit |= use(l, p->key[i]);
	return hit;
}

static bool equal(const struct level *l, const struct image *to)
{
	return !memcmp(l->entry, to->entry, l->ways * 4) &&
	       !memcmp(l->word, to->word, l->words * 8);
}

static void exchange(const struct level *l, const struct image *with)
{
	for (uint32_t w = 0; w < l->ways; w++) {
		const uint32_t entry = l->entry[w];

		l->entry[w] = with->entry[w];
		with->entry[w] = entry;
	}
	for (uint32_t w = 0; w < l->words; w++) {
		const uint64_t word = l->word[w];

		l->word[w] = with->word[w];
		with->word[w] = word;
	}
}

/* Is it alike to the image, and is that so for ever? Counts those that have
 * turned, by whether lines were used again. */
static bool turned(const struct level *l, const struct image *then,
		   const struct pass *p, uint32_t period, bool used,
		   unsigned *count)
{
	const enum turn_by by = used ? TURN_BY_USES : TURN_BY_FILLS;
	unsigned char memory[MOST_BYTES] __attribute__((aligned(64)));
	struct carve carve = { memory, 0 };
	const uint32_t times = draw(50);
	struct image now;

	assert_int_equal(turn_alike(l, then, TURN_BY_ANYTHING),
			 equal(l, then));
	if (!turn_alike(l, then, by))
		return false;
	count[used] += !equal(l, then);
	image_build(&now, l, &carve);
	image_take(&now, l);
	repeat(l, p, times * period);
	exchange(l, &now);
	turn_on(l, then, by, times);
	if (!equal(l, &now))
		fail_msg("policy %d, %u ways, %u lines, %u times %u passes",
			 l->policy, l->ways, p->lines, times, period);
	return true;
}

static void alike_sets_go_on_alike(void **state)
{
	unsigned char memory[MOST_BYTES] __attribute__((aligned(64)));
	unsigned alike = 0, count[2] = { 0, 0 };

	(void)state;
	for (unsigned n = 0; n < SETS; n++) {
		struct image then;
		struct level l;
		struct pass p;
		bool used = false;

		seed = (n + 1) * UINT64_C(0x9e3779b97f4a7c15);
		build(&l, &then, memory);
		draw_pass(&p, l.ways);
		repeat(&l, &p, draw(4));
		image_take(&then, &l);
		for (uint32_t i = 1; i <= MOST_PERIOD; i++) {
			used |= repeat(&l, &p, 1);
			if (!turned(&l, &then, &p, i, used, count))
				continue;
			alike++;
			break;
		}
	}
	print_message("%u of %d sets were alike; turned %u, and %u with hits\n",
		      alike, SETS, count[0], count[1]);
	assert_true(alike > SETS / 2);
	assert_true(count[0] > SETS / 6);
	assert_true(count[1] > SETS / 100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(alike_sets_go_on_alike),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
