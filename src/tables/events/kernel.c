/* SPDX-License-Identifier: MIT */
/*
 * The codes that Linux's drivers program for perf's generic names: the arrays
 * of designated initialisers in the drivers of x86, Arm and POWER, such as
 * "[PERF_COUNT_HW_CACHE_MISSES] = 0x0964" and "[C(L1D)] = { [C(OP_READ)] = {
 * [C(RESULT_MISS)] = 0x151". Arm's and POWER's have an event's name for the
 * code, "ARMV8_PMUV3_PERFCTR_L1D_CACHE" and "PM_LD_REF_L1". Codes that the
 * driver changes when it starts are not read.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "tables/events/reading.h"

/* The arrays, and a CPU of each. */
static const struct { const char *array, *cpu; } maps[] = {
	{ "glc_hw_cache_event_ids", "sapphirerapids" },
	{ "skl_hw_cache_event_ids", "skylake" },
	{ "snb_hw_cache_event_ids", "sandybridge" },
	{ "hsw_hw_cache_event_ids", "haswell" },
	{ "westmere_hw_cache_event_ids", "westmereep-dp" },
	{ "nehalem_hw_cache_event_ids", "nehalemep" },
	{ "slm_hw_cache_event_ids", "silvermont" },
	{ "glm_hw_cache_event_ids", "goldmont" },
	{ "glp_hw_cache_event_ids", "goldmontplus" },
	{ "intel_perfmon_event_map", "skylake" },
	{ "amd_hw_cache_event_ids_f17h", "amdzen2" },
	{ "amd_zen1_perfmon_event_map", "amdzen1" },
	{ "amd_zen2_perfmon_event_map", "amdzen2" },
	{ "amd_zen4_perfmon_event_map", "amdzen4" },
	{ "armv8_pmuv3_perf_map", "cortex-a53" },
	{ "armv8_pmuv3_perf_map", "neoverse-n1" },
	{ "armv8_pmuv3_perf_cache_map", "cortex-a53" },
	{ "armv8_pmuv3_perf_cache_map", "neoverse-n1" },
	{ "armv8_a53_perf_cache_map", "cortex-a53" },
	{ "armv8_a57_perf_cache_map", "cortex-a57" },
	{ "armv8_a73_perf_cache_map", "cortex-a73" },
	{ "armv8_vulcan_perf_cache_map", "thunderx2" },
	{ "power8_generic_events", "power8" },
	{ "power8_cache_events", "power8" },
	{ "power9_generic_events", "power9" },
	{ "power9_cache_events", "power9" },
	{ "power10_generic_events", "power10" },
	{ "power10_cache_events", "power10" },
};

/* The words of C(...) in perf's names. */
static const struct { const char *word, *part; } parts[] = {
	{ "L1D", "L1-dcache" }, { "L1I", "L1-icache" }, { "LL", "LLC" },
	{ "DTLB", "dTLB" }, { "ITLB", "iTLB" }, { "BPU", "branch" },
	{ "NODE", "node" }, { "OP_READ", "load" }, { "OP_WRITE", "store" },
	{ "OP_PREFETCH", "prefetch" },
};

enum { LEVELS = 4 };	/* of braces: cache, operation, result */

struct map {
	const struct reading *r;
	const char *cpu;
	unsigned line, depth;
	unsigned designators;	/* in turn, without a brace between */
	char key[LEVELS][48];	/* the designator of each level */
};

static const char *part_of(const char *word)
{
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (!strcmp(parts[i].word, word))
			return parts[i].part;
	return word;
}

/* "LLC-load-misses", "dTLB-stores", "L1-dcache-prefetches", "cache-misses". */
static void write_name(char out[64], const struct map *m)
{
	static const char generic[] = "PERF_COUNT_HW_";
	const char *op = part_of(m->key[1]);

	if (!strncmp(m->key[0], generic, strlen(generic))) {
		snprintf(out, 64, "%s", m->key[0] + strlen(generic));
		for (char *c = out; *c; c++)
			*c = *c == '_' ? '-' : (char)tolower((unsigned char)*c);
	} else {
		const char *end = !strcmp(m->key[2], "RESULT_MISS") ? "-misses" :
				  !strcmp(op, "prefetch") ? "es" : "s";

		text_join(out, 64, (const char *const[]){
			  part_of(m->key[0]), "-", op, end, NULL }, "");
	}
}

