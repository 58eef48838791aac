/* SPDX-License-Identifier: MIT */
/*
 * Made-up fleets with noise of 1 %: each node that is 5 % slow on three sizes
 * is found, and at most one of a thousand others is accused.
 */
#include "check.h"

#include <math.h>

#include "base/record.h"
#include "fleet/judge.h"
#include "fleet/read.h"
#include "made-fleet.h"

struct counted { unsigned slow, found, accused; };

static struct fleet *fill(const struct made *made, uint32_t *node)
{
	struct fleet *f = fleet_new();
	char name[16];

	assert_non_null(f);
	for (unsigned i = 0; i < made->nodes; i++) {
		made_name(name, i);
		node[i] = (uint32_t)fleet_node(f, name);
		for (unsigned k = 0; k < made->sizes; k++) {
			struct assay_record *r = made_record(made, i, k);

			assert_non_null(r);
			assert_int_equal(fleet_add_record(f, (int)node[i], r),
					 0);
			record_free(r);
		}
	}
	return f;
}

/* By numbers only: the microcode would give the slow nodes away. */
static struct counted try(const struct made *made)
{
	uint32_t *node = calloc(made->nodes, sizeof(*node));
	unsigned char *odd = calloc(made->nodes, 1);
	struct fleet *f = fill(made, node);
	struct judged judged = { .odds = 0 };
	struct counted n = { 0 };

	assert_int_equal(judge(&judged, f, node, made->nodes), 0);
	for (size_t i = 0; i < judged.odds; i++)
		if (!judged.odd[i].text)
			odd[judged.odd[i].node] = 1;
	for (unsigned i = 0; i < made->nodes; i++) {
		n.slow += made_is_slow(made, i);
		n.found += made_is_slow(made, i) && odd[i];
		n.accused += !made_is_slow(made, i) && odd[i];
	}
	judged_fini(&judged);
	fleet_free(f);
	free(node);
	free(odd);
	return n;
}

/* nodes, sizes, events, one of so many is slow */
static const struct { unsigned nodes, sizes, events, one_of, seeds; }
fleets[] = {
	{ 64, 77, 1, 32, 20 }, { 64, 77, 4, 32, 5 }, { 100, 77, 13, 20, 2 },
	{ 1000, 77, 1, 100, 4 }, { 1000, 40, 3, 100, 2 },
	{ 10000, 77, 1, 100, 1 },
};

static void every_slow_node_is_found(void **ctx)
{
	(void)ctx;
	for (size_t i = 0; i < sizeof(fleets) / sizeof(*fleets); i++) {
		unsigned accused = 0;

		for (unsigned s = 1; s <= fleets[i].seeds; s++) {
			const struct made made = {
				.nodes = fleets[i].nodes,
				.sizes = fleets[i].sizes,
				.events = fleets[i].events,
				.noise = 0.01, .slow = 0.05, .slow_sizes = 3,
				.one_of = fleets[i].one_of, .seed = s,
			};
			const struct counted n = try(&made);

			print_message("%u nodes, seed %u: %u of %u found, %u "
				      "accused\n", made.nodes, s, n.found,
				      n.slow, n.accused);
			assert_int_equal(n.found, n.slow);
			accused += n.accused;
		}
		assert_true(accused * 1000 <=
			    fleets[i].nodes * fleets[i].seeds);
	}
}

/* Three sizes far apart are harder to tell from noise. */
static void scattered_sizes_are_found(void **ctx)
{
	struct made made = {
		.nodes = 1000, .sizes = 77, .events = 1, .noise = 0.01,
		.slow = 0.06, .slow_sizes = 3, .scattered = true,
		.one_of = 100, .seed = 7,
	};
	struct counted n;

	(void)ctx;
	n = try(&made);
	assert_int_equal(n.found, n.slow);
	assert_true(n.accused <= 1);
}

