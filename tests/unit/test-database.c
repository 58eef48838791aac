/* SPDX-License-Identifier: MIT */
/* The database: which file systems and tables it takes, and records in it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/record.h"
#include "database/database.h"
#include "database/schema.h"
#include "remove-tree.h"

static void networks_are_known(void **state)
{
	static const unsigned long network[] = { 0x6969, 0xff534d42, 0x0bd00bd0,
						 0xffffffffff534d42 };
	static const unsigned long local[] = { 0xef53, 0x01021994, 0x58465342,
					       0x9123683e, 0x794c7630 };

	(void)state;
	for (size_t i = 0; i < sizeof(network) / sizeof(*network); i++)
		assert_true(database_on_network(network[i]));
	for (size_t i = 0; i < sizeof(local) / sizeof(*local); i++)
		assert_false(database_on_network(local[i]));
}

static void numbers_name_runs(void **state)
{
	static const char *const others[] = { "", "0", "-1", "12a", "1.2",
		"12 ", "9999999999999999999", "..", "3..", "..3", "3..2",
		"1...2", "1..2..3", "1..2 " };
	struct database_range range;

	(void)state;
	assert_true(database_range(&range, "12"));
	assert_true(range.first == 12 && range.last == 12);
	assert_true(database_range(&range, "12..170"));
	assert_true(range.first == 12 && range.last == 170);
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		assert_false(database_range(&range, others[i]));
}

static void parts_of_statements_are_no_schema(void **state)
{
	(void)state;
	assert_false(schema_has(""));
	assert_false(schema_has("CREATE TABLE run(id)"));
	assert_false(schema_has("INTEGER PRIMARY KEY"));
}

static int first_text(void *ctx, const struct database_row *row)
{
	snprintf(ctx, 64, "%s", database_null(row, 0) ? "NULL" :
		 database_text(row, 0));
	return 0;
}

static void expect(struct database *db, const char *sql, const char *wanted)
{
	char got[64] = "no row";

	assert_int_equal(database_each(db, sql, NULL, 0, first_text, got,
				       NULL), 0);
	assert_string_equal(got, wanted);
}

static struct assay_record *a_record(void)
{
	struct assay_record *r = record_new(2, 2);

	assert_non_null(r);
	strcpy(r->provider, "perf");
	strcpy(r->shape.kernel, "k");
	r->shape.options = 1;
	strcpy(r->shape.option[0].name, "a\"b\\");
	r->shape.option[0].value = 7;
	strcpy(r->event[0].name, "e");
	strcpy(r->event[1].name, "none");
	r->counts[0] = (struct assay_count){ .value = UINT64_MAX };
	r->counts[2] = (struct assay_count){ .value = 3, .enabled = 8,
		.running = 4, .state = ASSAY_COUNT_SCALED };
	return r;
}

/* Counts stay exact, and what is absent has its reason. */
static void values_are_those_of_the_record(void **state)
{
	static const struct database_run run = { .command = "run",
		.line = "assay run", .host = "h", .rank = -1 };
	static const char line[] = "{\"t\":\"record\"}\n";
	struct assay_record *record = a_record();
	struct database *db;
	char path[] = "/tmp/database.XXXXXX", file[64];

	(void)state;
	assert_non_null(mkdtemp(path));
	snprintf(file, sizeof(file), "%s/new/a.db", path);
	assert_int_equal(database_write(&db, file, NULL), 0);
	assert_int_equal(database_begin(db, &run, NULL), 0);
	assert_true(database_runs(db, 1));
	assert_int_equal(database_add_record(db, record, line,
					     sizeof(line) - 1, NULL), 0);
	assert_int_equal(database_commit(db, NULL), 0);
	expect(db, "SELECT value FROM reading WHERE name = 'e' AND "
	       "repetition = 0", "18446744073709551615");
	expect(db, "SELECT running FROM reading WHERE name = 'e' AND "
	       "repetition = 1", "4");
	expect(db, "SELECT why FROM reading WHERE repetition = 1 AND "
	       "name = 'e'", "scaled");
	expect(db, "SELECT why FROM reading WHERE name = 'none'", "not read");
	expect(db, "SELECT value FROM reading WHERE name = 'none'", "NULL");
	expect(db, "SELECT shape->>'a?b?' FROM point", "7");
	expect(db, "SELECT status FROM run", "NULL");
	assert_int_equal(database_end(db, 3, NULL), 0);
	expect(db, "SELECT status FROM run", "3");
	assert_false(database_runs(db, 1));
	database_close(db);
	record_free(record);
	remove_tree(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(networks_are_known),
		cmocka_unit_test(numbers_name_runs),
		cmocka_unit_test(parts_of_statements_are_no_schema),
		cmocka_unit_test(values_are_those_of_the_record),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
