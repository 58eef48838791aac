/* SPDX-License-Identifier: MIT */
/* Findings of an audit on entries made here; what is right has none. */
#include <stdio.h>
#include <string.h>

#include "check.h"

#include "audit/audit.h"

/* The findings, "class/confidence name;" each. */
static char found[2000];

static int note(void *ctx, const struct audit_finding *f)
{
	const size_t n = strlen(found);

	(void)ctx;
	snprintf(found + n, sizeof(found) - n, "%s/%s %s;", f->class,
		 audit_confidence_names[f->confidence], f->entry->name);
	return 0;
}

static void add_to(struct audit_adding *to, enum entry_source source,
		   const char *table, const char *name, const char *unit,
		   unsigned select, unsigned umask, unsigned value)
{
	struct entry e = entry_empty();

	e.source = source;
	e.file = table;
	e.table = table;
	e.line = 1;
	e.name = name;
	e.code.given = CODE_SELECT | CODE_UMASK;
	e.code.selects = e.code.umasks = 1;
	e.code.select[0] = select;
	e.code.umask[0] = umask;
	e.code.msr_value = value;
	e.code.unit = unit;
	assert_int_equal(audit_add(to, &e), 0);
}

static void add(struct audit_adding *to, enum entry_source source,
		const char *table, const char *name, unsigned select,
		unsigned umask)
{
	add_to(to, source, table, name, "", select, umask, 0);
}

/* Names that two tables share, with equal codes. */
static void add_shared(struct audit_adding *to, enum entry_source source,
		       const char *table)
{
	char name[32];

	for (unsigned i = 0; i < 50; i++) {
		snprintf(name, sizeof(name), "SHARED.N%u", i);
		add(to, source, table, name, 0x20 + i, i);
	}
}

static const char *run(struct audit *audit)
{
	struct audit_count count;

	*found = '\0';
	assert_int_equal(audit_run(audit, note, NULL, &count), 0);
	audit_free(audit);
	return found;
}

static void test_right(void **state)
{
	struct audit_adding to = { audit_new(), true, NULL };

	(void)state;
	add(&to, ENTRY_PERFMON, "SKL", "TLB.HIT", 0x51, 1);
	add(&to, ENTRY_PERFMON, "SKL", "TLB.MISS", 0x51, 2);
	add(&to, ENTRY_LIBPFM4, "skl", "TLB:HIT", 0x51, 1);
	assert_string_equal(run(to.audit), "");
}

static void test_vendor_contradicts(void **state)
{
	struct audit_adding to = { audit_new(), true, NULL };

	(void)state;
	add(&to, ENTRY_LIKWID, "skylake", "TLB_HIT", 0x51, 0x10);
	to.audited = false;
	add(&to, ENTRY_PERFMON, "SKL", "TLB.HIT", 0x51, 1);
	assert_string_equal(run(to.audit), "digit/high TLB_HIT;");
}

/* A witness has no findings, and another CPU's table is no witness. */
static void test_other_cpu(void **state)
{
	struct audit_adding to = { audit_new(), true, NULL };

	(void)state;
	add(&to, ENTRY_LIKWID, "skylake", "TLB_HIT", 0x51, 1);
	to.audited = false;
	add(&to, ENTRY_PERFMON, "HSW", "TLB.HIT", 0x51, 4);
	assert_string_equal(run(to.audit), "");
}

static void test_edition(void **state)
{
	struct audit_adding to = { audit_new(), true, NULL };

	(void)state;
	add_shared(&to, ENTRY_PERFMON, "SKL");
	add(&to, ENTRY_PERFMON, "SKL", "GONE.NAME", 0x90, 1);
	add(&to, ENTRY_PERFMON, "SKL", "MENDED.NAME", 0x91, 1);
	to.audited = false;
	add_shared(&to, ENTRY_PERFMON, "SKL");
	add(&to, ENTRY_PERFMON, "SKL", "MENDED.NAME", 0xa3, 0x44);
	assert_string_equal(run(to.audit), "withdrawn/medium GONE.NAME;"
			    "cross/medium MENDED.NAME;");
}

static void test_field(void **state)
{
	struct audit_adding to = { audit_new(), true, NULL };

	(void)state;
	add(&to, ENTRY_PERFMON, "SKL", "WIDE.UMASK", 0x51, 0x1ff);
	add(&to, ENTRY_PERFMON, "SKL", "WIDE.SELECT", 0x1fff, 1);
	assert_string_equal(run(to.audit), "field/high WIDE.UMASK;"
			    "field/high WIDE.SELECT;");
}

/* Registers' values of FRONTEND_RETIRED are compared; Linux's table with the
 * same mistake is as old as libpfm4's, and no opinion of its own. */
