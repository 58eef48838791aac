/* SPDX-License-Identifier: MIT */
/* The sentence above what `assay topo --measure` shows. */
#include "check.h"

#include "base/row.h"
#include "cli/answers/answers.h"

static void cache(struct kept_rows *kept, const char *name, uint64_t bytes,
		  const char *finding)
{
	struct assay_field field[] = {
		field_text("cache", name), field_count("size", bytes),
		field_count("kernel", bytes),
		{ .name = "CPUID", .kind = ASSAY_FIELD_ABSENT, .text = "" },
		field_text("finding", finding),
	};

	assert_int_equal(row_emit(keep_row, kept, "cache", field, 5), 0);
}

static void level(struct kept_rows *kept, const char *name, uint64_t reported,
		  const char *finding)
{
	struct assay_field field[] = {
		field_text("level", name), field_count("reported", reported),
		field_text("finding", finding),
	};

	if (!reported)
		field[1] = (struct assay_field){ .name = "reported",
			.kind = ASSAY_FIELD_ABSENT, .text = "no cache" };
	assert_int_equal(row_emit(keep_row, kept, "measured-level", field, 3),
			 0);
}

static void trait(struct kept_rows *kept, const char *name, const char *trust,
		  const char *finding)
{
	const struct assay_field field[] = {
		field_text("trait", name), field_text("trust", trust),
		field_text("finding", finding),
	};

	assert_int_equal(row_emit(keep_row, kept, "trait", field, 3), 0);
}

static void answers(struct kept_rows *kept, const char *wanted)
{
	struct phrase text = { "", 0 };

	topo_answer(kept, &text);
	assert_string_equal(phrase_text(&text), wanted);
}

static void sizes_are_told(void **state)
{
	struct kept_rows kept = { 0 };

	(void)state;
	answers(&kept, "Nobody tells this machine's caches: neither the kernel,"
		" nor CPUID, nor a CPU file.");
	cache(&kept, "L1d", 49152, "");
	cache(&kept, "L2", 2 << 20, "");
	answers(&kept, "Caches of a core: L1d 48 KiB, L2 2 MiB; only the kernel "
		"tells them.");
	cache(&kept, "L3", 105 << 20, "CPUID says 16 MiB");
	answers(&kept, "Caches of a core: L1d 48 KiB, L2 2 MiB, L3 105 MiB. Not "
		"agreed: L3: CPUID says 16 MiB.");
	kept_rows_free(&kept);
}

static void timing_confirms_or_not(void **state)
{
	struct kept_rows kept = { 0 };

	(void)state;
	cache(&kept, "L1d", 49152, "");
	level(&kept, "L1d", 49152, "");
	level(&kept, "L2", 2 << 20, "");
	trait(&kept, "line", "high", "");
	answers(&kept, "Timing confirms L1d 48 KiB, L2 2 MiB.");
	level(&kept, "memory", 0, "no plateau");
	trait(&kept, "L1d ways", "contradicted", "6 ways x 64 sets");
	answers(&kept, "Timing confirms L1d 48 KiB, L2 2 MiB. Not confirmed: "
		"the last cache: no plateau. Not believed: L1d ways: 6 ways x "
		"64 sets.");
	kept_rows_free(&kept);
	level(&kept, "L1d", 49152, "24 KiB effective");
	answers(&kept, "Timing confirms no cache size that is reported. Not "
		"confirmed: L1d: 24 KiB effective.");
	kept_rows_free(&kept);
}

/* A text that does not fit is cut. */
static void room_is_kept(void **state)
{
	struct kept_rows kept = { 0 };
	struct phrase text = { "", 0 };

	(void)state;
	for (int i = 0; i < 200; i++)
		cache(&kept, "L1d", 49152, "");
	assert_int_equal(kept.rows, 200);
	topo_answer(&kept, &text);
	assert_int_equal(strlen(text.text), sizeof(text.text) - 1);
	kept_rows_free(&kept);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sizes_are_told),
		cmocka_unit_test(timing_confirms_or_not),
		cmocka_unit_test(room_is_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
