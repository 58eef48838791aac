/* SPDX-License-Identifier: MIT */
/* CPU files: every kind of mistake has its place and caret. */
#include "check.h"

#include "assay/error.h"
#include "cpus/cpu.h"
#include "sim/sim.h"

static const char good[] =
	"schema: assay-cpu/1\n"
	"name: toy\n"
	"title: A toy\n"
	"aliases: [plaything]\n"
	"isa: aarch64\n"
	"sources:\n"
	"  book: A book\n"
	"  guess: A guess\n"
	"match: {implementer: 0x41 | D book, part: 0xd08 | D book}\n"
	"line: 64 | D book\n"
	"caches:\n"
	"  from: D book\n"
	"  l1d:\n"
	"    size: 32 KiB\n"
	"    ways: 2 | D book | as drawn\n"
	"    policy: lru\n"
	"  l2:\n"
	"    size: 1 MiB\n"
	"    ways: 16\n"
	"    policy: lru | F guess book\n"
	"    inclusion: inclusive\n"
	"tlbs:\n"
	"  dtlb: {entries: 32 | D book, policy: lru | G guess}\n"
	"walker: {reads-through: l2 | D book, levels: 4 | D book}\n"
	"prefetchers:\n"
	"  stream:\n"
	"    from: G guess\n"
	"    kind: stream\n"
	"    on: no\n"
	"    trains-on: l1d\n"
	"    fills: l1d\n"
	"predictor: {kind: tage | G guess}\n"
	"order: {copy-back: fetch-first | G guess}\n"
	"page-map: {kind: random-4k | G guess, seed: 1 | G guess}\n"
	"cycles: {l1-hit: 4.01 | D book, l2-hit: 20.9 | F guess}\n"
	"pmu:\n"
	"  from: D book\n"
	"  counters: 6\n"
	"  bits: 32\n"
	"  events:\n"
	"    L1D_CACHE:\n"
	"      code: 0x04\n"
	"      counts: l1d_load + l1d_store\n"
	"      means: lookups\n"
	"      alias: [L1D]\n"
	"    L1D_CACHE_REFILL:\n"
	"      code: 0x03\n"
	"      counts: l1d_load_miss +\n"
	"        l1d_store_miss | F guess\n"
	"    CPU_CYCLES: {code: 0x11, counts: cycles}\n"
	"    LL_CACHE: {code: 0x32, absent: not there}\n"
	"    CHAIN: {code: 0x1e, unmodelled: counts overflows}\n"
	"errata:\n"
	"  E1: it lies | D book\n"
	"facts: {rob: 128 entries | M book}\n";

/* TLB entries of their own for pages of one size. */
#define OF_A_SIZE(line) "  dtlb: {entries: 32 | D book, policy: lru | G guess}\n", \
	"  dtlb:\n    entries: 32 | D book\n    policy: lru | G guess\n" line

/* The good text with one piece replaced. */
static char *with(const char *from, const char *to)
{
	const char *at = strstr(good, from);
	char *text = malloc(sizeof(good) + strlen(to));

	assert_non_null(text);
	if (!at || strstr(at + 1, from))
		fail_msg("'%s' is not there once", from);
	sprintf(text, "%.*s%s%s", (int)(at - good), good, to,
		at + strlen(from));
	return text;
}

static void the_good_text(void **state)
{
	struct assay_error err = { 0 };
	struct cpu *cpu = NULL;
	const struct cpu_fact *ways = NULL;

	(void)state;
	if (cpu_parse(&cpu, "t.yaml", good, strlen(good), &err))
		fail_msg("%s", err.text);
	assert_int_equal(cpu->events, 5);
	assert_string_equal(cpu->alias[0], "plaything");
	assert_string_equal(cpu->erratum[0], "E1: it lies");
	assert_null(cpu->erratum[1]);
	for (size_t i = 0; i < cpu->facts; i++)
		if (!strcmp(cpu->fact[i].path, "caches.l1d.ways"))
			ways = &cpu->fact[i];
	assert_non_null(ways);
	assert_string_equal(ways->value, "2");
	assert_string_equal(ways->source, "book");
	assert_string_equal(ways->note, "as drawn");
	assert_int_equal(ways->confidence, 'D');
	assert_int_equal(cpu_event_find(cpu, "0x03")->confidence, 'F');
	assert_string_equal(cpu_event_find(cpu, "0x03")->counts_text,
			    "l1d_load_miss + l1d_store_miss");
	cpu_free(cpu);
}

