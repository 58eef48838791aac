/* SPDX-License-Identifier: MIT */
/* Records as JSON Lines: hostile lines are refused with their place. */
#define _GNU_SOURCE	/* fmemopen */
#include "store-text.h"

#define NOISE(noise) HEAD "\"shape\":{\"kernel\":\"k\"},\"ns\":[]," \
	"\"events\":[],\"noise\":" noise "}"

static const struct {
	const char *text, *at, *error;	/* at: what the caret points to */
} broken[] = {
	/* syntax */
	{ "{\"t\":\"record\"", "", "'}' expected near end of file" },
	{ "{\"t\" \"record\"}", "\"record\"", "':' expected near '\"record\"'" },
	{ "{\"t\":\"record\",}", "}", "string or '}' expected near '}'" },
	{ "{\"t\":\"record\"} x", "x", "end of file expected near 'x'" },
	{ "{\"t\":tru}", "tru}", "invalid token near 'tru'" },
	{ "{\"t\":\"a\",\"t\":\"b\"}", "\"t\":\"b\"",
	  "duplicate object key near '\"t\"'" },
	{ "{\"t\":18446744073709551616}", "18446744073709551616",
	  "too big integer near '18446744073709551616'" },
	{ "{\"t\":NaN}", "NaN", "invalid token near 'NaN'" },
	/* the head */
	{ "[]", "[]", "this must be an object, not an array" },
	{ "7", "7", "this must be an object, not a whole number" },
	{ "{}", "{}",
	  "'t' is missing: it must be a string, such as \"record\"" },
	{ " {\"x\":1, \"t\":7}", "7",
	  "'t' must be a string, such as \"record\", not a whole number" },
	{ "{\"t\":\"record\"}", "{", "'schema' is missing: it must be a whole "
	  "number" },
	{ "{\"t\":\"record\",\"schema\":\"1\"}", "\"1\"",
	  "'schema' must be a whole number, not a string" },
	{ "{\"t\":\"record\",\"schema\":2}", "2}",
	  "schema 2 is not known; this program reads schema 1" },
	{ "{\"t\":\"record\",\"schema\":1}", "{",
	  "'ns' is missing: it must be an array" },
	{ "{\"t\":\"record\",\"schema\":1,\"ns\":[]}", "{",
	  "'events' is missing: it must be an array" },
	{ "{\"t\":\"record\",\"schema\":1,\"ns\":[],\"events\":[]}", "{",
	  "'provider' is missing: it must be a string" },
	{ "{\"t\":\"record\",\"schema\":1,\"ns\":[],\"events\":[],"
	  "\"provider\":\"\"}", "\"\"}", "'provider' must not be empty" },
	{ HEAD "\"ns\":[],\"events\":[]}", "{",
	  "'shape' is missing: it must be an object" },
	{ HEAD "\"shape\":{},\"ns\":[],\"events\":[]}", "{},",
	  "'kernel' is missing: it must be a string" },
	{ HEAD "\"shape\":{\"kernel\":\"0123456789012345678901234\"},"
	  "\"ns\":[],\"events\":[]}", "\"0123",
	  "'kernel' is longer than 23 bytes" },
	{ HEAD "\"shape\":{\"kernel\":\"a\\nb\"},\"ns\":[],\"events\":[]}",
	  "\"a\\n", "'kernel' has a control character" },
	/* noise */
	{ NOISE("7"), "7", "'noise' must be an object, not a whole number" },
	{ NOISE("{\"off\":[]}"), "[]}}",
	  "'off' must be an object, not an array" },
	{ NOISE("{\"off\":{\"share\":-0.5}}"), "-0.5",
	  "'share' must be a number that is not negative, not a decimal" },
	{ NOISE("{\"drift\":{\"limit\":\"5\"}}"), "\"5\"",
	  "'limit' must be a number that is not negative, not a string" },
	{ NOISE("{\"repeated\":1.5}"), "1.5",
	  "'repeated' must be a whole number, not a decimal" },
	/* options */
	{ OPTION("7"), "7", "this must be an object, not a whole number" },
	{ OPTION("{\"name\":\"n\",\"kind\":\"cuont\",\"value\":1}"),
	  "\"cuont\"",
	  "'cuont' is not a kind of option; did you mean 'count'?" },
	{ OPTION("{\"name\":\"n\",\"kind\":\"count\"}"), "{\"name\"",
	  "'value' is missing: it must be a whole number" },
	{ OPTION("{\"name\":\"n\",\"kind\":\"count\",\"value\":-1}"), "-1",
	  "-1 is negative, which 'n' cannot be" },
	{ OPTION("{\"name\":\"n\",\"kind\":\"count\",\"value\":1.5}"), "1.5",
	  "'value' must be a whole number, not a decimal" },
	{ OPTION("{\"name\":\"n\",\"kind\":\"flag\",\"value\":2}"), "2}",
	  "a flag is 0 or 1, not 2" },
	{ OPTION("{\"name\":\"n\",\"kind\":\"choice\",\"value\":2}"),
	  "{\"name\"", "'word' is missing: it must be a string" },
	{ OPTION("{\"name\":\"n\",\"kind\":\"real\",\"value\":"
		 "\"-9223372036854775809\"}"), "\"-9223",
	  "'-9223372036854775809' is not a whole number from -2^63 to "
	  "2^63 - 1" },
	{ OPTION("{\"name\":\"n\",\"kind\":\"count\",\"value\":1},"
		 "{\"name\":\"n\",\"kind\":\"count\",\"value\":1}"),
	  "\"n\",\"kind\":\"count\",\"value\":1}]",
	  "option 'n' is given twice" },
	/* events and counts */
	{ HEAD SHAPE "\"ns\":[-1],\"events\":[]}", "-1",
	  "-1 is negative; this must be a whole number from 0" },
	{ HEAD SHAPE "\"ns\":[true],\"events\":[]}", "true",
	  "this must be a whole number, not true or false" },
	{ EVENTS("{\"name\":\"e\"}"), "{\"name\"",
	  "'counts' is missing: it must be an array" },
	{ EVENTS("{\"name\":\"e\",\"counts\":[]}"), "[]}",
	  "0 counts, but 'ns' has 1 repetitions" },
	{ EVENTS("{\"counts\":[{\"value\":1}]}"), "{\"counts\"",
	  "'name' is missing: it must be a string" },
	{ EVENTS("{\"name\":\"e\",\"counts\":[{\"value\":1}]},"
		 "{\"name\":\"E\",\"counts\":[{\"value\":1}]}"),
	  "\"E\"", "event 'E' is given twice" },
	{ EVENTS("{\"name\":\"e\",\"code\":7,\"counts\":[{\"value\":1}]}"),
	  "7", "'code' must be a string, not a whole number" },
	{ COUNT("5"), "5]", "this must be an object, not a whole number" },
	{ COUNT("{}"), "{}", "'value' is missing: it must be a whole number" },
	{ COUNT("{\"value\":null}"), "null",
	  "'value' must be a whole number, not null" },
	{ COUNT("{\"value\":1e3}"), "1e3",
	  "'value' must be a whole number, not a decimal" },
	{ COUNT("{\"value\":\"18446744073709551616\"}"), "\"1844",
	  "'18446744073709551616' is not a whole number from 0 to 2^64 - 1" },
	{ COUNT("{\"value\":\"-1\"}"), "\"-1",
	  "'-1' is not a whole number from 0 to 2^64 - 1" },
	{ COUNT("{\"value\":\"\"}"), "\"\"",
	  "'' is not a whole number from 0 to 2^64 - 1" },
	{ COUNT("{\"absent\":\"\"}"), "\"\"",
	  "what is absent needs a reason" },
	{ COUNT("{\"absent\":7}"), "7}",
	  "'absent' must be a string that says why, not a whole number" },
	{ COUNT("{\"absent\":\"x\",\"state\":\"present\"}"), "\"present\"",
	  "what is absent has no state" },
	{ COUNT("{\"value\":1,\"state\":\"half\"}"), "\"half\"",
	  "'half' is no state: present, scaled" },
	{ COUNT("{\"value\":1,\"enabled\":5,\"running\":6}"), "{\"value\"",
	  "'running' is larger than 'enabled'" },
	{ COUNT("{\"value\":1,\"enabled\":5,\"running\":4}"), "{\"value\"",
	  "this ran only a part of the time, so its state must be 'scaled'" },
	{ COUNT("{\"value\":1,\"enabled\":5,\"running\":0,"
		"\"state\":\"scaled\"}"), "{\"value\"",
	  "a scaled count must have run, but 'running' is 0" },
	{ COUNT("{\"value\":4611686018427387904,\"enabled\":2,\"running\":1,"
		"\"state\":\"scaled\"}"), "{\"value\"",
	  "this count, scaled, is beyond 2^63" },
	/* the rest */
	{ REST("\"machine\":[]"), "[]}",
	  "'machine' must be an object, not an array" },
	{ REST("\"machine\":{\"isa\":\"0123456789abcdef\"}"), "\"0123",
	  "'isa' is longer than 15 bytes" },
	{ REST("\"machine\":{\"host\":\"{\\\"]}\\\\\"},"
	       "\"x\":[[\"]\"],{}],"
	       "\"fast_forwarded\":-1"), "-1",
	  "-1 is negative; this must be a whole number from 0" },
	{ REST("\"settings\":{\"cpu\":-2}"), "-2",
	  "'cpu' is neither a CPU's number nor -1" },
	{ REST("\"settings\":{\"warmup\":4294967296}"), "4294967296",
	  "'warmup' is 4294967296; the most is 4294967295" },
	{ REST("\"truth\":7"), "7}",
	  "'truth' must be an object, not a whole number" },
	{ REST("\"truth\":{\"loads\":\"7\"}"), "\"7\"",
	  "'loads' must be a number or {\"absent\": reason}, not a string" },
	{ REST("\"truth\":{\"loads\":{}}"), "{}",
	  "'loads' must be a number or {\"absent\": reason}, not an object" },
	{ REST("\"fast_forwarded\":-1"), "-1",
	  "-1 is negative; this must be a whole number from 0" },
};

