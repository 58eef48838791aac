/* SPDX-License-Identifier: MIT */
/*
 * Names to encodings: every way to write an event, with what it must become
 * or the sentence with which it must fail. PMUs come from a tree made here.
 */
#include "event-tree.h"

#include "base/text.h"
#include "counters/provider.h"
#include "events/code.h"

/* ---- what names become -------------------------------------------------- */

enum { H = ENCODING_HARDWARE, C = ENCODING_CACHE, S = ENCODING_SOFTWARE,
       R = ENCODING_RAW, P = ENCODING_PMU, T = ENCODING_TRACEPOINT, N = ENCODING_NAME };

static const struct {
	const char *name;
	int family;
	uint64_t config, config1;
	unsigned scope;
	const char *absent;	/* a part of the reason */
} good[] = {
	{ "cycles", H, 0, 0, 0, NULL },
	{ "cpu-cycles:u", H, 0, 0, 1, NULL },
	{ "Instructions:uk", H, 1, 0, 3, NULL },
	{ "branch-misses:h", H, 5, 0, 4, NULL },
	{ "cycles:p", H, 0, 0, 0, NULL },
	{ "cycles:upp", H, 0, 0, 1, NULL },
	{ "cpu/event=0x42/ppp", R, 0x42, 0, 0, NULL },
	{ "L1-dcache-load-misses", C, 0x10000, 0, 0, NULL },
	{ "LLC-stores", C, 0x102, 0, 0, NULL },
	{ "dTLB-store-misses", C, 0x10103, 0, 0, NULL },
	{ "iTLB-load-misses", C, 0x10004, 0, 0, NULL },
	{ "page-faults", S, 2, 0, 0, NULL },
	{ "faults:u", S, 2, 0, 1, NULL },
	{ "context-switches", S, 3, 0, 0, NULL },
	{ "cs:u", S, 3, 0, 1, "nothing would be counted" },
	{ "r1e42", R, 0x1e42, 0, 0, NULL },
	{ "rCF74E0:k", R, 0xcf74e0, 0, 2, NULL },
	{ "rffffffffffffffff", R, UINT64_MAX, 0, 0, NULL },
	{ "cpu/event=0x42/", R, 0x42, 0, 0, NULL },
	{ "cpu/event=0x4e0,umask=0xf7/", R, 0x40000f7e0, 0, 0, NULL },
	{ "cpu/event=0x42,umask=0x1e/u", R, 0x1e42, 0, 1, NULL },
	{ "cpu/event=0x42,umask=0x1e/:uk", R, 0x1e42, 0, 3, NULL },
	{ "cpu/event=1,inv,cmask=2/", R, 0x2800001, 0, 0, NULL },
	{ "cpu/event=0xb7,offcore_rsp=0xffffffffffffffff/", R, 0xb7,
	  UINT64_MAX, 0, NULL },
	{ "cpu/config=0x11,config1=0x22/", R, 0x11, 0x22, 0, NULL },
	{ "cpu/r1d1/", R, 0x1d1, 0, 0, NULL },
	{ "cpu/mem-loads/", R, 0x1cd, 0, 0, NULL },
	{ "cpu/mem-loads,inv=1/", R, 0x8001cd, 0, 0, NULL },
	{ "cpu/cpu-cycles/", R, 0x3c, 0, 0, NULL },
	{ "mem-loads", R, 0x1cd, 0, 0, NULL },
	{ "armv8_cortex_a53/event=0x17/", P, 0x17, 0, 0, NULL },
	{ "armv8_cortex_a53/l1d_cache_refill/", P, 3, 0, 0, NULL },
	{ "L1D_CACHE_REFILL", P, 3, 0, 0, NULL },
	{ "armv8_cortex_a72/event=0x17/", P, 0, 0, 0, "has no PMU" },
	{ "sched:sched_switch", T, 314, 0, 0, NULL },
	{ "sched:sched_switch:u", T, 314, 0, 1, "nothing would be counted" },
	/* libpfm4, all tables, whatever this CPU is */
	{ "amd64_fam10h_barcelona::DATA_CACHE_REFILLS:0x1e", R, 0x1e42, 0, 0,
	  "another CPU" },
	{ "amd64_fam10h_barcelona::READ_REQUEST_TO_L3_CACHE:ANY_READ", R,
	  0x40000f7e0, 0, 0, "another CPU" },
	{ "wsm::L2_RQSTS:LD_HIT", R, 0x124, 0, 0, "another CPU" },
	{ "wsm::l2_rqsts.ld_hit:u", R, 0x124, 0, 1, "another CPU" },
	{ "perf_raw::r1e42", R, 0x1e42, 0, 0, NULL },
	/* CPU files, all of them; libpfm4 has no such names */
	{ "READ_REQUEST_TO_L3", N, 0, 0, 0, "an event of amd-k10, not known of" },
	{ "DATA_CACHE_REFILLS.L2:u", N, 0, 0, 1, "an event of amd-k10" },
};

