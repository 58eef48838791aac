/* SPDX-License-Identifier: MIT */
/*
 * Records as JSON Lines: what is written is read back as it was, hostile lines
 * are refused with their place, and the built-in records hold the published
 * numbers.
 */
#define _GNU_SOURCE	/* strcasestr */
#include "check.h"
#include "draw.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store-text.h"

/* ---- random records ----------------------------------------------------- */

static uint64_t seed = 88172645463325252;

static uint64_t next(void)
{
	return draw_next(&seed);
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

static void any_noise(struct assay_noise *n)
{
	if (below(3) == 0)
		return;
	n->seen = true;
	for (int k = 0; k < ASSAY_NOISE_KINDS; k++) {
		n->part[k] = (struct assay_noise_part){ -1, 0 };
		if (below(2))
			n->part[k].share = (double)below(1000) / 7;
		if (n->part[k].share >= 0 && below(2))
			n->part[k].limit = (double)(1 + below(1000)) / 7;
	}
	n->preempted = number();
	n->moved = number();
	n->repeated = number();
	n->disturbed = below(2);
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
	any_noise(&r->noise);
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

static void same_noise(const struct assay_noise *a,
		       const struct assay_noise *b)
{
	assert_int_equal(a->seen, b->seen);
	for (int k = 0; k < ASSAY_NOISE_KINDS; k++) {
		assert_true(a->part[k].share == b->part[k].share);
		assert_true(a->part[k].limit == b->part[k].limit);
	}
	assert_true(a->preempted == b->preempted);
	assert_true(a->moved == b->moved);
	assert_true(a->repeated == b->repeated);
	assert_int_equal(a->disturbed, b->disturbed);
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
	same_noise(&a->noise, &b->noise);
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
		skip_since("/dev/full: %s", strerror(errno));
	setvbuf(out, NULL, _IONBF, 0);
	assert_int_equal(store_write(out, r, &err), -ASSAY_EIO);
	assert_non_null(strstr(err.text, "cannot write the record"));
	fclose(out);
	record_free(r);
}

/* ---- what is tolerated -------------------------------------------------- */

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
	assert_int_equal(store_read(&store, "/tmp", NULL, &err),
			 -ASSAY_ENOENT);
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
		cmocka_unit_test(unknown_members_and_types_are_skipped),
		cmocka_unit_test(names_are_built_in_records),
		cmocka_unit_test(a_data_folder_overrides),
		cmocka_unit_test(a_shape_finds_its_record),
		cmocka_unit_test(built_in_records_are_as_the_writer_writes),
		cmocka_unit_test(the_documented_example_is_a_record),
		cmocka_unit_test(the_locale_does_not_matter),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
