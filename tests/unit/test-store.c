/* SPDX-License-Identifier: MIT */
/*
 * Records as JSON Lines: what is written is read back as it was, hostile lines
 * are refused with their place, and the built-in records hold the published
 * numbers.
 */
#define _GNU_SOURCE	/* strcasestr */
#include "check.h"

#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/record.h"
#include "store/store.h"

static int read_text(struct store *out, const char *text, size_t bytes,
		     struct assay_error *err)
{
	FILE *in = fmemopen((void *)text, bytes, "r");
	int rc;

	assert_non_null(in);
	rc = store_read_stream(out, in, "f", err);
	fclose(in);
	return rc;
}

static char *written(const struct assay_record *r, size_t *bytes)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, bytes);

	assert_non_null(out);
	assert_int_equal(store_write(out, r, NULL), 0);
	fclose(out);
	return text;
}

static struct assay_record *read_one(struct store *store, const char *text)
{
	struct assay_error err = { 0 };

	if (read_text(store, text, strlen(text), &err) < 0)
		fail_msg("%s", err.text);
	assert_int_equal(store->records, 1);
	return store->record[0];
}

/* ---- random records ----------------------------------------------------- */

static uint64_t seed = 88172645463325252;

static uint64_t next(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed;
}

static unsigned below(unsigned n)
{
	return (unsigned)((next() >> 20) % n);
}

/* Small, around 2^53, or anything. */
static uint64_t number(void)
{
	switch (below(4)) {
	case 0:
		return below(1000);
	case 1:
		return (UINT64_C(1) << 53) - 2 + below(5);
	case 2:
		return UINT64_MAX - below(2);
	default:
		return next() >> below(64);
	}
}

static const char *const pieces[] = {
	"a", "Z9", " ", "\"", "\\", "/", "\x01", "\x1f", "\n", "\t", "\x7f",
	"é", "€",
	"\U0001d11e", "{", "}", "[", "]", ",", ":", "null", "\\u0041", "'",
};

static void any_text(char *out, size_t room, unsigned from)
{
	size_t used = 0;

	out[0] = '\0';
	for (unsigned n = from + below(12); n; n--) {
		const char *p = pieces[below(sizeof(pieces) /
					     sizeof(*pieces))];

		if (used + strlen(p) >= room)
			break;
		strcpy(out + used, p);
		used += strlen(p);
	}
}

/* Names must not be empty and have no control characters. */
static void any_name(char *out, size_t room, unsigned number)
{
	snprintf(out, room, "%s.%u", below(2) ? "É \"n\\" : "L2_LINES:IN",
		 number);
}

static const char *any_reason(struct assay_record *r)
{
	char text[ASSAY_ERROR_TEXT];

	any_text(text, sizeof(text), below(8) ? 1 : 900);
	return record_own_string(r, text[0] ? text : "x");
}

static void any_count(struct assay_record *r, struct assay_count *c)
{
	*c = (struct assay_count){ .value = number(),
				   .state = (enum assay_count_state)below(3) };
	if (c->state == ASSAY_COUNT_SCALED) {
		c->value >>= 12;
		c->running = 1 + below(1000);
		c->enabled = c->running + below(1000);
	} else if (below(2)) {
		c->enabled = c->running = number();
	}
	if (c->state != ASSAY_COUNT_ABSENT)
		return;
	c->why = any_reason(r);
	c->value = below(2) ? c->value : 0;
	c->running = below(2) ? c->running : 0;
}

static void any_option(struct assay_shape_value *o, unsigned index)
{
	o->kind = (enum assay_option_kind)below(5);
	snprintf(o->name, sizeof(o->name), "option-%u", index);
	o->value = (int64_t)(number() >> 1);
	if (o->kind == ASSAY_OPTION_FLAG)
		o->value &= 1;
	if (o->kind == ASSAY_OPTION_REAL && below(2))
		o->value = -o->value - 1;
	if (o->kind == ASSAY_OPTION_CHOICE)
		any_name(o->word, sizeof(o->word), index);
}

