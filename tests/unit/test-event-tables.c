/* SPDX-License-Identifier: MIT */
/*
 * Event tables of every form (tests/tables, made up), read into the normal
 * form; whose a table is; bad files refused with their place.
 */
#define _GNU_SOURCE	/* strcasestr */
#include "check.h"

#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "remove-tree.h"
#include "store/pieces.h"
#include "tables/events/tables.h"

static char out[16384];
static struct assay_error err;

static void add(const char *format, ...)
	__attribute__((format(printf, 1, 2)));

static void add(const char *format, ...)
{
	const size_t n = strlen(out);
	va_list args;

	va_start(args, format);
	vsnprintf(out + n, sizeof(out) - n, format, args);
	va_end(args);
}

static void add_list(const char *name, const uint64_t *number, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		add(" %s%llx", i ? "," : name, (unsigned long long)number[i]);
}

static void add_number(const char *name, uint64_t number)
{
	if (number)
		add(" %s%llx", name, (unsigned long long)number);
}

static void add_text(const char *name, const char *text)
{
	if (*text)
		add(" %s%s", name, text);
}

static void add_code(const struct event_code *c)
{
	add_text("unit ", c->unit);
	add_list("select ", c->select, c->selects);
	add_list("umask ", c->umask, c->umasks);
	add_list("msr ", c->msr, c->msrs);
	add_number("value ", c->msr_value);
	add_number("ext ", c->extension);
	add_number("ports ", c->ports);
	add_number("classes ", c->classes);
	add_number("filter ", c->filter);
	add_number("cmask ", c->cmask);
	add_number("config ", c->config);
	add("%s%s%s%s", c->inv ? " inv" : "", c->edge ? " edge" : "",
	    c->any ? " any" : "", c->fixed ? " fixed" : "");
	add_text("on ", c->counters);
	add_text("options ", c->options);
}

/* One line for each entry whose name holds the text in *ctx; NULL: for all. */
static int show(void *ctx, const struct entry *e)
{
	static const char *const kinds[] = { "event", "metric", "member",
					     "prose", "preset", "unread",
					     "generic", "counters", "bad" };
	const char *slash = strrchr(e->file, '/');

	if (ctx && !strcasestr(e->name, ctx))
		return 0;
	add("%s:%u %s %s %s", slash ? slash + 1 : e->file, e->line, e->table,
	    kinds[e->kind], e->name);
	add_code(&e->code);
	add_text("alias ", e->alias);
	add_text("group ", e->group);
	add_text("= ", e->formula);
	add_text("of ", e->operands);
	add_text("with ", e->constants);
	if (*e->why)
		add(" !%s%s", e->kind == ENTRY_BAD ? " " : "",
		    e->kind == ENTRY_BAD ? e->why : "");
	add("%s\n", e->deprecated ? " deprecated" : "");
	return 0;
}

static int read_places(const char *places, const struct table_cpu *cpu,
		       const char *part)
{
	struct event_tables *tables = NULL;
	int rc;

	out[0] = '\0';
	rc = event_tables_open(&tables, places, &err);
	if (!rc)
		rc = event_tables_each(tables, cpu, show, (char *)part,
				       &err);
	event_tables_free(tables);
	return rc;
}

/* The tables of that folder of tests/tables. */
static int read_made(const char *folder, const struct table_cpu *cpu,
		     const char *part)
{
	const char *source = getenv("ASSAY_SOURCE");
	char path[1024];

	snprintf(path, sizeof(path), "%s/tests/tables/%s",
		 source ? source : ".", folder);
	return read_places(path, cpu, part);
}

static void test_perfmon(void **ctx)
{
	(void)ctx;
	assert_int_equal(read_made("perfmon", NULL, NULL), 0);
	assert_string_equal(out,
		"made_core.json:4 MDE event MADE_UP.RETIRED select 0 umask 1 "
		"fixed on Fixed counter 0\n"
		"made_core.json:9 MDE event MADE_UP.CYCLES select e9 umask 13 "
		"cmask 2 inv edge any on 0,1,2,3 deprecated\n"
		"made_core.json:15 MDE event MADE_UP.REQUESTS_OF_A_KIND_WITH_A_"
		"NAME_OF_MORE_THAN_SIXTY_THREE_CHARACTERS select b7 ,bb "
		"umask 1 ,2 msr 1a6 ,1a7 value 3f803c0001 on 0,1\n"
		"made_uncore.json:2 MDE event UNC_CHA_MADE_UP.ALL unit CHA "
		"select 135 umask 5 ext c8 ports 1 classes 7 filter 40033 "
		"options CHAFilter1\n"
		"made_metrics.json:2 MDE metric Made_Ratio = 100 * a / ( b * c "
		") of a=MADE_UP.CYCLES;b=MADE_UP.RETIRED:c4; with c=4;\n");
}

