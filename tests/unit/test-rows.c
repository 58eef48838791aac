/* SPDX-License-Identifier: MIT */
/* Reading back rows of JSON Lines, whatever stands in them. */
#include "check.h"

#include <stdlib.h>
#include <string.h>

#include "base/record.h"
#include "store/rows.h"

struct seen {
	unsigned rows, records;
	char type[40];
	size_t fields;
	struct assay_field first, last;
	char text[100], name[100];
};

static int on_row(void *ctx, const struct assay_row *row)
{
	struct seen *seen = ctx;
	const struct assay_field *last = row->fields ?
		&row->field[row->fields - 1] : NULL;

	seen->rows++;
	snprintf(seen->type, sizeof(seen->type), "%s", row->type);
	seen->fields = row->fields;
	if (!last)
		return 0;
	seen->first = row->field[0];
	seen->last = *last;
	snprintf(seen->text, sizeof(seen->text), "%s",
		 last->text ? last->text : "");
	snprintf(seen->name, sizeof(seen->name), "%s", last->name);
	return 0;
}

static int on_record(void *ctx, struct assay_record *record)
{
	struct seen *seen = ctx;

	seen->records++;
	record_free(record);
	return 0;
}

static int read_text(struct seen *seen, const char *text,
		     struct assay_error *err)
{
	*seen = (struct seen){ .rows = 0 };
	return rows_read(text, "x.jsonl", on_row, on_record, seen, err);
}

static void kinds(void **state)
{
	struct seen seen;

	(void)state;
	assert_int_equal(read_text(&seen, "{\"t\":\"a\",\"n\":18,\"s\":\"x\"}\n"
				   "\n{\"t\":\"b\",\"v\":-2}", NULL), 0);
	assert_int_equal(seen.rows, 2);
	assert_string_equal(seen.type, "b");
	assert_int_equal(seen.last.kind, ASSAY_FIELD_REAL);
	assert_true(seen.last.real == -2);
	read_text(&seen, "{\"t\":\"a\",\"r\":0.25}", NULL);
	assert_int_equal(seen.last.decimals, 2);
	read_text(&seen, "{\"t\":\"a\",\"r\":0.333333}", NULL);
	assert_int_equal(seen.last.decimals, 4);
}

/* Members about others are no members of their own, wherever they stand: they
 * would be written twice. */
static void about_others(void **state)
{
	struct seen seen;

	(void)state;
	read_text(&seen, "{\"t\":\"a\",\"n\":null,\"n_why\":\"no PMU\"}", NULL);
	assert_int_equal(seen.fields, 1);
	assert_int_equal(seen.last.kind, ASSAY_FIELD_ABSENT);
	assert_string_equal(seen.text, "no PMU");
	read_text(&seen, "{\"t\":\"a\",\"n\":5,\"n_estimate\":true,"
		  "\"n_error\":0.5}", NULL);
	assert_int_equal(seen.fields, 1);
	assert_true(seen.last.flags & ASSAY_FIELD_ESTIMATE);
	assert_true(seen.last.error == 0.5);
	read_text(&seen, "{\"t\":\"a\",\"n_why\":\"no PMU\",\"m\":1,\"n\":null}",
		  NULL);
	assert_int_equal(seen.fields, 2);
	assert_string_equal(seen.text, "no PMU");
	read_text(&seen, "{\"t\":\"a\",\"n\":null,\"n|why\":\"no PMU\"}", NULL);
	assert_int_equal(seen.fields, 1);
	read_text(&seen, "{\"t\":\"a\",\"n\":null,\"n why\":\"no PMU\"}", NULL);
	assert_int_equal(seen.fields, 1);
	read_text(&seen, "{\"t\":\"a\",\"n\":5,\"m_why\":\"else\"}", NULL);
	assert_int_equal(seen.fields, 2);
	read_text(&seen, "{\"t\":\"a\",\"o\":{\"x\":1},\"l\":[1],\"b\":true}",
		  NULL);
	assert_int_equal(seen.fields, 0);
}

/* More members than there is room for, and names that are too long. */
static void too_much(void **state)
{
	static char text[20000];
	struct seen seen;
	size_t n = (size_t)sprintf(text, "{\"t\":\"a\"");

	(void)state;
	for (int i = 0; i < 2 * ROWS_FIELDS; i++)
		n += (size_t)sprintf(text + n, ",\"m%d\":%d", i, i);
	strcpy(text + n, "}");
	assert_int_equal(read_text(&seen, text, NULL), 0);
	assert_int_equal(seen.fields, ROWS_FIELDS);
	n = (size_t)sprintf(text, "{\"t\":\"a\",\"");
	memset(text + n, 'x', 500);
	strcpy(text + n + 500, "\":1,\"y\":2}");
	read_text(&seen, text, NULL);
	assert_int_equal(seen.fields, 1);
	assert_string_equal(seen.name, "y");
}

static void mistakes(void **state)
{
	static const struct { const char *text, *said; } bad[] = {
		{ "{\"t\":\"a\"", "x.jsonl:1:" },
		{ "{\"t\":\"a\"}\n[1]", "x.jsonl:2:" },
		{ "{\"n\":1}", "'t' is missing" },
		{ "{\"t\":\"a\",\"n\":1,\"n\":2}", "duplicate" },
		{ "{\"t\":\"record\"}", "x.jsonl:1:" },
		{ "{\"t\":\"a\",\"s\":\"\xff\"}", "decode" },
	};
	struct seen seen;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct assay_error err = { 0 };

		assert_int_equal(read_text(&seen, bad[i].text, &err),
				 -ASSAY_EPARSE);
		if (!strstr(err.text, bad[i].said))
			fail_msg("%s: %s", bad[i].text, err.text);
	}
	assert_true(rows_are(" {\"t\": 1}"));
	assert_false(rows_are("cpu,event\n"));
	assert_false(rows_are("{\"benchmarks\":[]}"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(kinds),
		cmocka_unit_test(about_others),
		cmocka_unit_test(too_much),
		cmocka_unit_test(mistakes),
	};

	return cmocka_run_group_tests_name("rows", tests, NULL, NULL);
}
