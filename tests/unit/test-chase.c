/* SPDX-License-Identifier: MIT */
/* chase: how passes follow from what is given, and the orders of its list. */
#include "check.h"

#include "kernel-shape.h"

static void passes_follow(void **state)
{
	static const struct {
		const char *text;
		int64_t elements, passes, accesses;
	} row[] = {
		{ "chase", 4096, 256, 1 << 20 },
		{ "chase elements=1", 1, 1 << 20, 1 << 20 },
		{ "chase elements=1000", 1000, 1048, 1048000 },
		{ "chase elements=2M", 2 << 20, 1, 2 << 20 },
		{ "chase elements=10 passes=3", 10, 3, 30 },
		{ "chase elements=10 accesses=39", 10, 3, 30 },
		{ "chase elements=10 passes=3 accesses=39", 10, 3, 30 },
		{ "chase elements=32 accesses=268435456", 32, 8388608,
		  268435456 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		struct assay_error err = { .code = 0 };
		struct assay_shape s;

		if (!shape_text(&s, row[i].text, &err))
			fail_msg("%s: %s", row[i].text, err.text);
		assert_int_equal(assay_shape_get(&s, "elements"),
				 row[i].elements);
		assert_int_equal(assay_shape_get(&s, "passes"), row[i].passes);
		assert_int_equal(assay_shape_get(&s, "accesses"),
				 row[i].accesses);
	}
}

static void contradictions_are_refused(void **state)
{
	static const struct { const char *text, *why; } row[] = {
		{ "chase elements=10 accesses=9", "'accesses'" },
		{ "chase elements=10 passes=3 accesses=40", "'passes'" },
		{ "chase elements=64M passes=1G", "'passes'" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		struct assay_error err = { .code = 0 };
		struct assay_shape s;

		assert_null(shape_text(&s, row[i].text, &err));
		assert_int_equal(err.code, -ASSAY_ERANGE);
		if (!strstr(err.text, row[i].why))
			fail_msg("%s: '%s'", row[i].text, err.text);
		assert_null(shape_text(&s, row[i].text, NULL));
	}
}

/* Where the records of loads go: element indices in order of visiting. */
struct visits {
	unsigned n, element[4096];
};

static void take(void *ctx, const uint64_t *record, size_t records)
{
	struct visits *v = ctx;

	for (size_t i = 0; i < records; i++)
		if (access_kind(record[i]) == ACCESS_LOAD && v->n < 4096)
			v->element[v->n++] = (unsigned)
				((access_operand(record[i]) -
				  ACCESS_ARENA_BASE) / 64);
}

static void visit(const char *text, struct visits *v)
{
	static struct access_trace port;
	struct access_sink sink = {
		.ctx = v, .feed = take,
	};
	struct assay_shape shape;
	const struct kernel *kernel = shape_text(&shape, text, NULL);
	struct arena arena;

	assert_non_null(kernel);
	v->n = 0;
	shape_arena(&arena, kernel, &shape);
	port = (struct access_trace){ .sink = &sink, .base = ACCESS_ARENA_BASE,
				      .host = (uintptr_t)arena.base };
	kernel->trace(&shape, &arena, ISA_AARCH64, &port);
	shape_arena_free(&arena);
}

static void plain_orders(void **state)
{
	static const unsigned linear[] = { 0, 1, 2, 3, 4 };
	static const unsigned ping_pong[] = { 0, 4, 1, 3, 2 };
	struct visits v;

	(void)state;
	visit("chase elements=5 passes=1 order=linear", &v);
	assert_int_equal(v.n, 5);
	assert_memory_equal(v.element, linear, sizeof(linear));
	visit("chase elements=5 passes=1 order=ping-pong", &v);
	assert_int_equal(v.n, 5);
	assert_memory_equal(v.element, ping_pong, sizeof(ping_pong));
}

static void random_orders_visit_all_once(void **state)
{
	static const char *const orders[] = { "shuffled", "fisher-yates" };
	static const unsigned lengths[] = { 1, 2, 3, 64, 1000 };
	struct visits v;
	char text[96];

	(void)state;
	for (unsigned o = 0; o < 2; o++)
		for (unsigned i = 0; i < 5; i++) {
			bool seen[1000] = { false };

			snprintf(text, sizeof(text), "chase elements=%u "
				 "passes=1 order=%s", lengths[i], orders[o]);
			visit(text, &v);
			assert_int_equal(v.n, lengths[i]);
			for (unsigned k = 0; k < v.n; k++) {
				assert_false(seen[v.element[k]]);
				seen[v.element[k]] = true;
			}
		}
}

/* One cycle of 4 elements has 6 forms, an order of 4 visits 24. */
static void random_orders_are_all_reached(void **state)
{
	unsigned cycles[256] = { 0 }, visits[256] = { 0 }, n[2] = { 0, 0 };
	struct visits v;
	char text[96];

	(void)state;
	for (unsigned seed = 0; seed < 600; seed++)
		for (unsigned o = 0; o < 2; o++) {
			unsigned *seen = o ? visits : cycles, key = 0;

			snprintf(text, sizeof(text), "chase elements=4 "
				 "passes=1 seed=%u order=%s", seed,
				 o ? "fisher-yates" : "shuffled");
			visit(text, &v);
			for (unsigned k = 0; k < 4; k++)
				key = key << 2 | v.element[k];
			n[o] += !seen[key & 255]++;
		}
	assert_int_equal(n[0], 6);
	assert_int_equal(n[1], 24);
	for (unsigned key = 0; key < 256; key++) {
		assert_true(!cycles[key] || cycles[key] > 60);
		assert_true(!visits[key] || visits[key] > 5);
	}
}

static uint64_t leave_out(void *ctx, uint64_t left)
{
	*(uint64_t *)ctx += left;
	return left;
}

static void ignore(void *ctx, const uint64_t *record, size_t records)
{
	(void)ctx, (void)record, (void)records;
}

/* A sink may take over all passes but the first and the last. */
static void passes_can_be_left_out(void **state)
{
	static struct access_trace port;
	uint64_t left = 0;
	struct access_sink sink = {
		.ctx = &left, .feed = ignore, .pass = leave_out,
	};
	struct assay_shape shape;
	const struct kernel *kernel = shape_text(&shape,
		"chase elements=3 accesses=1125899906842624", NULL);
	struct arena arena;

	(void)state;
	assert_non_null(kernel);
	shape_arena(&arena, kernel, &shape);
	port = (struct access_trace){ .sink = &sink, .base = ACCESS_ARENA_BASE,
				      .host = (uintptr_t)arena.base };
	kernel->trace(&shape, &arena, ISA_AARCH64, &port);
	assert_int_equal(left, assay_shape_get(&shape, "passes") - 2);
	shape_arena_free(&arena);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(passes_follow),
		cmocka_unit_test(contradictions_are_refused),
		cmocka_unit_test(plain_orders),
		cmocka_unit_test(random_orders_visit_all_once),
		cmocka_unit_test(random_orders_are_all_reached),
		cmocka_unit_test(passes_can_be_left_out),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