static void names_become_encodings(void **ctx)
{
	(void)ctx;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		const struct encoding *e = &group.event[0];

		if (parse(good[i].name, EVENTS_PERF))
			fail_msg("%s: %s", good[i].name, err.text);
		assert_int_equal(group.events, 1);
		assert_string_equal(e->name, good[i].name);
		if ((int)e->family != good[i].family ||
		    e->config != good[i].config ||
		    e->config1 != good[i].config1 ||
		    e->scope != good[i].scope)
			fail_msg("%s: family %d, 0x%llx, 0x%llx, scope %u",
				 e->name, e->family,
				 (unsigned long long)e->config,
				 (unsigned long long)e->config1, e->scope);
		if (!good[i].absent)
			assert_string_equal(e->absent, "");
		else if (!strstr(e->absent, good[i].absent))
			fail_msg("%s: absent '%s'", e->name, e->absent);
	}
}

#define LETTERS_64 "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_."

static const struct {
	const char *name;
	int code;
	const char *text;
} bad[] = {
	{ "page-falts", -ASSAY_ENOENT, "did you mean 'page-faults'?" },
	{ "page-falts:u", -ASSAY_ENOENT, "did you mean 'page-faults'?" },
	{ "PAGE.FAULT", -ASSAY_ENOENT, "'page-faults'" },
	{ "sched:sched_swich", -ASSAY_ENOENT, "'sched:sched_switch'" },
	{ "mem-load", -ASSAY_ENOENT, "did you mean" },
	{ "wsm::L2_RQSTS:LD_HITT", -ASSAY_ENOENT, "'wsm::L2_RQSTS:LD_HIT'" },
	{ "nothinglikeit", -ASSAY_ENOENT, "try: assay list events" },
	{ "", -ASSAY_EINVAL, "no events" },
	{ ",", -ASSAY_EINVAL, "empty" },
	{ "cycles,,cycles", -ASSAY_EINVAL, "empty" },
	{ "cycles,", -ASSAY_EINVAL, "ends with a comma" },
	{ "{cycles}", -ASSAY_EINVAL, "braces" },
	{ "cycles :u", -ASSAY_EINVAL, "holds a blank" },
	{ "cycles:pppp", -ASSAY_EINVAL, "up to three p" },
	{ "cycles:pz", -ASSAY_ENOENT, "unknown event" },
	{ "cpu/event=1/q", -ASSAY_EINVAL, "unknown modifier 'q'" },
	{ "r", -ASSAY_ENOENT, "unknown event 'r'" },
	{ "r12345678901234567", -ASSAY_ERANGE, "16" },
	{ "cpu/event=0x1000/", -ASSAY_ERANGE, "does not fit" },
	{ "cpu/event=-1/", -ASSAY_EINVAL, "not a number" },
	{ "cpu/r-1/", -ASSAY_ENOENT, "neither" },
	{ "cpu/event=0x99999999999999999/", -ASSAY_EINVAL, "not a number" },
	{ "cpu/event=/", -ASSAY_EINVAL, "not a number" },
	{ "cpu/nosuch=1/", -ASSAY_ENOENT, "'nosuch'" },
	{ "cpu/odd=1/", -ASSAY_EINVAL, "described as" },
	{ "cpu/wants/", -ASSAY_EINVAL, "needs a value" },
	{ "cpu/event=1", -ASSAY_EINVAL, "PMU/TERM" },
	{ "/event=1/", -ASSAY_EINVAL, "PMU/TERM" },
	{ "../cpu/event=1/", -ASSAY_EINVAL, "PMU/TERM" },
	{ "cpu/../event=1/", -ASSAY_ENOENT, "neither" },
	{ "nopmu/event=1/", -ASSAY_ENOENT, "no PMU 'nopmu'" },
	{ "mem:", -ASSAY_EINVAL, "neither an address" },
	{ "mem:0x1000/9", -ASSAY_EINVAL, "1 to 8" },
	{ "mem:0x1000/0", -ASSAY_EINVAL, "1 to 8" },
	{ "mem:0x1000:rx", -ASSAY_EINVAL, "r, w, rw or x" },
	{ "mem:0x1000:z", -ASSAY_EINVAL, "r, w, rw or x" },
	{ "mem:0x1g", -ASSAY_EINVAL, "neither an address" },
	{ "mem:-1", -ASSAY_EINVAL, "neither an address" },
	{ "mem:0x11112222333344445", -ASSAY_EINVAL, "neither an address" },
	{ LETTERS_64 LETTERS_64 LETTERS_64 LETTERS_64, -ASSAY_ERANGE,
	  "longer than 255" },
};