static void any_truth(struct assay_record *r)
{
	for (int i = 0; i < ASSAY_QUANTITIES; i++) {
		struct assay_value *v = &r->truth.of[i];

		*v = (struct assay_value){ .estimate = below(4) == 0 };
		switch (below(5)) {
		case 0:
			v->number = (double)number();
			break;
		case 1:
			v->number = ldexp((double)next(), -(int)below(2000));
			break;
		case 2:
			v->number = -(double)below(1000) / 7;
			break;
		case 3:
			*v = (struct assay_value){ .why = any_reason(r) };
			break;
		default:
			*v = (struct assay_value){ .why = record_not_known };
		}
	}
}

static struct assay_record *any_record(void)
{
	struct assay_record *r = record_new(below(8), below(5));

	assert_non_null(r);
	any_name(r->provider, sizeof(r->provider), 1);
	any_text(r->machine.host, sizeof(r->machine.host), 0);
	any_text(r->machine.cpu, sizeof(r->machine.cpu), 0);
	any_text(r->machine.isa, sizeof(r->machine.isa), 0);
	any_text(r->machine.kernel, sizeof(r->machine.kernel), 30);
	any_text(r->machine.hypervisor, sizeof(r->machine.hypervisor), 0);
	any_name(r->shape.kernel, sizeof(r->shape.kernel), 1);
	r->shape.options = below(ASSAY_SHAPE_OPTIONS + 1);
	for (unsigned i = 0; i < r->shape.options; i++)
		any_option(&r->shape.option[i], i);
	r->settings.cpu = below(2) ? -1 : (int)below(4096);
	r->settings.warmup = (unsigned)number();
	any_text(r->settings.page_map, sizeof(r->settings.page_map), 0);
	any_text(r->settings.pages, sizeof(r->settings.pages), 0);
	any_text(r->settings.options, sizeof(r->settings.options), 60);
	for (unsigned e = 0; e < r->events; e++) {
		any_name(r->event[e].name, sizeof(r->event[e].name), e);
		any_text(r->event[e].code, sizeof(r->event[e].code), 0);
		any_text(r->event[e].why, sizeof(r->event[e].why), 0);
	}
	for (unsigned i = 0; i < r->events * r->repeats; i++)
		any_count(r, &r->counts[i]);
	for (unsigned i = 0; i < r->repeats; i++)
		r->ns[i] = number();
	any_truth(r);
	r->fast_forwarded = number();
	return r;
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

static void same_counts(const struct assay_record *a,
			const struct assay_record *b)
{
	for (unsigned i = 0; i < a->events * a->repeats; i++) {
		const struct assay_count *x = &a->counts[i];
		const struct assay_count *y = &b->counts[i];

		assert_true(x->value == y->value);
		assert_true(x->enabled == y->enabled);
		assert_true(x->running == y->running);
		assert_int_equal(x->state, y->state);
		assert_true(same_text(x->why, y->why));
	}
	for (unsigned i = 0; i < a->repeats; i++)
		assert_true(a->ns[i] == b->ns[i]);
}

static void same_record(const struct assay_record *a,
			const struct assay_record *b)
{
	assert_memory_equal(&a->machine, &b->machine, sizeof(a->machine));
	assert_string_equal(a->provider, b->provider);
	assert_memory_equal(&a->shape, &b->shape, sizeof(a->shape));
	assert_memory_equal(&a->settings, &b->settings, sizeof(a->settings));
	assert_int_equal(a->events, b->events);
	assert_int_equal(a->repeats, b->repeats);
	assert_memory_equal(a->event, b->event, sizeof(a->event));
	same_counts(a, b);
	for (int i = 0; i < ASSAY_QUANTITIES; i++) {
		const struct assay_value *x = &a->truth.of[i];
		const struct assay_value *y = &b->truth.of[i];

		assert_true(same_text(x->why, y->why));
		assert_true(x->number == y->number);
		assert_int_equal(x->estimate, y->estimate);
	}
	assert_true(a->fast_forwarded == b->fast_forwarded);
}

static void reading_gives_what_was_written(void **state)
{
	(void)state;
	for (int i = 0; i < 1000; i++) {
		struct assay_record *r = any_record();
		struct store store = { 0 };
		size_t bytes;
		char *text = written(r, &bytes);

		assert_ptr_equal(strchr(text, '\n'), text + bytes - 1);
		same_record(r, read_one(&store, text));
		store_fini(&store);
		record_free(r);
		free(text);
	}
}

/* ---- what is written ---------------------------------------------------- */

static void what_json_cannot_hold_is_not_written(void **state)
{
	struct assay_record *r = record_new(1, 1);
	size_t bytes;
	char *text;

	(void)state;
	strcpy(r->provider, "sim");
	strcpy(r->shape.kernel, "chase");
	strcpy(r->event[0].name, "E");
	strcpy(r->machine.host, "bad \xff\xc0\xaf\xed\xa0\x80 utf-8");
	r->counts[0] = (struct assay_count){
		.value = (UINT64_C(1) << 53) + 1 };
	r->truth.of[ASSAY_Q_loads] = (struct assay_value){ .number = NAN };
	r->truth.of[ASSAY_Q_stores] =
		(struct assay_value){ .number = INFINITY };
	text = written(r, &bytes);
	assert_non_null(strstr(text, "{\"value\":\"9007199254740993\"}"));
	assert_non_null(strstr(text,
		"\"loads\":{\"absent\":\"not a finite number\"}"));
	assert_non_null(strstr(text,
		"\"stores\":{\"absent\":\"not a finite number\"}"));
	assert_null(strcasestr(text, "nan"));
	assert_null(strcasestr(text, "inf"));
	assert_non_null(strstr(text, "bad \\ufffd\\ufffd\\ufffd"));
	record_free(r);
	free(text);
}

static void a_full_disk_is_an_error(void **state)
{
	struct assay_record *r = record_new(0, 0);
	struct assay_error err = { 0 };
	FILE *out = fopen("/dev/full", "w");

	(void)state;
	if (!out)
		skip();
	setvbuf(out, NULL, _IONBF, 0);
	assert_int_equal(store_write(out, r, &err), -ASSAY_EIO);
	assert_non_null(strstr(err.text, "cannot write the record"));
	fclose(out);
	record_free(r);
}

/* ---- what is refused ---------------------------------------------------- */

#define HEAD "{\"t\":\"record\",\"schema\":1,\"provider\":\"p\","
#define SHAPE "\"shape\":{\"kernel\":\"k\"},"
#define OPTION(text) HEAD "\"shape\":{\"kernel\":\"k\",\"options\":[" text "]},\
\"ns\":[],\"events\":[]}"
#define EVENTS(text) HEAD SHAPE "\"ns\":[1],\"events\":[" text "]}"
#define COUNT(text) EVENTS("{\"name\":\"e\",\"counts\":[" text "]}")
#define REST(text) HEAD SHAPE "\"ns\":[],\"events\":[]," text "}"

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

/* ---- what is tolerated -------------------------------------------------- */

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

static void unknown_members_and_types_are_skipped(void **state)
{
	static const char text[] =
		"{\"t\":\"run\",\"schema\":9}\r\n"
		"\n"
		"{\"t\":\"record\",\"later\":{\"a\":[1,2]},\"schema\":1,"
		"\"provider\":\"p\",\"shape\":{\"kernel\":\"k\",\"x\":0},"
		"\"ns\":[3],\"events\":[{\"name\":\"e\",\"why\":\"\","
		"\"counts\":[{\"value\":\"18446744073709551615\",\"y\":0}]}],"
		"\"truth\":{\"new_quantity\":5,\"loads\":2.5}}";
	struct store store = { 0 };
	struct assay_record *r = read_one(&store, text);

	(void)state;
	assert_string_equal(r->shape.kernel, "k");
	assert_true(r->counts[0].value == UINT64_MAX);
	assert_int_equal(r->counts[0].state, ASSAY_COUNT_PRESENT);
	assert_int_equal(r->settings.cpu, -1);
	assert_true(r->truth.of[ASSAY_Q_loads].number == 2.5);
	assert_null(r->truth.of[ASSAY_Q_loads].why);
	assert_ptr_equal(r->truth.of[ASSAY_Q_stores].why, record_not_known);
	store_fini(&store);
}

/* ---- names and files ---------------------------------------------------- */

static void names_are_built_in_records(void **state)
{
	struct assay_error err = { 0 };
	struct store store = { 0 };

	(void)state;
	assert_int_equal(store_read(&store, "a72-chase", NULL, &err), 0);
	assert_int_equal(store.records, 12);
	store_fini(&store);
	assert_int_equal(store_read(&store, "a72-chaes", NULL, &err),
			 -ASSAY_ENOENT);
	assert_string_equal(err.text, "no file and no record is called "
			    "'a72-chaes'\ndid you mean 'a72-chase'?");
	assert_int_equal(store_read(&store, "/nowhere/x.jsonl", NULL, &err),
			 -ASSAY_ENOENT);
	assert_string_equal(err.text, "cannot read '/nowhere/x.jsonl': No such "
			    "file or directory");
	assert_int_equal(store_read(&store, "/tmp", NULL, &err), -ASSAY_EIO);
	assert_string_equal(err.text, "cannot read '/tmp': Is a directory");
}

static void a_data_folder_overrides(void **state)
{
	char folder[] = "/tmp/test-store-XXXXXX", path[64];
	struct assay_error err = { 0 };
	struct store store = { 0 };
	FILE *out;

	(void)state;
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/records", folder);
	assert_int_equal(mkdir(path, 0700), 0);
	snprintf(path, sizeof(path), "%s/records/a72-chase.jsonl", folder);
	out = fopen(path, "w");
	fputs(REST("\"fast_forwarded\":5") "\n", out);
	fclose(out);
	assert_int_equal(store_read(&store, "a72-chase", folder, &err), 0);
	assert_int_equal(store.records, 1);
	assert_int_equal(store.record[0]->fast_forwarded, 5);
	store_fini(&store);
	assert_int_equal(store_read(&store, "k10-sample", folder, &err), 0);
	assert_int_equal(store.records, 1);
	store_fini(&store);
	unlink(path);
	*strrchr(path, '/') = '\0';
	rmdir(path);
	rmdir(folder);
}

static void set(struct assay_shape *shape, const char *name,
		enum assay_option_kind kind, int64_t value, const char *word)
{
	struct assay_shape_value *o = &shape->option[shape->options++];