/* Lines 2 and 3 of a message are the source line and a caret in column col. */
static void check_caret(const char *text, const char *said)
{
	unsigned line = 0, col = 0;
	const char *source = text, *second = strchr(said, '\n');
	const char *third;
	size_t length;

	assert_int_equal(sscanf(said, "t.yaml:%u:%u:", &line, &col), 2);
	while (--line)
		source = strchr(source, '\n') + 1;
	length = strcspn(source, "\n");
	assert_non_null(second);
	second++;
	if (strncmp(second, source, length) || second[length] != '\n')
		fail_msg("wrong source line: %s", said);
	third = second + length + 1;
	if (strspn(third, " ") != col - 1 || strcmp(third + col - 1, "^"))
		fail_msg("wrong caret: %s", said);
}

/* An event of a part that the model lacks is not counted as 0. */
static void parts_that_are_not_there(void **state)
{
	struct assay_error err = { 0 };
	char *text = with("counts: l1d_load + l1d_store",
			  "counts: l1d_load + l3_load");
	const struct cpu_event *event;
	struct cpu *cpu = NULL;

	(void)state;
	assert_int_equal(cpu_parse(&cpu, "t.yaml", text, strlen(text), &err),
			 0);
	event = cpu_event_find(cpu, "L1D_CACHE");
	assert_false(event->present);
	assert_true(event->implemented);
	assert_string_equal(event->absent, "this model has no L3");
	cpu_free(cpu);
	free(text);
}