static void mistakes_are_explained(void **ctx)
{
	(void)ctx;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		const int rc = parse(bad[i].name, EVENTS_PERF);

		if (rc != bad[i].code || !strstr(err.text, bad[i].text))
			fail_msg("'%s': %d, '%s'", bad[i].name, rc, err.text);
		assert_int_equal(group.events, 0);
	}
}

static const struct {
	const char *name;
	uint32_t type;
	uint64_t addr, len;
	const char *symbol;
	unsigned scope;
} breakpoints[] = {
	{ "mem:0x1000", 3, 0x1000, 4, "", 0 },
	{ "mem:0x1000/8:w", 2, 0x1000, 8, "", 0 },
	{ "mem:4096/2:rw:u", 3, 0x1000, 2, "", 1 },
	{ "mem:0x1000:u", 3, 0x1000, 4, "", 1 },
	{ "mem:0x1000:x", 4, 0x1000, sizeof(long), "", 0 },
	{ "mem:watched:w", 2, 0, 8, "watched", 0 },
	{ "mem:counter/1", 3, 0, 1, "counter", 0 },
};

static void breakpoints_are_parsed(void **ctx)
{
	(void)ctx;
	for (size_t i = 0; i < sizeof(breakpoints) / sizeof(breakpoints[0]);
	     i++) {
		const struct encoding *e = &group.event[0];

		if (parse(breakpoints[i].name, EVENTS_PERF))
			fail_msg("%s: %s", breakpoints[i].name, err.text);
		assert_int_equal(e->family, ENCODING_BREAKPOINT);
		assert_int_equal(e->bp_type, breakpoints[i].type);
		assert_int_equal(e->bp_addr, breakpoints[i].addr);
		assert_int_equal(e->bp_len, breakpoints[i].len);
		assert_string_equal(e->bp_symbol, breakpoints[i].symbol);
		assert_int_equal(e->scope, breakpoints[i].scope);
	}
}

static void commas_inside_slashes_do_not_separate(void **ctx)
{
	(void)ctx;
	assert_int_equal(parse("mem:0x1000/8:w,cpu/event=1,umask=2/,"
			       "mem:0x2000/8:rw,faults", EVENTS_PERF), 0);
	assert_int_equal(group.events, 4);
	assert_string_equal(group.event[0].name, "mem:0x1000/8:w");
	assert_string_equal(group.event[1].name, "cpu/event=1,umask=2/");
	assert_int_equal(group.event[1].config, 0x201);
	assert_string_equal(group.event[2].name, "mem:0x2000/8:rw");
}

static void a_failed_list_appends_nothing(void **ctx)
{
	const struct events_target t = { .target = EVENTS_PERF,
					 .sysroot = tree_root };

	(void)ctx;
	assert_int_equal(parse("cycles", EVENTS_PERF), 0);
	assert_int_equal(events_parse(&group, "faults,nonsense", &t, NULL),
			 -ASSAY_ENOENT);
	assert_int_equal(group.events, 1);
	assert_int_equal(events_parse(&group, "faults,cs", &t, NULL), 0);
	assert_int_equal(group.events, 3);
}