	*o = (struct assay_shape_value){ .kind = kind, .value = value };
	strcpy(o->name, name);
	strcpy(o->word, word);
}

static void a_shape_finds_its_record(void **state)
{
	struct assay_shape shape = { .kernel = "chase" };
	const struct assay_record *found;
	struct store store = { 0 };

	(void)state;
	assert_int_equal(store_read(&store, "a72-chase", NULL, NULL), 0);
	set(&shape, "elements", ASSAY_OPTION_COUNT, 1024, "");
	set(&shape, "passes", ASSAY_OPTION_COUNT, 262144, "");
	assert_null(store_find(&store, &shape));	/* no order */
	set(&shape, "order", ASSAY_OPTION_CHOICE, 77, "fisher-yates");
	set(&shape, "chains", ASSAY_OPTION_COUNT, 1, "");
	found = store_find(&store, &shape);
	assert_ptr_equal(found, store.record[5]);
	strcpy(shape.option[2].word, "linear");
	assert_null(store_find(&store, &shape));
	strcpy(shape.option[2].word, "fisher-yates");
	shape.option[1].value++;
	assert_null(store_find(&store, &shape));
	shape.option[1].value--;
	strcpy(shape.kernel, "random");
	assert_null(store_find(&store, &shape));
	store_fini(&store);
}

/* ---- the published numbers ---------------------------------------------- */

/* As the articles print them: milliseconds, then counts. */
static const struct {
	uint64_t elements, passes, ms, inst, cycles, l1d, l1d_miss, l2d,
		l2d_miss;
} chase[] = {
	{ 32, 8388608, 609, 847249436, 855660776, 268435785, 484, 1085, 68 },
	{ 64, 4194304, 814, 826277916, 1154215728, 268435630, 1316, 8490994,
	  228 },
	{ 128, 2097152, 806, 815792156, 1114379370, 268435639, 1149, 4300759,
	  151 },
	{ 256, 1048576, 763, 810549276, 1093757212, 268435622, 4319, 2102562,
	  163 },
	{ 512, 524288, 975, 807927836, 1382324229, 268435828, 17343069,
	  18495230, 1003 },
	{ 1024, 262144, 3446, 806617116, 5074763198, 268435603, 234906566,
	  235483730, 1517 },
	{ 2048, 131072, 3805, 805961756, 5643312493, 268435592, 268435529,
	  270831005, 2745 },
	{ 4096, 65536, 4452, 805634076, 6621262142, 268435625, 268435588,
	  269203020, 31340 },
	{ 8192, 32768, 4813, 805470236, 7163843161, 268435599, 268435530,
	  270893954, 443477 },
	{ 16384, 16384, 18421, 805388316, 27563140814, 268435594, 268435782,
	  302452386, 107397408 },
	{ 32768, 8192, 32969, 805347356, 49317924775, 268435579, 268435960,
	  286244127, 227010870 },
	{ 65536, 4096, 36645, 805326876, 54865753267, 268435635, 268435941,
	  277293265, 252881540 },
};

static uint64_t counted(const struct assay_record *r, const char *event)
{
	int e = assay_record_find(r, event);

	if (e < 0)
		fail_msg("no event '%s'", event);
	assert_int_equal(r->counts[e].state, ASSAY_COUNT_PRESENT);
	return r->counts[e].value;
}

static void the_chase_is_the_published_one(void **state)
{
	struct store store = { 0 };

	(void)state;
	assert_int_equal(store_read(&store, "a72-chase", NULL, NULL), 0);
	assert_int_equal(store.records, sizeof(chase) / sizeof(*chase));
	for (size_t i = 0; i < store.records; i++) {
		const struct assay_record *r = store.record[i];

		assert_string_equal(r->provider, "published");
		assert_string_equal(r->machine.cpu, "cortex-a72");
		assert_true(strstr(r->settings.options, "Drongowski"));
		assert_int_equal(assay_shape_get(&r->shape, "elements"),
				 chase[i].elements);
		assert_int_equal(assay_shape_get(&r->shape, "passes"),
				 chase[i].passes);
		assert_int_equal(r->ns[0], chase[i].ms * 1000000);
		assert_int_equal(counted(r, "INST_RETIRED"), chase[i].inst);
		assert_int_equal(counted(r, "CPU_CYCLES"), chase[i].cycles);
		assert_int_equal(counted(r, "L1D_CACHE_LD"), chase[i].l1d);
		assert_int_equal(counted(r, "L1D_CACHE_REFILL_LD"),
				 chase[i].l1d_miss);
		assert_int_equal(counted(r, "L2D_CACHE_LD"), chase[i].l2d);
		assert_int_equal(counted(r, "L2D_CACHE_REFILL_LD"),
				 chase[i].l2d_miss);
		assert_int_equal(counted(r, "INST_RETIRED"),
				 3 * chase[i].elements * chase[i].passes +
				 5 * chase[i].passes + 28);
	}
	store_fini(&store);
}

static const struct {
	const char *file;
	size_t record;
	const char *event, *code;
	uint64_t value;
} published[] = {
	{ "a72-chase", 0, "INST_RETIRED", "0x08", 847249436 },
	{ "a72-chase", 11, "CPU_CYCLES", "0x11", 54865753267 },
	{ "a72-chase", 1, "L1D_CACHE_LD", "0x40", 268435630 },
	{ "a72-chase", 1, "L1D_CACHE_REFILL_LD", "0x42", 1316 },
	{ "a72-chase", 1, "L2D_CACHE_LD", "0x50", 8490994 },
	{ "a72-chase", 1, "L2D_CACHE_REFILL_LD", "0x52", 228 },
	{ "a72-matmul", 0, "INST_RETIRED", "0x08", 38227831497 },
	{ "a72-matmul", 0, "CPU_CYCLES", "0x11", 42068324320 },
	{ "a72-matmul", 0, "L1D_CACHE_LD", "0x40", 15070922957 },
	{ "a72-matmul", 0, "L1D_CACHE_REFILL_LD", "0x42", 1096278643 },
	{ "a72-matmul", 0, "L2D_CACHE_LD", "0x50", 1896007792 },
	{ "a72-matmul", 0, "L2D_CACHE_REFILL_LD", "0x52", 124888097 },
	{ "a72-matmul", 0, "L1D_TLB_REFILL", "0x05", 1001149440 },
	{ "a72-matmul", 0, "L1D_TLB_REFILL_LD", "0x4C", 1000143621 },
	{ "a72-matmul", 0, "L1D_TLB_REFILL_ST", "0x4D", 1005819 },
	{ "a72-matmul", 1, "INST_RETIRED", "0x08", 38227830517 },
	{ "a72-matmul", 1, "L1D_CACHE_LD", "0x40", 15070845178 },
	{ "a72-matmul", 2, "INST_RETIRED", "0x08", 60210830509 },
	{ "a72-matmul", 2, "CPU_CYCLES", "0x11", 29279037884 },
	{ "a72-matmul", 2, "L1D_CACHE_LD", "0x40", 19094920483 },
	{ "a72-matmul", 2, "L1D_CACHE_REFILL_LD", "0x42", 9576935 },
	{ "a72-matmul", 2, "L2D_CACHE_LD", "0x50", 264923412 },
	{ "a72-matmul", 2, "L2D_CACHE_REFILL_LD", "0x52", 125524763 },
	{ "a72-matmul", 2, "L1D_TLB_REFILL", "0x05", 17556 },
	{ "a72-matmul", 2, "L1D_TLB_REFILL_LD", "0x4C", 10854 },
	{ "a72-matmul", 2, "L1D_TLB_REFILL_ST", "0x4D", 6702 },
	{ "a72-matmul", 3, "INST_RETIRED", "0x08", 60210830503 },
	{ "a72-matmul", 3, "L1D_CACHE_LD", "0x40", 19094937273 },
	{ "a72-branch", 0, "INST_RETIRED", "0x08", 45999735845 },
	{ "a72-branch", 0, "INST_SPEC", "0x1B", 98395483123 },
	{ "a72-branch", 0, "CPU_CYCLES", "0x11", 59010851259 },
	{ "a72-branch", 0, "BR_PRED_SPEC", "", 8012669711 },
	{ "a72-branch", 0, "BR_MIS_PRED", "0x10", 2001934251 },
	{ "a72-branch", 0, "BR_PRED", "0x12", 8012669710 },
	{ "k10-sample", 0, "RETIRED_INSTRUCTIONS", "rc0", 6122320253 },
	{ "k10-sample", 0, "DATA_CACHE_ACCESSES", "r40", 2123804830 },
	{ "k10-sample", 0, "DATA_CACHE_REFILLS:L2", "r1e42", 59707845 },
	{ "k10-sample", 0, "DATA_CACHE_REFILLS_FROM_SYSTEM:VALID", "r1e43",
	  127228277 },
	{ "k10-sample", 0, "INSTRUCTION_CACHE_FETCHES", "rc80", 1630510550 },
	{ "k10-sample", 0, "INSTRUCTION_CACHE_REFILLS_FROM_L2", "rc82",
	  80385 },
	{ "k10-sample", 0, "INSTRUCTION_CACHE_REFILLS_FROM_SYSTEM", "rc83",
	  88990 },
	{ "k10-sample", 0, "REQUESTS_TO_L2:TLB_WALK", "rc47d", 18766878 },
	{ "k10-sample", 0, "L2_CACHE_MISS:TLB_WALK", "rc47e", 8167131 },
	{ "k10-sample", 0, "READ_REQUEST_TO_L3", "rcf74e0", 32867005 },
	{ "k10-sample", 0, "L3_CACHE_MISSES", "rcf74e1", 16306069 },
};

static void records_hold_the_published_numbers(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(published) / sizeof(*published); i++) {
		struct store store = { 0 };
		const struct assay_record *r;

		assert_int_equal(store_read(&store, published[i].file, NULL,
					    NULL), 0);
		assert_true(published[i].record < store.records);
		r = store.record[published[i].record];
		assert_int_equal(counted(r, published[i].event),
				 published[i].value);
		assert_string_equal(
			r->event[assay_record_find(r, published[i].event)].code,
			published[i].code);
		store_fini(&store);
	}
}