static void test_linux(void **ctx)
{
	(void)ctx;
	assert_int_equal(read_made("linux", NULL, NULL), 0);
	assert_string_equal(out,
		"core.json:1 maker/core-m event MADE_STD select 8123\n"
		"core.json:2 maker/core-m event MADE_OTHER_NAME select 8123 "
		"alias made_std\n"
		"core.json:3 maker/core-m unread MADE_NOWHERE select 0 alias "
		"MADE_NOWHERE !\n"
		"cache.json:2 made event ls_made_up.all select 1c7 umask 1f\n"
		"cache.json:4 made event l3_made_up.slice unit L3PMC select 4 "
		"umask ff\n"
		"cache.json:6 made event ls_made_up.no_code select 0 umask 2\n"
		"cache.json:7 made metric made_ratio group g = "
		"d_ratio(ls_made_up.all, instructions)\n"
		"cache.json:7 made event made_both config 8000000000000003\n");
}

static void test_arm(void **ctx)
{
	(void)ctx;
	assert_int_equal(read_made("arm", NULL, NULL), 0);
	assert_string_equal(out, "core-m.json:2 core-m event MADE_ARM select "
			    "8123 alias MADE_MANUAL\n");
}

/* As likwid's own generator and reader take the files, mistakes included. */
static void test_likwid(void **ctx)
{
	(void)ctx;
	assert_int_equal(read_made("likwid", NULL, NULL), 0);
	assert_string_equal(out,
		"RATIO.txt:6 made member INSTR_RETIRED_ANY on FIXC0 group "
		"RATIO\n"
		"RATIO.txt:7 made member MADE_UP_ONE on PMC0 options "
		"EDGEDETECT=0x1 group RATIO\n"
		"RATIO.txt:8 made unread PMC1 on PMC1 group RATIO !\n"
		"RATIO.txt:11 made metric A ratio [percent] group RATIO = "
		"100*PMC0/FIXC0\n"
		"RATIO.txt:12 made metric  group RATIO = PMC0\n"
		"RATIO.txt:16 made prose A ratio group RATIO = "
		"100*MADE_UP_ONE/INSTR_RETIRED_ANY\n"
		"perfmon_made_events.txt:3 made event MADE_UP_ONE select e9 "
		"umask 1 on PMC0|PMC1 group MADE_UP\n"
		"perfmon_made_events.txt:5 made event MADE_UP_CYCLES select e9 "
		"umask 13 cmask 2 inv on PMC0|PMC1 options MATCH0=0x11 group "
		"MADE_UP\n"
		"perfmon_made_events.txt:6 made event MADE_UP_COUNT select e9 "
		"umask 13 ext 4 filter 11 on PMC0|PMC1 group MADE_UP\n"
		"perfmon_made_events.txt:7 made unread MADE_BOX_ANY group "
		"MADE_UP of EVENT_OPTION_NID_MASK|EVENT_OPTION_STATE_MASK !\n"
		"perfmon_made_events.txt:9 made event MADE_BOX_ANY unit CBOX "
		"select 35 umask 5 on CBOX0C0|CBOX1C0 group MADE_BOX\n"
		"perfmon_made_events.txt:10 made unread EVENT_MADE_SKIPPED "
		"group MADE_BOX !\n"
		"perfmon_made_events.txt:11 made event MADE_SKIPPED unit CBOX "
		"select 35 umask 0 on CBOX0C0|CBOX1C0 group MADE_BOX\n"
		"perfmon_made_events.txt:12 made event MADE_CUT unit CBOX "
		"select 35 umask 1 on CBOX0C0|CBOX1C0 group MADE_BOX !\n"
		"perfmon_made_events.txt:13 made unread UMASK_Made_LOST group "
		"MADE_BOX !\n");
}