static void at_most_sixty_four(void **ctx)
{
	char list[ASSAY_EVENTS * 16] = "";

	(void)ctx;
	for (int i = 0; i < ASSAY_EVENTS; i++)
		strcat(list, i ? ",faults" : "faults");
	assert_int_equal(parse(list, EVENTS_PERF), 0);
	assert_int_equal(group.events, ASSAY_EVENTS);
	strcat(list, ",faults");
	assert_int_equal(parse(list, EVENTS_PERF), -ASSAY_ENOSPC);
	assert_int_equal(group.events, 0);
}

static void without_a_pmu(void **ctx)
{
	char bare[96];
	const struct events_target t = { .target = EVENTS_PERF,
					 .sysroot = bare };

	(void)ctx;
	snprintf(bare, sizeof(bare), "%s/bare", tree_root);
	memset(&group, 0, sizeof(group));
	assert_int_equal(events_parse(&group, "cpu/event=0x42/,faults,"
				      "sched:sched_switch,r42", &t, &err), 0);
	assert_non_null(strstr(group.event[0].absent, "no PMU 'cpu'"));
	assert_string_equal(group.event[1].absent, "");
	assert_non_null(strstr(group.event[2].absent, "mount -t tracefs"));
}

/* An architectural event that PMCEID denies would open, and read 0. */
static void denied_by_the_pmu(void **ctx)
{
	static const char *const no_alias[] = { NULL };
	static const struct cpu_event arm_events[] = {
		{ .name = "L1D_CACHE_REFILL", .code = 3, .alias = no_alias,
		  .present = true, .meaning = "" },
		{ .name = "CPU_CYCLES", .code = 0x11, .alias = no_alias,
		  .present = true, .meaning = "" },
		{ .name = "OWN", .code = 0xc8, .alias = no_alias,
		  .present = true, .meaning = "" },
	};
	const struct cpu arm_cpu = { .name = "arm", .event = arm_events,
				     .events = 3 };
	char arm[96];
	struct events_target t = { .target = EVENTS_PERF, .sysroot = arm,
				   .cpu = &arm_cpu };

	(void)ctx;
	snprintf(arm, sizeof(arm), "%s/arm", tree_root);
	memset(&group, 0, sizeof(group));
	assert_int_equal(events_parse(&group, "L1D_CACHE_REFILL,CPU_CYCLES,"
				      "OWN,r3", &t, &err), 0);
	assert_non_null(strstr(group.event[0].absent, "PMCEID"));
	for (int i = 1; i < 4; i++)
		assert_string_equal(group.event[i].absent, "");
	/* Where no PMU tells, nothing is denied. */
	t.sysroot = "/nonexistent";
	group.events = 0;
	assert_int_equal(events_parse(&group, "L1D_CACHE_REFILL", &t, &err),
			 0);
	assert_string_equal(group.event[0].absent, "");
}

static void codes_field_by_field(void **ctx)
{
	uint64_t config = 0;
	size_t n;

	(void)ctx;
	for (int layout = 0; layout < CODE_LAYOUTS; layout++) {
		const struct code_field *f = code_fields(layout, &n);

		assert_int_equal(f[0].low, 0);
		assert_int_equal(f[n - 1].high, 63);
		for (size_t i = 1; i < n; i++)
			assert_int_equal(f[i].low, f[i - 1].high + 1);
	}
	/* 0xcf74e0 as it stands: event e0, umask 74, edge and inv. */
	assert_int_equal(code_event(CODE_AMD, 0xcf74e0), 0xe0);
	assert_int_equal(code_field_value(&code_fields(CODE_AMD, &n)[1], 0xcf74e0),
			 0x74);
	assert_int_equal(code_kept(CODE_AMD, 0xcf74e0), 0x8474e0);
	/* What was meant: event 4e0, umask f7. */
	assert_true(code_concatenated("cf74e0", &config));
	assert_int_equal(config, 0x40000f7e0);
	assert_int_equal(code_event(CODE_AMD, config), 0x4e0);
	assert_int_equal(code_kept(CODE_AMD, config), config);
	assert_true(code_concatenated("c47d", &config));
	assert_int_equal(config, 0x47d);
	assert_false(code_concatenated("1e42", &config));
	assert_false(code_concatenated("cf74eg", &config));
	assert_false(code_concatenated("", &config));
	assert_int_equal(code_encode(CODE_INTEL, 0xd1, 0x01), 0x1d1);
	assert_int_equal(code_encode(CODE_PMUV3, 0x4005, 9), 0x4005);
	assert_int_equal(code_kept(CODE_PMUV3, 0x10003), 3);
}

