/* SPDX-License-Identifier: MIT */
/*
 * Every CPU file as loaded: it takes fast paths of the engine, which count what
 * the step-by-step path counts; and no fast path is there for no file.
 */
#include "check.h"
#include "draw.h"

#include "base/access.h"
#include "cpus/cpu.h"
#include "same-signals.h"
#include "sim/engine/engine.h"

#define RECORDS (1 << 15)
#define SPAN (UINT64_C(1) << 26)	/* of the data, in bytes */

static uint64_t seed;

static uint64_t draw(uint64_t below)
{
	return (draw_next(&seed) >> 11) % below;
}

/* How often each path was taken. */
static unsigned fronts[FRONT_OTHER + 1], by_misses[MISS_PATHS];
static unsigned code_ahead, far_l3, files;

static struct sim *build(const struct geometry *g)
{
	const char *why = NULL;
	const size_t bytes = (sim_bytes(g, &why) + 63) & ~(size_t)63;
	void *memory;

	if (!bytes)
		fail_msg("%s: refused: %s", g->name, why);
	memory = aligned_alloc(64, bytes);
	assert_non_null(memory);
	return sim_init(memory, g);
}

/* Runs of lines, jumps, code and what programs do besides. */
static void draw_program(uint64_t *record, bool code)
{
	uint64_t line = 0;

	for (size_t i = 0; i < RECORDS; i++) {
		const uint64_t kind = draw(100);

		line = draw(8) ? line + 64 : draw(SPAN);
		record[i] = access_pack(kind < 70 ? ACCESS_LOAD : ACCESS_STORE,
					3, 0, ACCESS_ARENA_BASE + line % SPAN);
		if (code && kind >= 90)
			record[i] = access_pack(ACCESS_FETCH, 0, 0,
				ACCESS_CODE_BASE + 64 * draw(1 << draw(14)));
		if (code && kind == 99)
			record[i] = access_pack(draw(2) ? ACCESS_FLUSH :
							  ACCESS_STORE_NT, 3,
						0, ACCESS_ARENA_BASE +
						   line % SPAN);
	}
}

/* Step by step, by the rules of caches.h and nothing else. */
static void slowly(struct sim *s)
{
	s->engine = &engine_portable;
	s->batches = s->ahead = false;
	s->front = FRONT_NONE;
	s->misses = MISSES_BY_RULES;
}

static void count_paths(const struct sim *s)
{
	fronts[s->front]++;
	by_misses[s->misses]++;
	code_ahead += s->code_ahead;
	far_l3 += s->ahead_l3;
	files++;
}

static int compare(void *ctx, const struct cpu *cpu)
{
	const struct geometry *g = &cpu->geometry;
	struct sim *fast = build(g), *slow = build(g);
	uint64_t *record = ctx;

	count_paths(fast);
	if (!fast->batches || !fast->front || fast->misses < MISSES_QUICK)
		fail_msg("%s takes no fast path", g->name);
	/* of no file yet; changes no count */
	fast->ahead_l2 |= files % 2 && !fast->ahead_l3;
	slowly(slow);
	seed = files;
	for (int part = 0; part < 6; part++) {
		draw_program(record, part % 2);
		sim_feed(fast, record, RECORDS);
		sim_feed(slow, record, RECORDS);
		same_signals(files, sim_signals(fast), sim_signals(slow));
	}
	free(fast);
	free(slow);
	return 0;
}

static void paths_are_taken_and_count(void **state)
{
	uint64_t *record = malloc(RECORDS * sizeof(*record));
	struct assay_error error;

	(void)state;
	assert_non_null(record);
	assert_int_equal(cpu_each(NULL, compare, record, &error), 0);
	free(record);
	assert_true(files > 10);
	for (int how = FRONT_NONE + 1; how <= FRONT_OTHER; how++)
		assert_true(fronts[how]);
#define HIERARCHY(name, ...) \
	if (!by_misses[MISSES_##name]) \
		fail_msg("no file takes the path " #name);
#include "sim/engine/hierarchies.def"
#undef HIERARCHY
	assert_true(code_ahead && far_l3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(paths_are_taken_and_count),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
