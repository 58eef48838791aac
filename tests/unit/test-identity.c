/* SPDX-License-Identifier: MIT */
/*
 * Laws between events: what holds, what is violated, what proves nothing; and
 * the published K10 counts, of which the "L3" ones cannot be what they say.
 */
#include "check.h"

#include <stdbool.h>

#include "analysis/identity.h"
#include "base/record.h"
#include "store/store.h"

#define HEAD "schema: assay-identities/1\nname: t\ntitle: t\nsource: s\n" \
	     "cpus: [any]\n"

struct given { const char *event; double value; };

static struct assay_value look(void *ctx, const char *event)
{
	for (const struct given *g = ctx; g->event; g++)
		if (strcmp(g->event, event) == 0)
			return (struct assay_value){ .number = g->value };
	return (struct assay_value){ .why = "not counted" };
}

static struct identities *parse(const char *text)
{
	struct identities *set = NULL;
	struct assay_error err = { 0 };

	if (identities_parse(&set, "f", text, strlen(text), &err) < 0)
		fail_msg("%s", err.text);
	return set;
}

static enum identity_state state(const char *law, double a, double b,
				 bool exact)
{
	const struct given given[] = { { "A", a }, { "B", b }, { 0 } };
	const struct identity_check check = { exact, true, look,
					      (void *)given };
	struct identity_finding f = { 0 };
	struct identities *set;
	char text[400];

	snprintf(text, sizeof(text), HEAD "slack: 0.01\noffset: 5\n"
		 "identities:\n  - {name: n, left: A, is: '%s', right: B, "
		 "why: w}\n", law);
	set = parse(text);
	assert_int_equal(identities_check(set, &check, &f, 1), 1);
	identities_free(set);
	return f.state;
}

static void test_relations(void **ctx)
{
	(void)ctx;
	assert_int_equal(state("=", 100, 100, true), IDENTITY_HOLDS);
	assert_int_equal(state("=", 100, 101, true), IDENTITY_VIOLATED);
	assert_int_equal(state("=", 101, 100, true), IDENTITY_VIOLATED);
	assert_int_equal(state("<=", 100, 101, true), IDENTITY_HOLDS);
	assert_int_equal(state("<=", 102, 101, true), IDENTITY_VIOLATED);
	assert_int_equal(state(">=", 101, 100, true), IDENTITY_HOLDS);
	assert_int_equal(state(">=", 100, 101, true), IDENTITY_VIOLATED);
	/* tolerated: 1 % of the larger side and 5 counts */
	assert_int_equal(state("=", 100, 106, false), IDENTITY_HOLDS);
	assert_int_equal(state("=", 100, 107, false), IDENTITY_VIOLATED);
}

static void test_absent(void **ctx)
{
	const struct given given[] = { { "A", 1 }, { 0 } };
	struct identity_check check = { true, false, look, (void *)given };
	struct identity_finding f;
	struct identities *set = parse(HEAD "identities:\n"
		"  - {name: n, left: A, is: '=', right: A + B, why: w}\n");

	(void)ctx;
	assert_int_equal(identities_check(set, &check, &f, 1), 0);
	check.open = true;
	assert_int_equal(identities_check(set, &check, &f, 1), 1);
	assert_int_equal(f.state, IDENTITY_OPEN);
	assert_string_equal(f.why, "not counted");
	identities_free(set);
}

static void test_unproven(void **ctx)
{
	const struct given given[] = { { "A", 1 }, { "B", 9 }, { "C", 0 },
				       { 0 } };
	struct identity_check check = { true, false, look, (void *)given };
	struct identity_finding f[2];
	struct identities *set = parse(HEAD "identities:\n"
		"  - {name: m, left: C, is: '<=', right: A, why: w}\n"
		"  - {name: n, left: A, is: '>=', right: B, why: w,\n"
		"     suspect: A}\n");

	(void)ctx;
	assert_int_equal(identities_check(set, &check, f, 2), 2);
	assert_int_equal(f[0].state, IDENTITY_VIOLATED);
	assert_string_equal(f[0].identity->name, "n");
	assert_true(f[0].excess == 8);
	assert_int_equal(f[1].state, IDENTITY_UNPROVEN);
	assert_string_equal(f[1].doubt, "A");
	identities_free(set);
}

static void refused(const char *text, const char *why)
{
	struct identities *set = NULL;
	struct assay_error err = { 0 };

	assert_true(identities_parse(&set, "f", text, strlen(text), &err) < 0);
	assert_null(set);
	if (!strstr(err.text, why))
		fail_msg("'%s' is not in '%s'", why, err.text);
}

static void test_mistakes(void **ctx)
{
	(void)ctx;
	refused(HEAD, "'identities'");
	refused(HEAD "identities: []\n", "1 to 512");
	refused(HEAD "identities:\n  - {name: n, left: A, is: '<', right: B, "
		"why: w}\n", "f:7:");
	refused(HEAD "identities:\n  - {name: n, left: A +, is: '=', "
		"right: B, why: w}\n", "f:7:");
	refused(HEAD "identities:\n  - {name: n, left: A, is: '=', right: B}\n",
		"'why'");
	refused(HEAD "identities:\n  - {name: n, left: A, is: '=', right: B, "
		"why: w, suspect: C}\n", "neither side names 'C'");
	refused(HEAD "slack: -1\nidentities: []\n", "from 0 to 1");
	refused("schema: assay-identities/2\n", "not known");
}

/* The event's median count in a record. */
static struct assay_value count_in(void *ctx, const char *event)
{
	const struct assay_record *record = ctx;
	int found = assay_record_find(record, event);

	if (found < 0)
		return (struct assay_value){ .why = "not in the record" };
	return assay_record_value(record, (unsigned)found);
}

/* What was published for an Opteron 8354, checked by laws alone. */
static void test_k10_sample(void **ctx)
{
	struct identity_finding f[32];
	struct store store;
	struct identities *set;
	struct identity_check check = { .count = count_in };
	size_t n;

	(void)ctx;
	assert_int_equal(store_read(&store, "k10-sample", NULL, NULL), 0);
	assert_int_equal(store.records, 1);
	check.ctx = store.record[0];
	assert_int_equal(identities_load(&set, "amd-k10", NULL, NULL, NULL),
			 0);
	n = identities_check(set, &check, f, 32);
	assert_true(n > 3);
	for (size_t i = 0; i < n; i++) {
		bool l3 = strncmp(f[i].identity->name, "l3-", 3) == 0;

		assert_int_equal(l3, f[i].state != IDENTITY_HOLDS);
		if (l3)
			assert_string_equal(f[i].doubt, "READ_REQUEST_TO_L3");
	}
	assert_int_equal(f[0].state, IDENTITY_VIOLATED);
	assert_true(f[0].left.number == 32867005);
	assert_true(f[0].right.number == 127228277 + 88990 + 8167131);
	assert_int_not_equal(f[1].state, IDENTITY_VIOLATED);
	identities_free(set);
	store_fini(&store);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_relations),
		cmocka_unit_test(test_absent),
		cmocka_unit_test(test_unproven),
		cmocka_unit_test(test_mistakes),
		cmocka_unit_test(test_k10_sample),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