static void simulated_events(void **ctx)
{
	(void)ctx;
	assert_int_equal(parse("L1D_CACHE_RD,l1d_cache_ld,0x40,r40,LL_CACHE,"
			       "L1D_CACHE_RD:k", EVENTS_SIM), 0);
	for (int i = 0; i < 4; i++) {
		assert_ptr_equal(group.event[i].counts,
				 &tree_cpu.event[0].counts);
		assert_int_equal(group.event[i].config, 0x40);
		assert_string_equal(group.event[i].absent, "");
	}
	assert_string_equal(group.event[4].absent, "reads 0 on this CPU");
	assert_null(group.event[4].counts);
	assert_non_null(strstr(group.event[5].absent, "user code only"));
	assert_int_equal(parse("L1D_CACHE_RE", EVENTS_SIM), -ASSAY_ENOENT);
	assert_non_null(strstr(err.text, "on toy"));
	assert_non_null(strstr(err.text, "did you mean 'L1D_CACHE_RD'?"));
	assert_int_equal(parse("L2_LINES_IN.ALL", EVENTS_SIM), -ASSAY_ENOENT);
	assert_non_null(strstr(err.text, "it is an event of alder-lake-p"));
	assert_int_equal(parse("page-faults", EVENTS_SIM), -ASSAY_ENOENT);
}

/* What Linux programs for its names on that CPU is counted. */
static void simulated_linux_names(void **ctx)
{
	(void)ctx;
	assert_int_equal(parse("cycles,cpu-cycles:u,cache-misses,bus-cycles,"
			       "ref-cycles,cpu-cycles:k", EVENTS_SIM), 0);
	for (int i = 0; i < 2; i++) {
		assert_ptr_equal(group.event[i].counts,
				 &tree_cpu.event[0].counts);
		assert_string_equal(group.event[i].code, "0x40");
		assert_string_equal(group.event[i].absent, "");
	}
	assert_string_equal(group.event[2].absent, "reads 0 on this CPU");
	assert_non_null(strstr(group.event[3].absent, "programs 0x1d"));
	assert_non_null(strstr(group.event[4].absent, "none at all"));
	for (int i = 2; i < 5; i++)
		assert_null(group.event[i].counts);
	assert_non_null(strstr(group.event[5].absent, "user code only"));
	assert_int_equal(parse("branch-misses", EVENTS_SIM), -ASSAY_ENOENT);
	assert_non_null(strstr(err.text, "it is Linux's"));
	assert_int_equal(parse("bus-cycle", EVENTS_SIM), -ASSAY_ENOENT);
	assert_non_null(strstr(err.text, "did you mean 'bus-cycles'?"));
}

static void mere_names(void **ctx)
{
	(void)ctx;
	assert_int_equal(parse("anything.at-all:X,cpu/a=1,b/", EVENTS_NAMES),
			 0);
	assert_int_equal(group.events, 2);
	assert_int_equal(group.event[0].family, ENCODING_NAME);
	assert_int_equal(parse("a;b", EVENTS_NAMES), -ASSAY_EINVAL);
}

static void mutated_lists_never_crash(void **ctx)
{
	static const char *const seeds[] = {
		"cycles:u,cpu/event=0x42,umask=0x1e/,mem:0x1000/8:rw",
		"wsm::L2_RQSTS:LD_HIT:u,sched:sched_switch,r1e42",
	};
	uint32_t x = 1;
	char text[128];

	(void)ctx;
	for (int round = 0; round < 100; round++) {
		strcpy(text, seeds[round % 2]);
		for (int i = 0; i < 3; i++) {
			x ^= x << 13, x ^= x >> 17, x ^= x << 5;
			text[x % strlen(text)] = (char)(33 + (x >> 8) % 94);
		}
		parse(text, EVENTS_NAMES);
		parse(text, EVENTS_PERF);
	}
}