static void test_papi(void **ctx)
{
	static const char *const names[] = { "made_ep", NULL };
	const struct table_cpu cpu = { names, NULL };

	(void)ctx;
	assert_int_equal(read_made("papi", NULL, "PAPI_L1_DCH"), 0);
	assert_string_equal(out,
		"papi_events.csv:4 made preset PAPI_L1_DCH group line 2 = "
		"DERIVED_SUB of MADE:ALL,MADE:MISS\n"
		"papi_events.csv:4 made_ep preset PAPI_L1_DCH group "
		"line 2 = DERIVED_SUB of MADE:ALL,MADE:MISS\n");
	assert_int_equal(read_made("papi", &cpu, "TCM"), 0);
	assert_string_equal(out, "papi_events.csv:5 made_ep preset "
			    "PAPI_L1_TCM group line 2 = DERIVED_POSTFIX of "
			    "MADE:ONE,MADE:TWO with N0|N1|+|\n");
	assert_int_equal(read_made("papi", NULL, "PAPI_OF"), 0);
	assert_string_equal(out, "");
	assert_int_equal(read_made("papi", NULL, "PAPI_MADE"), 0);
	assert_string_equal(out,
		"papi_events.csv:8 other unread PAPI_MADE_UP group line 6 = "
		"DERIVED_SUM !\n"
		"papi_events.csv:9 other preset PAPI_MADE_ADD group line 6 = "
		"DERIVED_ADD of M0,M1,M2,M3,M4,M5,M6,M7,M8,M9,M10,M11 !\n");
	assert_int_equal(read_made("papi", NULL, "PAPI_TOT"), 0);
	assert_string_equal(out, "papi_events.csv:7 other preset PAPI_TOT_INS "
			    "group line 6 = NOT_DERIVED of ix86arch::INSTRUCTIONS\n");
}

/* ---- whose ------------------------------------------------------------- */

static const char *const nobody[] = { "somebody", NULL };

/* Does the CPU with these registers own the entry of that folder? */
static bool owns(const char *folder, const char *vendor, unsigned family,
		 unsigned model, int stepping)
{
	const struct cpu_match match = {
		.vendor = vendor, .family = family, .models = 1,
		.model = { model }, .steppings = stepping >= 0,
		.stepping = { (unsigned)stepping & 0xf },
	};
	const struct table_cpu cpu = { nobody, &match };

	assert_int_equal(read_made(folder, &cpu, "made_up"), 0);
	return *out != '\0';
}

static void test_patterns(void **ctx)
{
	static const struct cpu_match arm = { .implementer = 0x41,
					      .part = 0xd0b, .vendor = "" };
	const struct table_cpu cpu = { nobody, &arm };

	(void)ctx;
	assert_true(owns("perfmon", "GenuineIntel", 6, 0x5e, 3));
	assert_false(owns("perfmon", "GenuineIntel", 6, 0x5f, 3));
	assert_true(owns("perfmon", "GenuineIntel", 6, 0xf1, 4));
	assert_false(owns("perfmon", "GenuineIntel", 6, 0xf1, 5));
	assert_false(owns("perfmon", "GenuineIntel", 6, 0xf1, -1));
	assert_true(owns("linux", "AuthenticAMD", 25, 0x21, 0));
	assert_false(owns("linux", "AuthenticAMD", 25, 0x61, 0));
	assert_int_equal(read_made("arm", &cpu, NULL), 0);
	assert_non_null(strstr(out, "MADE_ARM"));
	assert_int_equal(read_made("linux", &cpu, NULL), 0);
	assert_non_null(strstr(out, "MADE_STD"));
	assert_null(strstr(out, "ls_made_up"));
}

/* A part of a checkout: the mapfile.csv and the architecture's files are above
 * the folder. */
static void test_part(void **ctx)
{
	static const struct cpu_match match = {
		.vendor = "GenuineIntel", .family = 6, .models = 1,
		.model = { 0x5e } };
	const struct table_cpu cpu = { nobody, &match };

	(void)ctx;
	assert_int_equal(read_made("perfmon/MDE/events", &cpu, "CYCLES"), 0);
	assert_non_null(strstr(out, "MADE_UP.CYCLES"));
	assert_int_equal(read_made("linux/tools/perf/pmu-events/arch/arm64/"
				   "maker", NULL, "OTHER_NAME"), 0);
	assert_non_null(strstr(out, "MADE_OTHER_NAME select 8123"));
}