/* Writing what was read gives the very files. */
static void built_in_records_are_as_the_writer_writes(void **state)
{
	static const char *const names[] = { "a72-chase", "a72-matmul",
					     "a72-branch", "k10-sample" };

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		struct store store = { 0 };
		char path[4096], *text = NULL, line[65536];
		size_t bytes;
		FILE *in;

		snprintf(path, sizeof(path), "%s/data/records/%s.jsonl",
			 getenv("ASSAY_SOURCE"), names[i]);
		in = fopen(path, "r");
		assert_non_null(in);
		assert_int_equal(store_read(&store, path, NULL, NULL), 0);
		for (size_t k = 0; k < store.records; k++) {
			assert_non_null(fgets(line, sizeof(line), in));
			text = written(store.record[k], &bytes);
			assert_string_equal(text, line);
			free(text);
		}
		assert_null(fgets(line, sizeof(line), in));
		fclose(in);
		store_fini(&store);
	}
}

/* The example of the documentation, which is broken there for reading. */
static void the_documented_example_is_a_record(void **state)
{
	char path[4096], text[65536], *from, *end;
	struct store store = { 0 };
	struct assay_record *r;
	FILE *in;

	(void)state;
	snprintf(path, sizeof(path), "%s/docs/record.md",
		 getenv("ASSAY_SOURCE"));
	in = fopen(path, "r");
	assert_non_null(in);
	text[fread(text, 1, sizeof(text) - 1, in)] = '\0';
	fclose(in);
	from = strstr(text, "```json\n");
	assert_non_null(from);
	from += strlen("```json\n");
	end = strstr(from, "```");
	assert_non_null(end);
	*end = '\0';
	for (char *c = from; *c; c++)
		*c = *c == '\n' ? ' ' : *c;
	r = read_one(&store, from);
	assert_int_equal(r->shape.options, 2);
	assert_int_equal(r->events, 2);
	assert_true(r->truth.of[ASSAY_Q_loads].number == 268435456);
	assert_int_equal(r->fast_forwarded, 524280);
	store_fini(&store);
}