/* Twice the time at one size of a sweep: a window of three would be far off. */
static void one_outlier_is_no_difference(void **ctx)
{
	const struct made made = {
		.nodes = 64, .sizes = 30, .events = 1, .noise = 0.01,
		.seed = 3,
	};
	uint32_t node[64];
	struct fleet *f = fill(&made, node);
	struct judged judged = { .odds = 0 };
	unsigned point = 0;

	(void)ctx;
	for (uint32_t i = 0; i < f->keys.names; i++)
		if (f->item[i].kind == FLEET_NUMBER && ++point == 15)
			f->node[5].block[i / FLEET_BLOCK]->
				value[i % FLEET_BLOCK] *= 2;
	assert_int_equal(point, 30);
	assert_int_equal(judge(&judged, f, node, 64), 0);
	assert_int_equal(judged.odds, 0);
	judged_fini(&judged);
	fleet_free(f);
}

/* Four nodes, one of them 20 % slow; and four alike. */
static void four_nodes_are_enough(void **ctx)
{
	unsigned accused = 0;

	(void)ctx;
	for (unsigned s = 1; s <= 200; s++) {
		struct made made = {
			.nodes = 4, .sizes = 20, .events = 1, .noise = 0.01,
			.slow = 0.2, .slow_sizes = 6, .one_of = 4, .seed = s,
		};
		struct counted n = try(&made);

		assert_int_equal(n.found, 1);
		accused += n.accused;
		made.one_of = 0;
		n = try(&made);
		accused += n.accused;
	}
	assert_int_equal(accused, 0);
}

static struct fleet *four(int node[5])
{
	static const char *const names[] = { "a", "b", "c", "d", "e" };
	struct fleet *f = fleet_new();

	assert_non_null(f);
	for (int i = 0; i < 5; i++)
		node[i] = fleet_node(f, names[i]);
	return f;
}

static void texts_and_exact_numbers(void **ctx)
{
	static const uint32_t all[] = { 0, 1, 2, 3 };
	struct judged j = { .odds = 0 };
	int node[5], micro, exact, split;
	struct fleet *f = four(node);

	(void)ctx;
	micro = fleet_item(f, FLEET_TEXT, "machine", "microcode");
	split = fleet_item(f, FLEET_TEXT, "machine", "kernel");
	exact = fleet_item(f, FLEET_EXACT, "chase loads (sim)", "x");
	for (int i = 0; i < 4; i++) {
		fleet_text(f, node[i], micro, i == 2 ? "0x1" : "0x2");
		fleet_text(f, node[i], split, i & 1 ? "6.1" : "5.10");
		fleet_number(f, node[i], exact, i == 3 ? 1001 : 1000);
	}
	assert_int_equal(judge(&j, f, all, 4), 0);
	judged_sort(&j);
	assert_int_equal(j.odds, 2);
	assert_int_equal(j.odd[0].node, 2);
	assert_string_equal(j.odd[0].text, "0x1");
	assert_string_equal(j.odd[0].usual, "0x2");
	assert_int_equal(j.odd[1].node, 3);
	assert_true(fabs(j.odd[1].off - 0.001) < 1e-9);
	assert_int_equal(j.splits, 1);
	assert_int_equal(j.split[0].most, 2);
	judged_fini(&j);
	fleet_free(f);
}

/* Values of one node in several files; a text that varies. */
static void values_are_merged(void **ctx)
{
	int node[5], number, text;
	struct fleet *f = four(node);

	(void)ctx;
	number = fleet_item(f, FLEET_NUMBER, "s", "p");
	text = fleet_item(f, FLEET_TEXT, "s", "p");
	assert_int_not_equal(number, text);
	fleet_number(f, node[0], number, 1);
	fleet_number(f, node[4], number, 4);
	fleet_number(f, node[4], number, 7);
	fleet_text(f, node[0], text, "x");
	fleet_text(f, node[4], text, "y");
	fleet_number(f, node[0], number, NAN);
	assert_int_equal(fleet_merge(f, node[0], node[4]), 0);
	assert_true(fleet_get(f, 0, (size_t)number) == 4);
	assert_string_equal(f->text.name[(size_t)fleet_get(f, 0,
						(size_t)text)], "x | y");
	assert_true(isnan(fleet_get(f, 4, (size_t)number)));
	assert_false(f->node[4].measured);
	fleet_free(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_slow_node_is_found),
		cmocka_unit_test(scattered_sizes_are_found),
		cmocka_unit_test(one_outlier_is_no_difference),
		cmocka_unit_test(four_nodes_are_enough),
		cmocka_unit_test(texts_and_exact_numbers),
		cmocka_unit_test(values_are_merged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
