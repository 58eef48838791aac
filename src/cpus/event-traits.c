/* SPDX-License-Identifier: MIT */
/*
 * The traits of events, the units of unit masks and perf's generic names, which
 * are keys of the section `pmu`; and the traits that a file does not give,
 * derived from counts and names.
 */
#include "cpus/cpu-read.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "cpus/signals.h"

const char *const cpu_trait_names[CPU_TRAITS] = {
	[CPU_SPECULATIVE] = "speculative", [CPU_PREFETCHES] = "prefetches",
	[CPU_WALKS] = "walks", [CPU_WRITEBACKS] = "writebacks",
	[CPU_PER] = "per",
};

static const char *const yes_no[] = { "yes", "no", NULL };
static const char *const places[] = { "thread", "core", "cluster", "node",
				      "package", NULL };

/* ---- reading ------------------------------------------------------------ */

static int check_word(const struct scope *s, const struct yaml_node *node,
		      const char *const *words, const char *value)
{
	for (int i = 0; words[i]; i++)
		if (!strcmp(words[i], value))
			return 0;
	return fact_not_among(s, node, words, value);
}

static int read_trait(const struct scope *s, enum cpu_trait_kind kind,
		      struct cpu_trait *out)
{
	const struct yaml_node *node = yaml_get(s->map, cpu_trait_names[kind]);
	const char *value;
	struct tag tag;
	int error;

	if (!node)
		return 0;
	error = fact_split(s, node, NULL, &value, &tag);
	if (!error)
		error = check_word(s, node, kind == CPU_PER ? places : yes_no,
				   value);
	if (!error)
		*out = (struct cpu_trait){ value, tag.source, tag.note,
					   tag.confidence };
	return error;
}

/* pages: "2m 1g", the sizes of the pages whose accesses the event counts. */
static int read_pages(const struct scope *s, struct cpu_event *out)
{
	const struct yaml_node *node = yaml_get(s->map, "pages");
	const char *words[PAGE_SIZES + 1] = { NULL }, *value = "";
	char one[16];
	struct tag tag;
	int size, error = node ? fact_split(s, node, NULL, &value, &tag) : 0;

	memcpy(words, page_names, sizeof(page_names));
	while (!error && *(value += strspn(value, " "))) {
		const size_t n = strcspn(value, " ");

		snprintf(one, sizeof(one), "%.*s", (int)n, value);
		for (size = 0; words[size] && strcmp(words[size], one); size++)
			;
		if (!words[size])
			return check_word(s, node, words, one);
		out->pages |= 1u << size;
		value += n;
	}
	return error;
}

/* counters: "0 1 2 3", of those that the PMU has. */
static int read_counters(const struct scope *s, unsigned counters,
			 struct cpu_event *out)
{
	const struct yaml_node *node = yaml_get(s->map, "counters");
	const char *value = "";
	char one[16];
	uint64_t number;
	struct tag tag;
	int error = node ? fact_split(s, node, NULL, &value, &tag) : 0;

	while (!error && *(value += strspn(value, " "))) {
		const size_t n = strcspn(value, " ");

		snprintf(one, sizeof(one), "%.*s", (int)n, value);
		if (fact_number(&number, one) || number >= counters)
			return fact_error(s, node, "'counters' are numbers "
					  "from 0 to %u, not '%s'",
					  counters - 1, one);
		out->counters |= UINT64_C(1) << number;
		value += n;
	}
	return error;
}

static int check_errata(const struct scope *s, const char *const *ids)
{
	const struct yaml *yaml = s->reader->yaml;
	const struct yaml_node *all = yaml_get(yaml->root, "errata");

	for (; *ids; ids++)
		if (!strcmp(*ids, "from") || !all || !yaml_get(all, *ids))
			return yaml_error(yaml, yaml_get(s->map, "errata"),
					  s->reader->err, "there is no erratum "
					  "'%.60s' in 'errata'", *ids);
	return 0;
}

int event_traits_read(const struct scope *event, const struct scope *pmu,
		      unsigned counters, struct cpu_event *out)
{
	int error = read_trait(pmu, CPU_PER, &out->trait[CPU_PER]);

	for (int kind = 0; kind < CPU_TRAITS && !error; kind++)
		error = read_trait(event, (enum cpu_trait_kind)kind,
				   &out->trait[kind]);
	if (!error)
		error = read_pages(event, out);
	if (!error)
		error = read_counters(event, counters, out);
	if (!error)
		error = fact_words(event->reader,
				   yaml_get(event->map, "errata"),
				   &out->errata);
	return error ? error : check_errata(event, out->errata);
}