/* The last place that the text stands at; "" is its end. */
static unsigned column_of(const char *text, const char *at)
{
	const char *found = *at ? strstr(text, at) : text + strlen(text);

	assert_non_null(found);
	return (unsigned)(found - text) + 1;
}

/* The caret is under the same byte of the excerpt. */
static void check_caret(const char *shown, const char *line, unsigned col)
{
	const char *source = strchr(shown, '\n'), *caret;

	assert_non_null(source);
	caret = strchr(source + 1, '\n');
	assert_non_null(caret);
	assert_int_equal(caret[1 + strspn(caret + 1, " \t")], '^');
	assert_int_equal(source[1 + strspn(caret + 1, " \t")] == '\n' ? '\0' :
			 source[1 + strspn(caret + 1, " \t")],
			 line[col - 1]);
}

static void hostile_lines_are_refused_where_they_are_wrong(void **state)
{
	static const char before[] = "\n{\"t\":\"note\"}\n";
	char text[2048], expected[1024];

	(void)state;
	for (size_t i = 0; i < sizeof(broken) / sizeof(*broken); i++) {
		struct assay_error err = { 0 };
		struct store store = { 0 };
		unsigned col = column_of(broken[i].text, broken[i].at);

		snprintf(text, sizeof(text), "%s%s\n", before, broken[i].text);
		assert_int_equal(read_text(&store, text, strlen(text), &err),
				 -ASSAY_EPARSE);
		assert_int_equal(err.code, -ASSAY_EPARSE);
		snprintf(expected, sizeof(expected), "f:3:%u: error: %s\n",
			 col, broken[i].error);
		if (strncmp(err.text, expected, strlen(expected)) != 0)
			fail_msg("%s\nexpected: %s", err.text, expected);
		check_caret(err.text, broken[i].text, col);
		assert_null(store.record);
	}
}