static void mistakes(void **state)
{
	static const struct { const char *from, *to, *said; } rows[] = {
		/* the file */
		{ "schema: assay-cpu/1", "schema: assay-cpu/2",
		  "1:9: error: this is schema 'assay-cpu/2', not 'assay-cpu/1'" },
		{ "schema: assay-cpu/1\n", "",
		  "1:1: error: 'schema' is missing" },
		{ "name: toy", "name: Toy",
		  "2:7: error: names hold a-z, 0-9, '-' and '.' only" },
		{ "name: toy", "name: \"\"",
		  "2:8: error: 'name' must not be empty" },
		{ "title: A toy", "titel: A toy",
		  "3:1: error: unknown key 'titel'; did you mean 'title'?" },
		{ "isa: aarch64", "isa: arm",
		  "5:6: error: 'isa' is 'aarch64' or 'x86-64', not 'arm'" },
		{ "aliases: [plaything]", "aliases: {a: b}",
		  "4:10: error: 'aliases' must be a list, not a mapping" },
		{ "aliases: [plaything]", "aliases: [[a]]",
		  "4:11: error: 'aliases' must be a single value, not a list" },
		{ "  book: A book", "  a book: A book",
		  "7:3: error: a source's key must not hold spaces or '|'" },
		{ "  book: A book", "  book: [A]",
		  "7:9: error: 'book' must be a single value, not a list" },
		{ "part: 0xd08 | D book", "family: 8 | D book",
		  "9:45: error: AArch64's CPUs have implementer and part" },
		{ "isa: aarch64\n", "isa: aarch64\nname: again\n",
		  "6:1: error: 'name' is given twice (first in line 2)" },
		/* sources and confidences */
		{ "line: 64 | D book", "line: 64",
		  "10:7: error: 'line' needs a confidence and a source, such as '| D key'" },
		{ "line: 64 | D book", "line: 64 | D",
		  "10:13: error: a source is missing after the confidence" },
		{ "line: 64 | D book", "line: 64 | X book",
		  "10:12: error: expected a confidence (D, R, M, F or G) and a source" },
		{ "line: 64 | D book", "line: 64 | book",
		  "10:12: error: expected a confidence (D, R, M, F or G) and a source" },
		{ "line: 64 | D book", "line: 64 | D bok",
		  "10:14: error: unknown source 'bok'; did you mean 'book'?" },
		{ "lru | F guess book", "lru | F guess hearsay",
		  "20:27: error: unknown source 'hearsay'" },
		{ "  from: D book\n  l1d", "  from: D bock\n  l1d",
		  "12:11: error: unknown source 'bock'; did you mean 'book'?" },
		{ "line: 64 | D book", "line: \"| D book\"",
		  "10:8: error: 'line' has no value" },
		/* caches */
		{ "    ways: 2 | D book | as drawn", "    wayz: 2",
		  "15:5: error: unknown key 'wayz'; did you mean 'ways'?" },
		{ "    ways: 2 | D book | as drawn\n", "",
		  "13:3: error: 'l1d' needs 'ways'" },
		{ "    ways: 2 | D book | as drawn", "    ways: 0",
		  "15:11: error: 'ways' must be from 1 to 1024, not '0'" },
		{ "    ways: 2 | D book | as drawn", "    ways: four",
		  "15:11: error: 'ways' must be a whole number, not 'four'" },
		{ "    ways: 2 | D book | as drawn", "    ways: -2",
		  "15:11: error: 'ways' must be a whole number, not '-2'" },
		{ "    ways: 2 | D book | as drawn", "    ways: 3",
		  "14:11: error: 'size' must be a multiple of line x ways x slices" },
		{ "    ways: 2 | D book | as drawn",
		  "    ways: 18446744073709551616",
		  "15:11: error: 'ways' must be from 1 to 1024, not '18446744073709551616'" },
		{ "    size: 32 KiB", "    size: 9223372036854775808",
		  "14:11: error: 'size' must be from 1 to 4294967296, not '9223372036854775808'" },
		{ "    size: 32 KiB", "    size: 0",
		  "14:11: error: 'size' must be from 1 to 4294967296, not '0'" },
		{ "    size: 32 KiB", "    sets: 67108864",
		  "14:11: error: the cache is larger than 4 GiB" },
		{ "    size: 32 KiB", "    size: 32 KiB\n    sets: 255",
		  "15:11: error: 'sets' must be size / (line x ways x slices)" },
		{ "    size: 32 KiB\n", "",
		  "14:5: error: a cache needs 'size' or 'sets'" },
		{ "line: 64 | D book", "line: 48 | D book",
		  "10:7: error: 'line' must be a power of two" },
		{ "    size: 32 KiB", "    size: 32 KiB\n    line: 96",
		  "15:11: error: 'line' must be a power of two" },
		{ "    policy: lru\n", "    policy: lur\n",
		  "16:13: error: 'policy' cannot be 'lur'; did you mean 'lru'?" },
		{ "    policy: lru\n", "    policy: clairvoyant\n",
		  "16:13: error: 'policy' cannot be 'clairvoyant'; it is one of: lru, tree-plru, bit-plru, fifo, random, srrip, drrip, qlru-h00-m1-r2-u1, qlru-h11-m1-r0-u0, qlru-h00-m1-r0-u1, qlru-h11-m1-r1-u2, qlru-h21-m2-r0-u0, qlru-h10-m3-r1-u3" },
		{ "    policy: lru\n", "    policy: lru\n    write: sideways\n",
		  "17:12: error: 'write' cannot be 'sideways'; it is one of: back, through" },
		{ "    policy: lru\n",
		  "    policy: lru\n    write-allocate: perhaps\n",
		  "17:21: error: 'write-allocate' must be yes or no, not 'perhaps'" },
		{ "    policy: lru\n",
		  "    policy: lru\n    inclusion: inclusive\n",
		  "17:16: error: only l2 and l3 have an 'inclusion'" },
		{ "    policy: lru\n",
		  "    policy: lru\n    loud-from-dram: yes\n",
		  "17:21: error: 'loud-from-dram' is an exception from 'silent-clean'" },
		{ "  l2:\n    size: 1 MiB", "  l3:\n    size: 1 MiB",
		  "17:3: error: 'l3' needs an 'l2' above it" },
		{ "  l2:\n    size: 1 MiB", "  l1d:\n    size: 1 MiB",
		  "17:3: error: 'l1d' is given twice (first in line 13)" },
		{ "  l2:\n    size: 1 MiB", "  l4:\n    size: 1 MiB",
		  "17:3: error: unknown key 'l4'; did you mean 'l2'?" },
		{ "  l2:\n    size: 1 MiB", "  l2:\n    size: 16 KiB",
		  "18:5: error: an inclusive level cannot be smaller than the level above" },
		{ "  l2:\n    size: 1 MiB", "  l1i:\n    size: 2 MiB\n    ways: 2\n"
		  "    policy: lru\n  l2:\n    size: 1 MiB",
		  "22:5: error: an inclusive level cannot be smaller than the level above" },
		{ "  stream:\n", "  this-name-is-of-32-characters-xx:\n",
		  "26:3: error: a prefetcher's name is of 31 characters at most" },
		{ "  l2:\n    size: 1 MiB",
		  "  l2:\n    line: 32\n    size: 1 MiB",
		  "18:5: error: its lines are shorter than those of the level above" },
		{ "    inclusion: inclusive\n",
		  "    line: 128\n    inclusion: exclusive\n",
		  "18:5: error: victims fill it, so its lines must be as long as those of the level above" },
		{ "    ways: 16\n    policy: lru | F guess book",
		  "    ways: 16\n    sectors: 2\n    policy: lru",
		  "20:14: error: lines that are filled in sectors are not simulated" },
		{ "    policy: lru\n", "    policy: lru\n    slices: 2\n",
		  "17:13: error: only l2 and l3 have 'slices'" },
		{ "    ways: 16\n    policy: lru | F guess book",
		  "    ways: 64\n    policy: srrip",
		  "20:13: error: srrip is simulated up to 32 ways" },
		{ "    ways: 16\n    policy: lru | F guess book",
		  "    ways: 128\n    policy: bit-plru",
		  "20:13: error: bit-plru is simulated up to 64 ways" },
		{ "    size: 1 MiB\n    ways: 16\n    policy: lru | F guess book",
		  "    sets: 64\n    ways: 17\n    policy: tree-plru",
		  "20:13: error: tree-plru needs an odd number of trees that is at most 15" },
		{ "    size: 1 MiB\n    ways: 16",
		  "    line: 16\n    size: 4 GiB\n    ways: 16",
		  "19:11: error: the cache has more than 2^27 lines" },
		{ "  l1d:\n    size", "  l1i:\n    size",
		  "11:1: error: 'caches' needs 'l1d'" },
		{ "    size: 32 KiB", "    size: [32, KiB]",
		  "14:11: error: 'size' must be a single value, not a list" },
		/* TLBs, walker, prefetchers, the rest */
		{ "entries: 32 | D book", "entries: 33 | D book, ways: 2 | D book",
		  "23:38: error: 'entries' must be a multiple of 'ways'" },
		{ "entries: 32 | D book, policy: lru",
		  "entries: 96 | D book, policy: bit-plru",
		  "23:40: error: bit-plru is simulated up to 64 ways" },
		{ OF_A_SIZE("    2m: {ways: 2 | D book}\n"),
		  "26:5: error: '2m' needs 'entries'" },
		{ OF_A_SIZE("    1g: {entries: 0 | D book}\n"),
		  "26:19: error: only a second level can have none" },
		{ OF_A_SIZE("    2m: {entries: 9 | D book, ways: 2 | D book}\n"),
		  "26:37: error: 'entries' must be a multiple of 'ways'" },
		{ OF_A_SIZE("    2m: {entries: 66 | D book, policy: bit-plru | D book}\n"),
		  "26:40: error: bit-plru is simulated up to 64 ways" },
		{ OF_A_SIZE("    2m: 16 | D book\n"),
		  "26:9: error: '2m' must be a mapping, not a single value" },
		{ OF_A_SIZE("    2M: {entries: 9 | D book}\n"),
		  "26:5: error: unknown key '2M'; did you mean '2m'?" },
		{ "isa: aarch64\nsources:\n  book: A book\n  guess: A guess\n"
		  "match: {implementer: 0x41 | D book, part: 0xd08 | D book}\n",
		  "isa: x86-64\npage: 16 KiB | D book\nsources:\n"
		  "  book: A book\n  guess: A guess\n",
		  "6:7: error: 'page' can only be 4 KiB on x86-64" },
		{ "line: 64 | D book\n", "line: 64 | D book\ncore: P | D book\n",
		  "11:7: error: only x86-64's CPUs have a PMU for each kind of core" },
		{ "line: 64 | D book\n", "line: 64 | D book\ncore: F | D book\n",
		  "11:7: error: 'core' cannot be 'F'; did you mean 'P'?" },
		{ "line: 64 | D book\n", "line: 64 | D book\npage: 2 MiB | D book\n",
		  "11:7: error: 'page' is 4 KiB, 16 KiB or 64 KiB" },
		{ "line: 64 | D book\n", "line: 64 | D book\npage: 12 KiB | D book\n",
		  "11:7: error: 'page' is 4 KiB, 16 KiB or 64 KiB" },
		{ "random-4k | G guess", "random-3m | G guess",
		  "34:18: error: 'kind' cannot be 'random-3m'; did you mean 'random-2m'?" },
		{ "      means: lookups\n", "      means: lookups\n      pages: 4k 3m\n",
		  "45:14: error: 'pages' cannot be '3m'; did you mean '2m'?" },
		{ "levels: 4 | D book", "levels: 6 | D book",
		  "24:46: error: 'levels' must be from 1 to 5, not '6'" },
		{ "kind: tage | G guess", "kind: tage | G guess, entries: 3 | G guess",
		  "32:44: error: 'entries' must be a power of two" },
		{ "kind: tage | G guess", "kind: tage | G guess, history: 3 | G guess",
		  "32:44: error: 'history' must be from 4 to 256, not '3'" },
		{ "kind: tage", "kind: bimodal | G guess, history: 8",
		  "32:47: error: 'history' is of tage" },
		{ "kind: tage", "kind: none | G guess, entries: 8",
		  "32:19: error: a predictor of kind none has nothing else" },
		{ "random-4k | G guess", "identity | G guess",
		  "34:44: error: 'seed' is of random maps" },
		{ "    trains-on: l1d\n", "    trains-on: l1d\n    upward-only: yes\n",
		  "31:18: error: 'upward-only' is of adjacent-pair" },
		{ "    trains-on: l1d\n",
		  "    trains-on: l1d\n    longest-stride: 1 KiB\n",
		  "31:21: error: 'longest-stride' is of ip-stride" },
		{ "    kind: stream\n", "    kind: next-line\n    window: 8\n",
		  "29:13: error: 'window' is of stream and ip-stride" },
		{ "    kind: stream\n", "    kind: adjacent-pair\n    distance: 2\n",
		  "29:15: error: adjacent-pair asks for the other line, no more and no further" },
		{ "  l2:\n    size: 1 MiB\n",
		  "  l1i: {size: 1 KiB, ways: 2, policy: lru, write: through}\n  l2:\n    size: 1 MiB\n",
		  "17:51: error: nothing is written to an 'l1i'" },
		{ "    trains-on: l1d\n", "    trains-on: l2\n",
		  "31:12: error: what trains on l2 does not fill l1d" },
		{ OF_A_SIZE("  l2itlb: {entries: 0 | D book}\n"),
		  "26:3: error: 'l2itlb' needs 'itlb' above it" },
		{ OF_A_SIZE("  itlb: {entries: 8 | D book, policy: lru | D book}\n"
			    "  l2itlb: {entries: 8 | D book}\n"),
		  "27:3: error: 'l2itlb' needs 'policy'" },
		{ OF_A_SIZE("  itlb: {entries: 8 | D book, policy: lru | D book}\n"
			    "  l2itlb: {entries: 0 | D book, 2m: {entries: 8 | D book}}\n"),
		  "27:33: error: '2m' needs 'policy'" },
		{ OF_A_SIZE("  itlb: {entries: 0 | D book, policy: lru | D book}\n"),
		  "26:19: error: 'entries' must be from 1 to 1048576, not '0'" },
		{ OF_A_SIZE("  store-dtlb: {entries: 0 | D book, policy: lru | D book}\n"),
		  "26:25: error: 'entries' must be from 1 to 1048576, not '0'" },
		{ "  dtlb: {", "  store-dtlb: {",
		  "23:3: error: 'store-dtlb' needs 'dtlb', for loads" },
		{ "  dtlb: {", "  l2tlb: {",
		  "23:3: error: 'l2tlb' needs 'dtlb' above it" },
		{ "reads-through: l2", "reads-through: l3",
		  "24:25: error: walks cannot read through a level that is not there" },
		{ "levels: 4 | D book", "levels: 4 | D book,\n  cached-levels: 5 | D book",
		  "25:18: error: 'cached-levels' cannot exceed 'levels'" },
		{ "    kind: stream", "    kind: streem",
		  "28:11: error: 'kind' cannot be 'streem'; did you mean 'stream'?" },
		{ "    trains-on: l1d\n", "",
		  "26:3: error: 'stream' needs 'trains-on'" },
		{ "kind: tage", "kind: oracle",
		  "32:19: error: 'kind' cannot be 'oracle'; it is one of: none, bimodal, tage" },
		{ "copy-back: fetch-first", "copyback: fetch-first",
		  "33:9: error: unknown key 'copyback'; did you mean 'copy-back'?" },
		{ "l1-hit: 4.01", "l1-hit: fast",
		  "35:18: error: 'l1-hit' must be a number, not 'fast'" },
		{ "l1-hit: 4.01", "l1-hit: -1",
		  "35:18: error: 'l1-hit' must be from 0 to 1000000, not '-1'" },
		{ "l1-hit: 4.01", "l1-hit: 1/0",
		  "35:18: error: 'l1-hit' must be a number, not '1/0'" },
		{ "implementer: 0x41", "implementer: 0x141",
		  "9:22: error: 'implementer' must be from 1 to 255, not '0x141'" },
		/* events */
		{ "  counters: 6", "  counters: 0",
		  "38:13: error: 'counters' must be from 1 to 64, not '0'" },
		{ "counts: l1d_load + l1d_store", "counts: l1d_lod + l1d_store",
		  "43:15: error: unknown signal 'l1d_lod'; did you mean 'l1d_load'?" },
		{ "counts: l1d_load + l1d_store", "counts: l1d_load + (l1d_store",
		  "43:36: error: expected ')' or an operator, but it ends here" },
		{ "counts: l1d_load + l1d_store", "counts: l1d_load ++ l1d_store",
		  "43:25: error: expected a number, a name or '(', not '+'" },
		{ "        l1d_store_miss", "        l1d_store_mist",
		  "49:9: error: unknown signal 'l1d_store_mist'; did you mean 'l1d_store_miss'?" },
		{ "counts: l1d_load + l1d_store", "counts: l1d_load / (2 - 2)",
		  "43:26: error: division by zero" },
		{ "counts: l1d_load + l1d_store", "counts: \"l1d_load + xyzzy_plugh\"",
		  "43:27: error: unknown signal 'xyzzy_plugh'" },
		{ "cycles: {l1-hit: 4.01 | D book, l2-hit: 20.9 | F guess}\n", "",
		  "49:38: error: 'cycles' needs constants in the 'cycles' section" },
		{ "      code: 0x04\n", "      code: 4x\n",
		  "42:13: error: 'code' must be a number such as 0x42, not '4x'" },
		{ "      code: 0x04\n", "      code: 0x10000\n",
		  "42:13: error: 'code' must be at most 0xffff, not '0x10000'" },
		{ "      code: 0x04\n", "",
		  "41:5: error: 'L1D_CACHE' needs 'code'" },
		{ "      code: 0x04\n", "      code: 0x04\n      umask: 1\n",
		  "43:7: error: aarch64 events have no 'umask'" },
		{ "      code: 0x04\n", "      code: 0x11\n",
		  "50:24: error: 'L1D_CACHE' has this code already" },
		{ "      means: lookups\n", "      absent: not there\n",
		  "44:7: error: 'counts' and 'absent' exclude each other" },
		{ "absent: not there", "means: not there",
		  "51:5: error: 'LL_CACHE' needs 'counts', 'absent' or 'unmodelled'" },
		{ "alias: [L1D]", "alias: [CHAIN]",
		  "52:5: error: the name 'CHAIN' is given twice (first in line 41)" },
		{ "    CHAIN: {", "    l1d_cache: {",
		  "52:5: error: the name 'l1d_cache' is given twice (first in line 41)" },
		{ "alias: [L1D]", "alias: [\"\"]",
		  "45:16: error: a name must not be empty" },
		{ "      means: lookups\n", "      meens: lookups\n",
		  "44:7: error: unknown key 'meens'; did you mean 'means'?" },
		{ "    CHAIN: {", "    CHA,IN: {",
		  "52:5: error: 'CHA,IN': names hold letters, digits and _ . : - only" },
		{ "alias: [L1D]", "alias: [\"L1 D\"]",
		  "45:16: error: 'L1 D': names hold letters, digits and _ . : - only" },
		{ "  stream:\n", "  off:\n",
		  "26:3: error: no prefetcher can be called 'off': that stands for all of them" },
		{ "  stream:\n", "  a+b:\n",
		  "26:3: error: 'a+b': names hold letters, digits and _ . : - only" },
		{ "  E1: it lies | D book", "  E1: it lies",
		  "54:7: error: 'E1' needs a confidence and a source, such as '| D key'" },
		/* what is left out has its key's place */
		{ "title: A toy", "title:", "3:1: error: 'title' must not be empty" },
		{ "  book: A book", "  book:", "7:3: error: 'book' must not be empty" },
		{ "    policy: lru\n", "    policy:\n",
		  "16:5: error: 'policy' has no value" },
		{ "entries: 32 | D book, policy: lru | G guess",
		  "entries: 32 | D book, policy: ",
		  "23:32: error: 'policy' needs a confidence and a source, such as '| D key'" },
		{ "  bits: 32\n", "  bits: 32\n  linux:\n",
		  "40:3: error: 'linux' must be a mapping, not a single value" },
		{ "  bits: 32\n", "  bits: 32\n  linux: {LLC-lods: 3}\n",
		  "40:11: error: unknown key 'LLC-lods'; did you mean 'LLC-loads'?" },
		{ "  bits: 32\n", "  bits: 32\n  linux: {LLC-loads: none | D book}\n",
		  "40:22: error: say why 'LLC-loads' is none, behind the source: 'none | D key | why'" },
		{ "  l2:\n", "  l1i: {size: 1 KiB, ways: 2, write: back, policy: lru}\n  l2:\n",
		  "17:38: error: nothing is written to an 'l1i'" },
		{ "      means: lookups\n", "      per: socket\n",
		  "44:12: error: 'per' cannot be 'socket'; it is one of: thread, core, cluster, node, package" },
		{ "l2-hit: 20.9 | F guess", "ghz: 0 | F guess",
		  "35:38: error: 'ghz' must be more than 0" },
		{ "  bits: 32\n", "  bits: 32\n  umasks: {0x041: {}}\n",
		  "40:11: error: aarch64 events have no unit masks" },
		{ "    CHAIN: {", "    0x42: {",
		  "52:5: error: '0x42' would be taken for a code: names begin with a letter" },
		{ "alias: [L1D]", "alias: [1D]",
		  "41:5: error: '1D' would be taken for a code: names begin with a letter" },
		{ "    trains-on: l1d\n", "    trains-on: everything\n",
		  "30:16: error: 'trains-on' cannot be 'everything'; it is one of: l1d, l2" },
		{ "isa: aarch64\n", "isa: aarch64\nclock-frequency: 3\n",
		  "6:1: error: unknown key 'clock-frequency'; the file takes: schema," },
		/* cut off: nothing can be shown of a line that is not there */
		{ "facts: {rob: 128 entries | M book}\n", "facts: {rob: 128",
		  "55:17: error: missing comma in flow mapping" },
		{ "facts: {rob: 128 entries | M book}", "facts: [rob]",
		  "55:8: error: 'facts' must be a mapping, not a list" },
		{ "pmu:\n", "pmu: 3\npmv:\n",
		  "37:1: error: unknown key 'pmv'; did you mean 'pmu'?" },
	};
	const size_t count = sizeof(rows) / sizeof(rows[0]);

	(void)state;
	assert_true(count >= 25);
	for (size_t i = 0; i < count; i++) {
		char *text = with(rows[i].from, rows[i].to);
		struct assay_error err = { 0 };
		struct cpu *cpu = NULL;
		int rc = cpu_parse(&cpu, "t.yaml", text, strlen(text), &err);
		char said[512];

		snprintf(said, sizeof(said), "t.yaml:%s%s", rows[i].said,
			 rows[i].said[strlen(rows[i].said) - 1] == ',' ? "" :
								 "\n");
		if (rc != -ASSAY_EPARSE || cpu || err.code != rc ||
		    strncmp(err.text, said, strlen(said)))
			fail_msg("row %zu: %d, wanted %s got %s", i, rc, said,
				 err.text);
		check_caret(text, err.text);
		assert_int_equal(cpu_parse(&cpu, "t.yaml", text, strlen(text),
					   NULL), rc);
		free(text);
	}
}