/* ---- unit masks --------------------------------------------------------- */

static int key_number(const struct scope *s, const struct yaml_node *node,
		      unsigned max, unsigned *out)
{
	uint64_t number;

	if (fact_number(&number, node->key) || number > max)
		return fact_error_key(s, node, "'%.60s' is not a number from 0 "
				      "to 0x%x", node->key, max);
	*out = (unsigned)number;
	return 0;
}

static int read_unit(const struct scope *s, const struct yaml_node *node,
		     unsigned *seen, struct cpu_unit *out)
{
	const char *value;
	struct tag tag;
	int error = key_number(s, node, 0xff, &out->bits);

	if (!error && (!out->bits || *seen & out->bits))
		return fact_error_key(s, node, "the bits '%.60s' are %s",
				      node->key,
				      out->bits ? "described already" : "none");
	if (!error)
		error = fact_split(s, node, NULL, &value, &tag);
	if (error)
		return error;
	*seen |= out->bits;
	out->meaning = value;
	out->source = tag.source;
	out->confidence = tag.confidence;
	return 0;
}

static int read_select(const struct scope *all, const struct yaml_node *node,
		       struct cpu_units *out)
{
	struct scope s = *all;
	struct cpu_unit *unit;
	unsigned seen = 0;
	int error = yaml_is(s.reader->yaml, node, YAML_MAPPING, node->key,
			    s.reader->err);

	if (!error)
		error = key_number(all, node, 0xfff, &out->select);
	if (error)
		return error;
	s.map = node;
	unit = pool_array(s.reader->pool, node->count + 1, sizeof(*unit));
	if (!unit)
		return error_memory(s.reader->err);
	out->unit = unit;
	error = scope_from(&s);
	for (const struct yaml_node *n = node->first; n && !error; n = n->next)
		if (strcmp(n->key, "from"))
			error = read_unit(&s, n, &seen, &unit[out->units++]);
	return error;
}

int units_read(const struct scope *pmu, struct cpu *cpu)
{
	struct cpu_units *units;
	struct scope s;
	bool present;
	int error = scope_open(&s, pmu, "umasks", NULL, &present);

	if (error || !present)
		return error;
	if (cpu->geometry.isa != ISA_X86_64)
		return scope_refuse(pmu, "umasks",
				    "aarch64 events have no unit masks");
	units = pool_array(s.reader->pool, s.map->count + 1, sizeof(*units));
	if (!units)
		return error_memory(s.reader->err);
	cpu->units = units;
	for (const struct yaml_node *n = s.map->first; n && !error;
	     n = n->next)
		if (strcmp(n->key, "from"))
			error = read_select(&s, n, &units[cpu->selects++]);
	return error;
}

const struct cpu_units *cpu_units_find(const struct cpu *cpu, unsigned select)
{
	for (size_t i = 0; i < cpu->selects; i++)
		if (cpu->units[i].select == select)
			return &cpu->units[i];
	return NULL;
}

/* ---- perf's generic names ------------------------------------------------ */

#define CACHE_NAMES(cache, op, ops) cache "-" ops, cache "-" op "-misses"
#define DATA_NAMES(cache) CACHE_NAMES(cache, "load", "loads"), \
	CACHE_NAMES(cache, "store", "stores"), \
	CACHE_NAMES(cache, "prefetch", "prefetches")

/* perf's names of hardware and cache events, without aliases; and `from`. */
static const char *const generic_names[] = {
	"cpu-cycles", "instructions", "cache-references", "cache-misses",
	"branch-instructions", "branch-misses", "bus-cycles",
	"stalled-cycles-frontend", "stalled-cycles-backend", "ref-cycles",
	DATA_NAMES("L1-dcache"), DATA_NAMES("LLC"), DATA_NAMES("dTLB"),
	DATA_NAMES("node"), CACHE_NAMES("L1-icache", "load", "loads"),
	CACHE_NAMES("L1-icache", "prefetch", "prefetches"),
	CACHE_NAMES("iTLB", "load", "loads"),
	CACHE_NAMES("branch", "load", "loads"), "from", NULL
};

static int read_generic(const struct scope *s, const struct yaml_node *node,
			struct cpu_generic *out)
{
	const char *value;
	struct tag tag;
	int error = fact_split(s, node, NULL, &value, &tag);

