/* SPDX-License-Identifier: MIT */
/* Numbers, sizes, distances and error texts as people write and read them. */
#include "check.h"

#include "base/text.h"

static void counts_with_suffixes(void **state)
{
	static const struct { const char *text; uint64_t value; int rc; } row[] = {
		{ "0", 0, 0 },
		{ "17", 17, 0 },
		{ "4K", 4096, 0 },
		{ "4KiB", 4096, 0 },
		{ "4 KiB", 4096, 0 },
		{ "4k", 4096, 0 },
		{ "16M", 16 << 20, 0 },
		{ "64B", 64, 0 },
		{ "18446744073709551615", UINT64_MAX, 0 },
		{ "18446744073709551616", 0, -ASSAY_ERANGE },
		{ "18014398509481984K", 0, -ASSAY_ERANGE },
		{ "16383P", 0, -ASSAY_EINVAL },
		{ "", 0, -ASSAY_EINVAL },
		{ "-1", 0, -ASSAY_EINVAL },
		{ "+1", 0, -ASSAY_EINVAL },
		{ " 1", 0, -ASSAY_EINVAL },
		{ "1.5K", 0, -ASSAY_EINVAL },
		{ "4KK", 0, -ASSAY_EINVAL },
		{ "0x10", 0, -ASSAY_EINVAL },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		uint64_t value = 0;
		int rc = text_count(&value, row[i].text, NULL);

		if (rc != row[i].rc || value != row[i].value)
			fail_msg("'%s': %d, %llu", row[i].text, rc,
				 (unsigned long long)value);
	}
}

static void sizes_are_exact(void **state)
{
	char text[32];

	(void)state;
	text_bytes(text, sizeof(text), 48 << 10);
	assert_string_equal(text, "48 KiB");
	text_bytes(text, sizeof(text), 1 << 20);
	assert_string_equal(text, "1 MiB");
	text_bytes(text, sizeof(text), 1000);
	assert_string_equal(text, "1000 B");
	text_about_bytes(text, sizeof(text), 7053952);
	assert_string_equal(text, "6.73 MiB");
	text_about_bytes(text, sizeof(text), 48 << 10);
	assert_string_equal(text, "48 KiB");
	text_about_bytes(text, sizeof(text), 1023 << 10);
	assert_string_equal(text, "0.999 MiB");
	text_bytes(text, sizeof(text), 0);
	assert_string_equal(text, "0 B");
	text_groups(text, sizeof(text), 268435456);
	assert_string_equal(text, "268 435 456");
	text_groups(text, sizeof(text), UINT64_MAX);
	assert_string_equal(text, "18 446 744 073 709 551 615");
	text_groups(text, 4, 123456);
	assert_true(strlen(text) < 4);
}

static void near_words(void **state)
{
	static const char *const words[] = { "page-faults", "task-clock",
					     "cycles", NULL };

	(void)state;
	assert_int_equal(text_distance("kitten", "sitting"), 3);
	assert_int_equal(text_distance("ab", "ba"), 1);
	assert_int_equal(text_distance("", "abc"), 3);
	assert_string_equal(text_nearest("page-falts", words), "page-faults");
	assert_string_equal(text_nearest("CYCELS", words), "cycles");
	assert_null(text_nearest("zebra", words));
	assert_string_equal(text_nearest("dir", (const char *[]){ "spr", "dri",
								  NULL }),
			    "dri");
	assert_null(text_nearest("dir", (const char *[]){ "spr", NULL }));
	assert_true(text_part("a72", "Cortex-A72"));
	assert_true(text_part("cortex", "Cortex-A72"));
	assert_false(text_part("a7", "Cortex-A72"));
	assert_false(text_part("a722", "Cortex-A72"));
}

static void places_have_a_caret(void **state)
{
	struct assay_error err;

	(void)state;
	assert_int_equal(error_at(&err, "a.yaml", "x: 1\n\ty: four\n", 2, 5,
				  "'y' must be a number, not '%s'", "four"),
			 -ASSAY_EPARSE);
	assert_string_equal(err.text,
			    "a.yaml:2:5: error: 'y' must be a number, "
			    "not 'four'\n\ty: four\n\t   ^");
	error_at(&err, "a.yaml", "x", 9, 1, "gone");
	assert_string_equal(err.text, "a.yaml:9:1: error: gone");
	error_at(&err, "a.yaml", "ab", 1, 99, "end");
	assert_string_equal(err.text, "a.yaml:1:99: error: end\nab\n  ^");
}

static void long_lines_are_cut_around_the_caret(void **state)
{
	struct assay_error err;
	char text[5000];
	const char *caret;

	(void)state;
	memset(text, 'a', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	text[3000] = '!';
	error_at(&err, "f", text, 1, 3001, "here");
	assert_true(strlen(err.text) < sizeof(err.text));
	caret = strrchr(err.text, '\n') + 1;
	assert_int_equal(*strchr(err.text, '!'), '!');
	assert_int_equal(strcspn(caret, "^"),
			 strchr(err.text, '!') - (strchr(err.text, '\n') + 1));
}

static void errors_never_overflow(void **state)
{
	struct assay_error err;

	(void)state;
	error_set(&err, -ASSAY_EINVAL, "%2000d", 1);
	error_add(&err, "%2000d", 1);
	assert_int_equal(strlen(err.text), sizeof(err.text) - 1);
	assert_int_equal(error_set(NULL, -ASSAY_EIO, "x"), -ASSAY_EIO);
	error_add(NULL, "x");
	assert_string_equal(assay_code_text(-ASSAY_ENOENT), "no such name");
	assert_string_equal(assay_code_text(7777), "unknown error code");
}

static void words_are_joined_to_the_room(void **state)
{
	static const char *const words[] = { "", "a", "", "bc", NULL };
	char all[8], cut[4];

	(void)state;
	text_join(all, sizeof(all), words, ", ");
	assert_string_equal(all, "a, bc");
	text_join(cut, sizeof(cut), words, ", ");
	assert_string_equal(cut, "a, ");
	text_join(cut, sizeof(cut), words + 4, ", ");
	assert_string_equal(cut, "");
}

static void items_of_a_list(void **state)
{
	const char *list = "ab,,abcdef,", *none = NULL;
	char item[4];

	(void)state;
	assert_true(text_item(&list, item, sizeof(item)));
	assert_string_equal(item, "ab");
	assert_true(text_item(&list, item, sizeof(item)));
	assert_string_equal(item, "");
	assert_true(text_item(&list, item, sizeof(item)));
	assert_string_equal(item, "abc");
	assert_false(text_item(&list, item, sizeof(item)));
	assert_false(text_item(&none, item, sizeof(item)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_with_suffixes),
		cmocka_unit_test(sizes_are_exact),
		cmocka_unit_test(near_words),
		cmocka_unit_test(places_have_a_caret),
		cmocka_unit_test(long_lines_are_cut_around_the_caret),
		cmocka_unit_test(errors_never_overflow),
		cmocka_unit_test(words_are_joined_to_the_room),
		cmocka_unit_test(items_of_a_list),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