/* A mark of byte order is no column; block scalars end in line feeds. */
static void marks_and_blocks(void **state)
{
	static const char marked[] = "\xef\xbb\xbf" "schema: assay-cpu/3\n";
	struct assay_error err = { 0 };
	struct cpu *cpu = NULL;
	char *text = with("      counts: l1d_load + l1d_store\n",
			  "      counts: >\n        l1d_load +\n"
			  "        l1d_store | D book\n");

	(void)state;
	assert_int_equal(cpu_parse(&cpu, "t.yaml", marked, strlen(marked),
				   &err), -ASSAY_EPARSE);
	assert_string_equal(err.text, "t.yaml:1:9: error: this is schema "
			    "'assay-cpu/3', not 'assay-cpu/1'\n"
			    "schema: assay-cpu/3\n        ^");
	assert_int_equal(cpu_parse(&cpu, "t.yaml", text, strlen(text), &err),
			 0);
	assert_string_equal(cpu_event_find(cpu, "L1D_CACHE")->source, "book");
	cpu_free(cpu);
	free(text);
}

/* Every line left out: refused with a place, or still a CPU; no crash. */
static void any_line_may_be_missing(void **state)
{
	const size_t bytes = strlen(good);
	char *text = malloc(bytes + 1);

	(void)state;
	assert_non_null(text);
	for (const char *from = good; *from;) {
		const char *to = strchr(from, '\n') + 1;
		const size_t head = (size_t)(from - good);
		struct assay_error err = { 0 };
		struct cpu *cpu = NULL;
		int rc;

		memcpy(text, good, head);
		memcpy(text + head, to, (size_t)(good + bytes - to) + 1);
		rc = cpu_parse(&cpu, "t.yaml", text, strlen(text), &err);
		assert_true(rc == 0 || rc == -ASSAY_EPARSE);
		assert_true(!rc || !strncmp(err.text, "t.yaml:", 7));
		cpu_free(cpu);
		from = to;
	}
	free(text);
}

