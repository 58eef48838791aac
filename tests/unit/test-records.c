/* SPDX-License-Identifier: MIT */
/* The built-in records hold the published numbers. */
#include "store-text.h"

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_chase_is_the_published_one),
		cmocka_unit_test(records_hold_the_published_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