static void test_second_hand(void **state)
{
	struct audit_adding to = { audit_new(), true, NULL };

	(void)state;
	add_to(&to, ENTRY_LIBPFM4, "gnr", "FRONTEND_RETIRED:ANT", "", 0xc6, 3,
	       9);
	add_to(&to, ENTRY_LIBPFM4, "gnr", "FRONTEND_RETIRED:SWPF", "", 0xc6, 3,
	       9);
	to.audited = false;
	add_to(&to, ENTRY_LINUX, "graniterapids", "FRONTEND_RETIRED.ANT", "",
	       0xc6, 3, 9);
	add_to(&to, ENTRY_LINUX, "graniterapids", "FRONTEND_RETIRED.SWPF", "",
	       0xc6, 3, 9);
	add_to(&to, ENTRY_PERFMON, "GNR", "FRONTEND_RETIRED.ANT", "", 0xc6, 3,
	       9);
	add_to(&to, ENTRY_PERFMON, "GNR", "FRONTEND_RETIRED.SWPF", "", 0xc6, 3,
	       10);
	assert_string_equal(run(to.audit), "dup/high FRONTEND_RETIRED:SWPF;"
			    "cross/medium FRONTEND_RETIRED:SWPF;");
}

/* "UNC_M_X" of an iMC is X of likwid's MBOX. likwid's select has no ninth bit,
 * and a umask inside the other's may have bits that mean any. */
static void test_letter(void **state)
{
	struct audit_adding to = { audit_new(), true, NULL };

	(void)state;
	add_to(&to, ENTRY_LIKWID, "ivybridgeEP", "CAS_WMM", "MBOX", 4, 1, 0);
	add_to(&to, ENTRY_LIKWID, "ivybridgeEP", "CAS_RMM", "MBOX", 4, 0x20, 0);
	add_to(&to, ENTRY_LIKWID, "ivybridgeEP", "RING_UP", "CBOX", 5, 0x33, 0);
	to.audited = false;
	add_to(&to, ENTRY_PERFMON, "IVT", "UNC_M_CAS.WMM", "iMC", 4, 0x10, 0);
	add_to(&to, ENTRY_PERFMON, "IVT", "UNC_M_CAS.RMM", "iMC", 0x104, 0x20,
	       0);
	add_to(&to, ENTRY_PERFMON, "IVT", "UNC_C_RING.UP", "CBO", 5, 3, 0);
	assert_string_equal(run(to.audit), "digit/high CAS_WMM;"
			    "digit/medium RING_UP;");
}

/* An event of libpfm4's CHA, its umask and flags as libpfm4 encodes them. */
static void add_uncore(struct audit_adding *to, const char *name,
		       uint64_t config)
{
	struct entry e = entry_empty();

	e.source = ENTRY_LIBPFM4;
	e.file = "libpfm4";
	e.table = "spr_unc_cha0";
	e.name = name;
	e.code.unit = e.table;
	e.code.given = CODE_CONFIG;
	e.code.config = config;
	assert_int_equal(audit_add(to, &e), 0);
}

/* The upper bits of a umask that the vendor has too, and bit 21, the ninth of
 * the select. */
static void test_uncore(void **state)
{
	struct audit_adding to = { audit_new(), true, NULL };
	struct entry e = entry_empty();

	(void)state;
	add_uncore(&to, "UNC_CHA_A", UINT64_C(0x10c0018100000135));
	add_uncore(&to, "UNC_CHA_B", UINT64_C(0x10c0018100000236));
	add_uncore(&to, "UNC_CHA_C", 0x200137);
	to.audited = false;
	e.source = ENTRY_PERFMON;
	e.file = e.table = "SPR";
	e.name = "UNC_CHA_A";
	e.code.unit = "CHA";
	e.code.given = CODE_SELECT | CODE_UMASK;
	e.code.selects = e.code.umasks = 1;
	e.code.select[0] = 0x35;
	e.code.umask[0] = 1;
	e.code.extension = 0x10c00181;
	assert_int_equal(audit_add(&to, &e), 0);
	e.name = "UNC_CHA_C";
	e.code.select[0] = 0x137;
	e.code.extension = 0;
	assert_int_equal(audit_add(&to, &e), 0);
	assert_string_equal(run(to.audit),
			    "field/high UNC_CHA_B;field/low UNC_CHA_A;");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_right),
		cmocka_unit_test(test_vendor_contradicts),
		cmocka_unit_test(test_other_cpu),
		cmocka_unit_test(test_edition),
		cmocka_unit_test(test_field), cmocka_unit_test(test_letter),
		cmocka_unit_test(test_second_hand),
		cmocka_unit_test(test_uncore),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