static void limits_hold(void **state)
{
	struct assay_error err = { 0 };
	struct store store = { 0 };
	size_t bytes = (16u << 20) + 10;
	char *text = malloc(bytes);

	(void)state;
	memset(text, ' ', bytes);
	assert_int_equal(read_text(&store, text, bytes, &err), -ASSAY_EPARSE);
	assert_non_null(strstr(err.text, "f:1:1: error: this line is longer "
			       "than 16777216 bytes"));
	memset(text, '[', 1 << 20);
	assert_int_equal(read_text(&store, text, 1 << 20, &err),
			 -ASSAY_EPARSE);
	assert_non_null(strstr(err.text, "maximum parsing depth reached"));
	free(text);
}

static void too_many_reasons_are_refused(void **state)
{
	struct assay_error err = { 0 };
	struct store store = { 0 };
	size_t bytes;
	char *text;
	FILE *out = open_memstream(&text, &bytes);

	(void)state;
	fputs(HEAD SHAPE "\"ns\":[", out);
	for (int i = 0; i < 300; i++)
		fprintf(out, "%s0", i ? "," : "");
	fputs("],\"events\":[{\"name\":\"e\",\"counts\":[", out);
	for (int i = 0; i < 300; i++)
		fprintf(out, "%s{\"absent\":\"%d\"}", i ? "," : "", i);
	fputs("]}]}", out);
	fclose(out);
	assert_int_equal(read_text(&store, text, bytes, &err), -ASSAY_EPARSE);
	assert_non_null(strstr(err.text, "more than 256 different reasons"));
	free(text);
}

static void long_reasons_are_refused(void **state)
{
	struct assay_error err = { 0 };
	struct store store = { 0 };
	char why[1025], text[2048];

	(void)state;
	for (size_t n = 1023; n <= 1024; n++) {
		memset(why, 'x', n);
		why[n] = '\0';
		snprintf(text, sizeof(text), COUNT("{\"absent\":\"%s\"}"), why);
		assert_int_equal(read_text(&store, text, strlen(text), &err),
				 n < 1024 ? 0 : -ASSAY_EPARSE);
		store_fini(&store);
	}
	assert_non_null(strstr(err.text, "a reason is longer than 1023 bytes"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			hostile_lines_are_refused_where_they_are_wrong),
		cmocka_unit_test(limits_hold),
		cmocka_unit_test(too_many_reasons_are_refused),
		cmocka_unit_test(long_reasons_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