static void test_names(void **ctx)
{
	static const char *const skylake[] = { "skylake-client", NULL };
	static const struct cpu_match zen4 = {
		.vendor = "AuthenticAMD", .family = 25, .models = 1,
		.model = { 0x61 } };
	const struct table_cpu by_name = { skylake, NULL };
	const struct table_cpu by_match = { nobody, &zen4 };
	char name[ENTRY_NAME];

	(void)ctx;
	assert_true(table_named("SKL", &by_name));
	assert_true(table_named("skylake", &by_name));
	assert_false(table_named("skylakeX", &by_name));
	assert_true(table_named("amd64_fam19h_zen4", &by_match));
	assert_false(table_named("amdzen3", &by_match));
	entry_normal_name(name, "UNC_CHA_TOR_inserts.IA::Miss-x", "CHA");
	assert_string_equal(name, "TOR_INSERTS_IA_MISS_X");
}

static void test_compare(void **ctx)
{
	struct event_code a = { .unit = "", .counters = "", .options = "",
				.given = CODE_SELECT | CODE_UMASK,
				.select = { 0x24 }, .umask = { 0x3f } };
	struct event_code b = a;

	(void)ctx;
	assert_int_equal(event_code_compare(&a, &b), CODE_EQUAL);
	b.cmask = 1;
	b.given |= CODE_CMASK;
	assert_int_equal(event_code_compare(&a, &b), CODE_MAY_EQUAL);
	a.given |= CODE_CMASK;
	assert_int_equal(event_code_compare(&a, &b), CODE_DIFFERENT);
	a.cmask = 1;
	b.unit = "CHA";
	assert_int_equal(event_code_compare(&a, &b), CODE_DIFFERENT);
}

/* ---- hostile files ----------------------------------------------------- */

static char folder[] = "/tmp/assay-tables-XXXXXX";

static int read_text(const char *name, const char *text)
{
	char path[128];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
	return read_places(path, NULL, NULL);
}

static void test_mistakes(void **ctx)
{
	static const struct { const char *text, *message; } bad[] = {
		{ "[ {\"EventName\": \"A\"} {} ]", ":1:22: error: ',' or ']'" },
		{ "[ {\"EventName\": \"A\",\n\"x\": } ]", ":2:" },
		{ "[ {\"EventName\": \"A\"", ":1:3: error: the text ends" },
		{ "[ {\"EventName\": \"A\", \"UMask\": \"0x1g\"} ]",
		  ":1:3: error: UMask: '0x1g' is no number" },
		{ "[ {\"EventName\": \"A\", \"UMask\": \"1,2,3,4,5\"} ]",
		  "UMask" },
		{ "[ {\"EventName\": \"A\"} ] x", ":1:24: error: text" },
		{ "{ \"Events\" [ {\"EventName\": \"A\"} ] }",
		  ":1:12: error: ':' is missing" },
	};

	(void)ctx;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(read_text("bad.json", bad[i].text),
				 -ASSAY_EPARSE);
		if (!strstr(err.text, bad[i].message) || !strstr(out, " bad "))
			fail_msg("%zu: %s\n%s", i, err.text, out);
	}
	assert_int_equal(read_places("/tmp/assay-no-such-folder", NULL, NULL),
			 -ASSAY_ENOENT);
	assert_int_equal(read_text("empty.txt", "nothing"), -ASSAY_ENOENT);
	assert_non_null(strstr(err.text, "no event table"));
}

static unsigned lines_with(const char *part)
{
	unsigned n = 0;

	for (const char *at = out; (at = strstr(at, part)); at++)
		n++;
	return n;
}

/* A bad entry takes nothing but itself away; of many, 20 are told. */
static void test_bad_entries(void **ctx)
{
	char text[8192] = "[ {\"EventName\": \"FIRST\"}";

	(void)ctx;
	for (unsigned i = 0; i < 100; i++)
		strcat(text, ",\n{\"EventName\": \"X\", \"UMask\": \"q\"}");
	strcat(text, ", 7, {\"UMask\": \"1\"}, {\"EventName\": \"\\u001b\"},"
	       "{\"EventName\": \"X\", \"UMask\": 1.5},"
	       "{\"EventName\": \"X\", \"UMask\": \"0x12345678901234567\"},"
	       "{\"EventName\": \"LAST\"}, {");
	assert_int_equal(read_text("bad.json", text), -ASSAY_EPARSE);
	assert_non_null(strstr(err.text, "bad.json:2:1: error: UMask: 'q'"));
	assert_int_equal(lines_with(" event "), 2);
	assert_int_equal(lines_with(" bad "), 21);
	assert_non_null(strstr(out, " event LAST"));
	assert_non_null(strstr(out, " ! 86 more entries"));
}