	if (error)
		return error;
	out->present = strcmp(value, "none") != 0;
	if (out->present && fact_number(&out->code, value))
		return fact_error(s, node, "'%s' must be a code such as "
				  "0x0141, or none, not '%.60s'", node->key,
				  value);
	if (!out->present && !(tag.note && *tag.note))
		return fact_error(s, node, "say why '%s' is none, behind the "
				  "source: 'none | D key | why'", node->key);
	out->name = pool_text(s->reader->pool, node->key, strlen(node->key));
	out->note = tag.note;
	out->source = tag.source;
	out->confidence = tag.confidence;
	return out->name ? 0 : error_memory(s->reader->err);
}

int generics_read(const struct scope *pmu, struct cpu *cpu)
{
	struct cpu_generic *generic;
	struct scope s;
	bool present;
	int error = scope_open(&s, pmu, "linux", NULL, &present);

	if (!error && present)
		error = yaml_keys(s.reader->yaml, s.map, generic_names,
				  "linux", s.reader->err);
	if (error || !present)
		return error;
	generic = pool_array(s.reader->pool, s.map->count + 1,
			     sizeof(*generic));
	if (!generic)
		return error_memory(s.reader->err);
	cpu->generic = generic;
	for (const struct yaml_node *n = s.map->first; n && !error;
	     n = n->next)
		if (strcmp(n->key, "from"))
			error = read_generic(&s, n, &generic[cpu->generics++]);
	return error;
}

const struct cpu_generic *cpu_generic_find(const struct cpu *cpu,
					   const char *name)
{
	for (size_t i = 0; i < cpu->generics; i++)
		if (text_equal(cpu->generic[i].name, name))
			return &cpu->generic[i];
	return NULL;
}

/* ---- traits derived from counts and names -------------------------------- */

/* Parts of the names of signals that make up a trait. */
static const char *const marks[CPU_TRAITS][8] = {
	[CPU_PREFETCHES] = { "_prefetch", NULL },
	[CPU_WALKS] = { "walk", NULL },
	[CPU_WRITEBACKS] = { "writeback", "evict_dirty", "flush_dirty",
			     "evict_non_silent", "dram_write",
			     "write_through", NULL },
};

static bool marked(const char *signal, enum cpu_trait_kind kind)
{
	for (int i = 0; marks[kind][i]; i++)
		if (strstr(signal, marks[kind][i]))
			return true;
	return false;
}

/*
 * Does the event's sum have a signal of the memory hierarchy and, unless kind
 * is CPU_TRAITS, of this trait? The signals before l1d_load count instructions,
 * prefetch instructions among them.
 */
static bool adds_up(const struct cpu_event *event, enum cpu_trait_kind kind)
{
	const struct expr *e = &event->counts;

	for (int i = 0; i < e->nodes; i++)
		if (e->node[i].op == EXPR_NAME &&
		    e->node[i].name >= CPU_SIGNAL_l1d_load &&
		    e->node[i].name < CPU_SIGNALS &&
		    (kind == CPU_TRAITS ||
		     marked(signal_names[e->node[i].name], kind)))
			return true;
	return false;
}

/* Cycles and instructions access no lines: such an event has no such traits. */
static bool about_memory(const struct cpu_event *event)
{
	return adds_up(event, CPU_TRAITS) &&
	       strncmp(event->counts_text, "cycles", 6) != 0;
}

static void from_name(struct cpu_trait *out, const struct cpu_event *event)
{
	const bool spec = strstr(event->name, "_SPEC") != NULL;

	if (!spec && !strstr(event->name, "RETIRED"))
		return;
	*out = (struct cpu_trait){ spec ? "yes" : "no", "",
				   "by the vendor's use of the word in names",
				   'R' };
}

void cpu_event_trait(struct cpu_trait *out, const struct cpu_event *event,
		     enum cpu_trait_kind kind)
{
	*out = event->trait[kind];
	if (out->value)
		return;
	*out = (struct cpu_trait){ NULL, "", "", 0 };
	if (kind == CPU_SPECULATIVE)
		from_name(out, event);
	else if (kind != CPU_PER && event->present && about_memory(event))
		*out = (struct cpu_trait){
			adds_up(event, kind) ? "yes" : "no", event->source,
			"follows from what it adds up", event->confidence };
}
