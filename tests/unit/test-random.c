/* SPDX-License-Identifier: MIT */
/* random: its buffer and its addresses, against a second writing of both. */
#include "check.h"

#include "kernel-shape.h"

struct loads {
	unsigned n;
	uint64_t offset[1000];
};

static void take(void *ctx, const uint64_t *record, size_t records)
{
	struct loads *l = ctx;

	for (size_t i = 0; i < records; i++)
		if (access_kind(record[i]) == ACCESS_LOAD && l->n < 1000)
			l->offset[l->n++] = access_operand(record[i]) -
					    ACCESS_ARENA_BASE;
}

static void load(const char *text, struct loads *l, struct arena *arena)
{
	static struct access_trace port;
	struct access_sink sink = {
		.ctx = l, .feed = take,
	};
	struct assay_shape shape;
	const struct kernel *kernel = shape_text(&shape, text, NULL);

	assert_non_null(kernel);
	l->n = 0;
	shape_arena(arena, kernel, &shape);
	port = (struct access_trace){ .sink = &sink, .base = ACCESS_ARENA_BASE,
				      .host = (uintptr_t)arena->base };
	kernel->trace(&shape, arena, ISA_AARCH64, &port);
}

/* minstd_rand's 10000th number after seed 1 is in the C++ standard. */
static void buffer_is_minstd(void **state)
{
	uint64_t x = 1;
	struct arena arena;
	struct loads l;

	(void)state;
	load("random bytes=16K accesses=1", &l, &arena);
	for (unsigned i = 0; i < 16384; i++) {
		x = x * 48271 % 2147483647;
		if (i == 9999)
			assert_int_equal(x, 399268537);
		if (i % 64 < 8)	/* what can be loaded */
			assert_int_equal(arena.base[i], x & 255);
	}
	shape_arena_free(&arena);
}

static void addresses_mix_generator_and_data(void **state)
{
	uint32_t x = 1, mask = 16384 - 64;
	uint64_t sum = 123456789;
	struct arena arena;
	struct loads l;

	(void)state;
	load("random bytes=16K accesses=1000", &l, &arena);
	assert_int_equal(l.n, 1000);
	for (unsigned i = 0; i < l.n; i++) {
		uint64_t word;

		x ^= x << 13;
		x ^= x >> 17;
		x ^= x << 5;
		assert_int_equal(l.offset[i], (x ^ (uint32_t)sum) & mask);
		memcpy(&word, arena.base + l.offset[i], 8);
		sum += word & 0xffffffff;
	}
	shape_arena_free(&arena);
}

static void without_tricks_it_is_a_sequence(void **state)
{
	struct arena arena;
	struct loads l;

	(void)state;
	load("random bytes=4K accesses=1000 generator=off dependence=off", &l,
	     &arena);
	assert_int_equal(l.n, 1000);
	for (unsigned i = 0; i < l.n; i++)
		assert_int_equal(l.offset[i], i * 64 % 4096);
	shape_arena_free(&arena);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(buffer_is_minstd),
		cmocka_unit_test(addresses_mix_generator_and_data),
		cmocka_unit_test(without_tricks_it_is_a_sequence),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