/* Events of this machine's CPU that only the tables at hand have. */
static void tables_give_codes(void **ctx)
{
	static const struct cpu_match match = {
		.vendor = "GenuineIntel", .family = 6, .models = 1,
		.model = { 0x5e } };
	const char *source = getenv("ASSAY_SOURCE");
	struct events_target target = {
		.target = EVENTS_PERF, .sysroot = tree_root, .recorded = true,
		.match = &match, .layout = CODE_INTEL };
	char path[512];

	(void)ctx;
	snprintf(path, sizeof(path), "%s/tests/tables/perfmon",
		 source ? source : ".");
	target.tables = tables_at_hand_new(path);
	group.events = 0;
	assert_int_equal(events_parse(&group, "made_up.cycles:u,MADE_UP."
			 "REQUESTS_OF_A_KIND_WITH_A_NAME_OF_MORE_THAN_SIXTY_"
			 "THREE_CHARACTERS,UNC_CHA_MADE_UP.ALL", &target, &err),
			 0);
	assert_int_equal(group.event[0].family, ENCODING_RAW);
	assert_int_equal(group.event[0].config, 0x2a413e9);
	assert_int_equal(group.event[0].scope, ENCODING_USER);
	assert_string_equal(group.event[0].absent, "");
	assert_int_equal(group.event[1].config, 0x1b7);
	assert_int_equal(group.event[1].config1, 0x3f803c0001);
	assert_non_null(strstr(group.event[2].absent, "another unit"));
	assert_int_equal(events_parse(&group, "MADE_UP.CYCLE", &target, &err),
			 -ASSAY_ENOENT);
	assert_null(strstr(err.text, "not read"));
	tables_at_hand_free(target.tables);

	/* a bad entry takes no other away, and is named where none is found */
	tree_put("/bad/SKL/events/a.json", "{ \"Events\": ["
		 "{ \"EventName\": \"M.GOOD\", \"EventCode\": \"0xE9\" },"
		 "{ \"EventName\": \"M.BAD\", \"EventCode\": \"zz\" } ] }");
	snprintf(path, sizeof(path), "%s/bad", tree_root);
	target.tables = tables_at_hand_new(path);
	group.events = 0;
	assert_int_equal(events_parse(&group, "M.GOOD", &target, &err), 0);
	assert_int_equal(group.event[0].config, 0xe9);
	assert_int_equal(events_parse(&group, "M.BAD", &target, &err),
			 -ASSAY_ENOENT);
	assert_non_null(strstr(err.text, "not read: "));
	assert_non_null(strstr(err.text, "a.json:1:"));
	tables_at_hand_free(target.tables);
}

#define PMU(name) "/hybrid/sys/bus/event_source/devices/" name

/* Made-up tables of Alder Lake's two kinds of core, and a machine with both. */
static void plant_hybrid(void)
{
	tree_put(PMU("cpu_core/type"), "4\n");
	tree_put(PMU("cpu_core/cpus"), "0-7\n");
	tree_put(PMU("cpu_core/format/event"), "config:0-7\n");
	tree_put(PMU("cpu_atom/type"), "10\n");
	tree_put(PMU("cpu_atom/cpus"), "8-15\n");
	tree_put(PMU("cpu_atom/format/event"), "config:0-7\n");
	tree_put(PMU("cpu_atom/events/made_here"), "event=0x9\n");
	tree_put("/kinds/mapfile.csv",
		 "GenuineIntel-6-97,1,/ADL/events/e.json,hybridcore,0,0,Atom\n"
		 "GenuineIntel-6-97,1,/ADL/events/p.json,hybridcore,0,0,Core\n");
	tree_put("/kinds/ADL/events/p.json", "{ \"Events\": ["
		 "{ \"EventName\": \"M.BOTH\", \"EventCode\": \"0xE9\" },"
		 "{ \"EventName\": \"M.P\", \"EventCode\": \"0xE8\" },"
		 "{ \"EventName\": \"M.X\", \"EventCode\": \"0x1\" } ] }");
	tree_put("/kinds/ADL/events/e.json", "{ \"Events\": ["
		 "{ \"EventName\": \"M.BOTH\", \"EventCode\": \"0xE9\" },"
		 "{ \"EventName\": \"M.E\", \"EventCode\": \"0xE7\" },"
		 "{ \"EventName\": \"M.X\", \"EventCode\": \"0x2\" } ] }");
}