/* A decimal comma must not get into the file. */
static void the_locale_does_not_matter(void **state)
{
	static const char *const locales[] = { "de_DE.UTF-8", "fr_FR.UTF-8",
					       "de_DE.utf8", "C" };
	struct assay_record *r = record_new(0, 0);
	struct store store = { 0 };
	size_t bytes;
	char *text;

	(void)state;
	for (int i = 0; i < 4 && !setlocale(LC_NUMERIC, locales[i]); i++)
		;
	strcpy(r->provider, "p");
	strcpy(r->shape.kernel, "k");
	r->truth.of[ASSAY_Q_ns_per_access] =
		(struct assay_value){ .number = 0.1 };
	text = written(r, &bytes);
	assert_non_null(strstr(text, "\"ns_per_access\":0.1"));
	same_record(r, read_one(&store, text));
	setlocale(LC_NUMERIC, "C");
	store_fini(&store);
	record_free(r);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reading_gives_what_was_written),
		cmocka_unit_test(what_json_cannot_hold_is_not_written),
		cmocka_unit_test(a_full_disk_is_an_error),
		cmocka_unit_test(
			hostile_lines_are_refused_where_they_are_wrong),
		cmocka_unit_test(limits_hold),
		cmocka_unit_test(too_many_reasons_are_refused),
		cmocka_unit_test(long_reasons_are_refused),
		cmocka_unit_test(unknown_members_and_types_are_skipped),
		cmocka_unit_test(names_are_built_in_records),
		cmocka_unit_test(a_data_folder_overrides),
		cmocka_unit_test(a_shape_finds_its_record),
		cmocka_unit_test(the_chase_is_the_published_one),
		cmocka_unit_test(records_hold_the_published_numbers),
		cmocka_unit_test(built_in_records_are_as_the_writer_writes),
		cmocka_unit_test(the_documented_example_is_a_record),
		cmocka_unit_test(the_locale_does_not_matter),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