/* "L1D_CACHE" of "ARMV8_PMUV3_PERFCTR_L1D_CACHE"; "": no event's name. */
static void read_event(char out[64], const char *value)
{
	static const char prefix[] = "_PERFCTR_";
	char word[64];
	const char *event;

	snprintf(word, sizeof(word), "%.*s", (int)strspn(value,
		 "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"), value);
	event = strstr(word, prefix);
	text_copy(out, 64, event ? event + strlen(prefix) :
			   strncmp(word, "PM_", 3) ? "" : word);
}

/* 0 and -1 stand for "no such event". */
static int add_code(const struct map *m, const char *value)
{
	struct entry e = reading_entry(m->r, ENTRY_LINUX, m->line);
	unsigned long long config;
	char name[64], event[64], *end;

	while (isspace((unsigned char)*value))
		value++;
	config = strtoull(value, &end, 0);
	read_event(event, value);
	if (((end == value || !config) && !*event) || *value == '-')
		return 0;
	write_name(name, m);
	e.kind = ENTRY_GENERIC;
	e.table = m->cpu;
	e.name = name;
	e.alias = event;
	if (*event)
		return m->r->fn(m->r->ctx, &e);
	e.code.select[0] = (config & 0xff) | (config >> 24 & 0xf00);
	e.code.umask[0] = config >> 8 & 0xff;
	e.code.selects = e.code.umasks = 1;
	e.code.given = CODE_SELECT | CODE_UMASK;
	e.code.cmask = config >> 24 & 0xff;
	e.code.inv = config >> 23 & 1;
	return m->r->fn(m->r->ctx, &e);
}

/* The word of "C(L1D )" or "PERF_COUNT_HW_X ]"; returns what follows. */
static const char *designator(char out[48], const char *text)
{
	size_t n;

	text += strspn(text, " \t");
	if (!strncmp(text, "C(", 2))
		text += 2 + strspn(text + 2, " \t");
	for (n = 0; isalnum((unsigned char)text[n]) || text[n] == '_'; n++)
		;
	snprintf(out, 48, "%.*s", (int)n, text);
	return text + n;
}

/* Behind a comment, a text at another place stays. */
static const char *skip_comment(const char *at, unsigned *line)
{
	const char *end = strncmp(at, "/*", 2) ? NULL : strstr(at + 2, "*/");

	for (; end && at < end + 2; at++)
		*line += *at == '\n';
	return at;
}

/* From the array's name on to the brace that closes it. */
static int read_map(struct map *m, const char *at)
{
	int rc = 0;

	at = strchr(at, '=');
	while (at && *at && !rc) {
		at = skip_comment(at, &m->line);
		m->line += *at == '\n';
		if (*at == '{' && ++m->depth == LEVELS)
			return 0;
		if (*at == '}' && !--m->depth)
			return 0;
		if (*at == '[' && m->depth) {
			if (m->depth + m->designators > LEVELS)
				return 0;
			at = designator(m->key[m->depth - 1 + m->designators++],
					at + 1);
			continue;
		}
		if (*at == '=' && m->depth) {
			rc = add_code(m, at + 1);
			m->designators = 0;
		}
		at += *at != '\0';
	}
	return rc;
}

static bool is_wanted(const struct reading *r, const char *cpu)
{
	return !r->cpu || table_named(cpu, r->cpu);
}

int read_kernel_maps(const struct reading *r, const char *text)
{
	int rc = 0;

	for (size_t i = 0; i < sizeof(maps) / sizeof(maps[0]) && !rc; i++) {
		struct map m = { .r = r, .cpu = maps[i].cpu, .line = 1 };
		const size_t n = strlen(maps[i].array);
		const char *at = text;

		while ((at = strstr(at, maps[i].array)) &&
		       (isalnum((unsigned char)at[n]) || at[n] == '_' ||
			at[-1] != ' '))
			at += n;
		if (!at || !is_wanted(r, m.cpu))
			continue;
		for (const char *c = text; c < strchr(at, '='); c++)
			m.line += *c == '\n';
		rc = read_map(&m, at);
	}
	return rc;
}