/* pmu: 0 for events that each kind of core counts. */
static void codes_of_one_kind_of_core(void **ctx)
{
	static const struct { const char *name; unsigned pmu, code; } rows[] = {
		{ "M.P", 4, 0xe8 }, { "M.E", 10, 0xe7 }, { "M.BOTH", 0, 0xe9 },
		{ "cpu_atom/M.X/", 10, 2 }, { "cpu_core/M.X/", 4, 1 },
		{ "cpu_core/event=0x7/", 4, 7 }, { "r7", 0, 7 },
		{ "cpu_atom/made_here/", 10, 9 },
		/* of the CPU files */
		{ "MEM_LOAD_RETIRED.L1_MISS", 4, 0x8d1 },
		{ "MEM_LOAD_UOPS_RETIRED.L1_HIT", 10, 0x1d1 },
		{ "cpu_atom/MEM_LOAD_UOPS_RETIRED.L1_HIT/", 10, 0x1d1 },
		{ "cpu_core/MEM_LOAD_RETIRED.L1_MISS/", 4, 0x8d1 },
		{ "BR_INST_RETIRED.ALL_BRANCHES", 0, 0xc4 },
	};
	struct cpu *cpu = NULL;
	char root[80], tables[80];
	struct events_target target = {
		.target = EVENTS_PERF, .sysroot = root, .recorded = true,
		.layout = CODE_INTEL };

	(void)ctx;
	plant_hybrid();
	snprintf(root, sizeof(root), "%s/hybrid", tree_root);
	snprintf(tables, sizeof(tables), "%s/kinds", tree_root);
	assert_int_equal(cpu_load(&cpu, "alder-lake-p", NULL, &err), 0);
	target.cpu = cpu;
	target.tables = tables_at_hand_new(tables);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct encoding *e = &group.event[0];

		group.events = 0;
		if (events_parse(&group, rows[i].name, &target, &err))
			fail_msg("%s: %s", rows[i].name, err.text);
		if (*e->absent || e->config != rows[i].code ||
		    (e->family == ENCODING_PMU) != (rows[i].pmu != 0) ||
		    (rows[i].pmu && e->pmu_type != rows[i].pmu))
			fail_msg("%s: PMU %u, 0x%llx %s", rows[i].name,
				 e->pmu_type, (unsigned long long)e->config,
				 e->absent);
	}
	group.events = 0;
	assert_int_equal(events_parse(&group, "M.X", &target, &err), 0);
	assert_non_null(strstr(group.event[0].absent, "cpu_core/M.X/"));
	assert_int_equal(events_parse(&group, "cpu_atom/M.P/", &target, &err),
			 -ASSAY_ENOENT);
	tables_at_hand_free(target.tables);
	cpu_free(cpu);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_become_encodings),
		cmocka_unit_test(tables_give_codes),
		cmocka_unit_test(codes_of_one_kind_of_core),
		cmocka_unit_test(mistakes_are_explained),
		cmocka_unit_test(breakpoints_are_parsed),
		cmocka_unit_test(commas_inside_slashes_do_not_separate),
		cmocka_unit_test(a_failed_list_appends_nothing),
		cmocka_unit_test(at_most_sixty_four),
		cmocka_unit_test(without_a_pmu),
		cmocka_unit_test(denied_by_the_pmu),
		cmocka_unit_test(codes_field_by_field),
		cmocka_unit_test(simulated_events),
		cmocka_unit_test(simulated_linux_names),
		cmocka_unit_test(mere_names),
		cmocka_unit_test(mutated_lists_never_crash),
	};

	return cmocka_run_group_tests(tests, tree_plant, tree_fell);
}