/* What is parsed can be simulated. */
static void compare(const char *from, const char *to)
{
	char *text = with(from, to);
	struct cpu *cpu = NULL;
	const char *why = NULL;

	if (!cpu_parse(&cpu, "t.yaml", text, strlen(text), NULL) &&
	    !sim_bytes(&cpu->geometry, &why))
		fail_msg("'%s' is accepted, but %s", to, why);
	cpu_free(cpu);
	free(text);
}

static void what_is_accepted_is_simulated(void **state)
{
	const char *const *policy = replacement_names;
	char to[160];

	(void)state;
	for (size_t p = 0; p < REPLACEMENTS; p++)
		for (unsigned ways = 1; ways <= 130; ways++) {
			snprintf(to, sizeof(to), "    sets: 600\n    ways: %u\n"
				 "    policy: %s | F guess", ways, policy[p]);
			compare("    size: 1 MiB\n    ways: 16\n"
				"    policy: lru | F guess book", to);
			snprintf(to, sizeof(to), "entries: %u | D book, "
				 "policy: %s", ways, policy[p]);
			compare("entries: 32 | D book, policy: lru", to);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_good_text),
		cmocka_unit_test(parts_that_are_not_there),
		cmocka_unit_test(mistakes),
		cmocka_unit_test(what_is_accepted_is_simulated),
		cmocka_unit_test(marks_and_blocks),
		cmocka_unit_test(any_line_may_be_missing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
