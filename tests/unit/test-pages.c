/* SPDX-License-Identifier: MIT */
/* Which pages share simulated memory. */
#include "check.h"

#include "base/access.h"
#include "sim/sim.h"

#define GIB (UINT64_C(1) << 30)
#define FRAME_GIB (UINT64_C(1) << 18)

static struct sim *sim;
static void *memory;

/* With what memory holds by chance. */
static void begin(struct page_map map)
{
	const struct geometry g = {
		.l1d = { .present = true, .line_bytes = 64, .sets = 16,
			 .ways = 64, .slices = 1, .policy = REPLACE_LRU },
		.page_map = map,
	};
	const size_t bytes = (sim_bytes(&g, NULL) + 63) & ~(size_t)63;

	memory = aligned_alloc(64, bytes);
	assert_non_null(memory);
	memset(memory, 0xa5, bytes);
	sim = sim_init(memory, &g);
}

static void load(uint64_t address)
{
	const uint64_t record = access_pack(ACCESS_LOAD, 0, 0, address);

	sim_feed(sim, &record, 1);
}

static uint64_t count(enum signal which)
{
	return sim_signals(sim)[which];
}

/* The first 16 GiB have memory from the start; 15 more find some. */
static void addresses_share_at_last(void **state)
{
	(void)state;
	begin((struct page_map){ .kind = PAGE_MAP_IDENTITY });
	for (uint64_t i = 0; i < 31; i++)
		load((i < 16 ? i : 10 * i) * GIB);
	assert_int_equal(count(SIGNAL_address_aliases), 0);
	assert_int_equal(count(SIGNAL_l1d_load_miss), 31);
	load(1000 * GIB);
	load(2000 * GIB);
	assert_int_equal(count(SIGNAL_address_aliases), 2);
	load(1000 * GIB);
	assert_int_equal(count(SIGNAL_address_aliases), 2);
	free(memory);
}

/* Recorded frames are not what has such addresses; no more than given. */
static void recorded_memory_is_apart(void **state)
{
	const uint64_t frame[] = { 5 * FRAME_GIB, 5 * FRAME_GIB };

	(void)state;
	begin((struct page_map){ .kind = PAGE_MAP_RECORDED, .frame = frame,
				 .frames = 2 });
	load(ACCESS_ARENA_BASE);
	load(ACCESS_ARENA_BASE + 4096);
	assert_int_equal(count(SIGNAL_l1d_load_miss), 1);
	load(5 * GIB);
	assert_int_equal(count(SIGNAL_l1d_load_miss), 2);
	load(ACCESS_ARENA_BASE - 4096);
	assert_int_equal(count(SIGNAL_l1d_load_miss), 3);
	for (uint64_t i = 0; i < 28; i++)
		load((6 + i) * GIB);
	assert_int_equal(count(SIGNAL_address_aliases), 0);
	load(100 * GIB);
	assert_int_equal(count(SIGNAL_address_aliases), 1);
	free(memory);
	begin((struct page_map){ .kind = PAGE_MAP_RECORDED, .frame = frame,
				 .frames = 1 });
	load(ACCESS_ARENA_BASE);
	load(ACCESS_ARENA_BASE + 4096);
	assert_int_equal(count(SIGNAL_l1d_load_miss), 2);
	free(memory);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(addresses_share_at_last),
		cmocka_unit_test(recorded_memory_is_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