static void test_bad_lines(void **ctx)
{
	char text[4096] = "CPU,made\nPRESET,PAPI_A,NOT_DERIVED,A\n"
			  "PRESET,PAPI_\033[2J,NOT_DERIVED,B\nCPU,next\n";

	(void)ctx;
	for (unsigned i = 0; i < 70; i++)
		strcat(text, "CPU,made\n");
	strcat(text, "PRESET,PAPI_C,NOT_DERIVED,C\n");
	assert_int_equal(read_text("bad.csv", text), -ASSAY_EPARSE);
	assert_int_equal(lines_with(" bad "), 1 + 7);
	assert_int_equal(lines_with("preset PAPI_A"), 1);
	assert_int_equal(lines_with("preset PAPI_C"), 64);
	assert_int_equal(read_text("perfmon_made_events.txt",
		"EVENT_A 0x1 PMC\nUMASK_A_ONE 0x12345678901234567\n"
		"UMASK_A_TWO 0x2\n"), -ASSAY_EPARSE);
	assert_non_null(strstr(err.text, ":2:1: error: a number"));
	assert_int_equal(lines_with(" event A_TWO"), 1);
}

static int last_column(void *ctx, struct piece *piece)
{
	*(unsigned *)ctx = piece->col;
	return 0;
}

/* A scan of the line from its beginning for each entry takes minutes. */
static void test_long_line(void **ctx)
{
	enum { ENTRIES = 1000000 };
	const clock_t before = clock();
	char *text = malloc(3 * ENTRIES + 1);
	struct piece_fault fault;
	unsigned col = 0;

	(void)ctx;
	assert_non_null(text);
	for (size_t i = 0; i < ENTRIES; i++)
		memcpy(text + 3 * i, i ? ",{}" : "[{}", 3);
	text[3 * ENTRIES] = ']';
	assert_int_equal(pieces_each(text, 3 * ENTRIES + 1, last_column, &col,
				     &fault), 0);
	free(text);
	assert_int_equal(col, 3 * ENTRIES - 1);
	assert_true(clock() - before < 10 * CLOCKS_PER_SEC);
}

static void unlink_made(const char *name)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	unlink(path);
}

/* A link to a folder above does not lead around for ever; one to nothing is
 * told. */
static void test_links(void **ctx)
{
	char path[128];

	(void)ctx;
	snprintf(path, sizeof(path), "%s/loop", folder);
	assert_int_equal(symlink(folder, path), 0);
	assert_int_equal(read_text("good.json",
				   "[ {\"EventName\": \"A\"} ]"), 0);
	unlink_made("bad.json");
	unlink_made("bad.csv");
	unlink_made("perfmon_made_events.txt");
	assert_int_equal(read_places(folder, NULL, NULL), 0);
	assert_int_equal(lines_with("good.json"), 1);
	assert_int_equal(lines_with(" bad "), 0);
	snprintf(path, sizeof(path), "%s/nowhere", folder);
	assert_int_equal(symlink("nothing", path), 0);
	assert_int_equal(read_places(folder, NULL, NULL), 0);
	assert_non_null(strstr(out, "nowhere:0  bad  ! cannot read"));
}

/* Beside a table a file of JSON that is none is told, other JSON is not. */
static void test_broken(void **ctx)
{
	(void)ctx;
	assert_int_equal(read_text("other.json", "{\"a\": [1]}"),
			 -ASSAY_ENOENT);
	assert_int_equal(read_text("broken.json", "\"hello\""),
			 -ASSAY_ENOENT);
	assert_non_null(strstr(err.text, "broken.json:1:1: error: neither"));
	assert_int_equal(read_places(folder, NULL, NULL), -ASSAY_EPARSE);
	assert_non_null(strstr(out, "broken.json:1  bad  ! neither"));
	assert_null(strstr(out, "other.json"));
}

static int set_up(void **ctx)
{
	(void)ctx;
	return mkdtemp(folder) ? 0 : -1;
}

static int tear_down(void **ctx)
{
	(void)ctx;
	return remove_tree(folder);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_perfmon), cmocka_unit_test(test_linux),
		cmocka_unit_test(test_arm), cmocka_unit_test(test_likwid),
		cmocka_unit_test(test_papi), cmocka_unit_test(test_patterns),
		cmocka_unit_test(test_part), cmocka_unit_test(test_names),
		cmocka_unit_test(test_compare),
		cmocka_unit_test(test_mistakes),
		cmocka_unit_test(test_bad_entries),
		cmocka_unit_test(test_bad_lines),
		cmocka_unit_test(test_long_line), cmocka_unit_test(test_links),
		cmocka_unit_test(test_broken),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
