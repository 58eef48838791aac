/* SPDX-License-Identifier: MIT */
/*
 * The section `pmu`. Each event has a name, a code, and one of `counts` (an
 * expression over signals), `absent` (the CPU does not have the event) or
 * `unmodelled` (the CPU has the event, but the simulator has no signal for it).
 */
#include "cpus/cpu-read.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "cpus/signals.h"

enum { MAX_CODE = 0xffff, MAX_UMASK = 0xff };

struct pmu_text {
	uint64_t counters, bits;
};

static const struct field pmu_fields[] = {
	COUNT_ROW("counters", pmu_text, counters, true, 1, 64),
	COUNT_ROW("bits", pmu_text, bits, true, 1, 64),
	{ .key = "events" }, { .key = "per" }, { .key = "umasks" },
	{ .key = "linux" },
	{ .key = NULL }
};

static const char *const event_keys[] = {
	"code", "umask", "counts", "says", "absent", "unmodelled", "means",
	"alias", "from", "pages", "speculative", "prefetches", "walks",
	"writebacks", "per", "errata", "counters", NULL
};

/* ---- counts ------------------------------------------------------------- */

static int find_signal(void *ctx, const char *name)
{
	(void)ctx;
	return signal_find(name);
}

/* Replaces the name `cycles` at node `at` by the cycle model's expression. */
static bool expand_cycles(struct expr *e, short at, const struct geometry *g)
{
	struct expr model;
	const short base = e->nodes;

	models_cycles(&model, g);
	if (!model.nodes || base + model.nodes > EXPR_NODES)
		return false;
	for (short i = 0; i < model.nodes; i++) {
		struct expr_node n = model.node[i];

		if (n.left >= 0)
			n.left = (short)(n.left + base);
		if (n.right >= 0)
			n.right = (short)(n.right + base);
		e->node[base + i] = n;
	}
	e->nodes = (short)(base + model.nodes);
	e->node[at] = e->node[base + model.root];
	return true;
}

static int wrong_counts(const struct scope *s, const struct yaml_node *node,
			size_t at, const struct assay_error *why)
{
	const char *nearest;

	if (why->code != -ASSAY_ENOENT)
		return fact_error_in(s, node, at, "%s", why->text);
	nearest = text_nearest(why->text, signal_names);
	return fact_error_in(s, node, at, "unknown signal '%.60s'%s%s%s",
			     why->text, nearest ? "; did you mean '" : "",
			     nearest ? nearest : "", nearest ? "'?" : "");
}

/*
 * Parses an expression over signals. *lacks is set to the reason if the
 * geometry does not model one of the signals; else it is unchanged. Signals
 * that the cycle model adds are not checked: a missing part costs no cycles.
 */
static int read_sum(const struct scope *s, const struct yaml_node *node,
		    const struct geometry *g, const char *text,
		    struct expr *sum, const char **lacks)
{
	const char *why_not;
	struct assay_error why = { 0 };
	size_t at = 0;
	short last;

	if (expr_parse(sum, text, find_signal, NULL, &at, &why))
		return wrong_counts(s, node, at, &why);
	last = sum->nodes;
	for (short i = 0; i < last; i++) {
		if (sum->node[i].op != EXPR_NAME)
			continue;
		why_not = geometry_lacks(g, signal_names[sum->node[i].name]);
		*lacks = why_not ? why_not : *lacks;
		if (sum->node[i].name == CPU_SIGNALS &&
		    !expand_cycles(sum, i, g))
			return fact_error(s, node,
					  g->cycles.l1_hit > 0 ||
					  g->cycles.per_instruction > 0 ?
					  "'cycles' makes this too long" :
					  "'cycles' needs constants in the "
					  "'cycles' section");
	}
	return 0;
}

static int read_counts(const struct scope *s, const struct yaml_node *node,
		       const struct geometry *g, struct cpu_event *e)
{
	int error = read_sum(s, node, g, e->counts_text, &e->counts,
			     &e->absent);

	if (!error)
		e->present = e->implemented = true;
	return error;
}

/* `says`, the vendor's text; the event's first erratum must explain the
 * difference. */
static int read_says(const struct scope *s, const struct geometry *g,
		     struct cpu_event *e)
{
	const struct yaml_node *node = yaml_get(s->map, "says");
	struct tag tag;
	int error;

	e->says_text = e->says_source = "";
	if (!node)
		return 0;
	if (!e->present || !e->errata || !*e->errata)
		return fact_error_key(s, node, "'says' needs 'counts', and in "
				      "'errata' first the one that tells why "
				      "they differ");
	error = fact_split(s, node, NULL, &e->says_text, &tag);
	e->says_source = error ? "" : tag.source;
	e->says_confidence = error ? 0 : tag.confidence;
	return error ? error : read_sum(s, node, g, e->says_text, &e->says,
					&e->absent);
}

/* ---- one event ---------------------------------------------------------- */

static int read_number(const struct scope *s, const char *key, uint64_t max,
		       uint64_t *out)
{
	const struct yaml_node *n = yaml_get(s->map, key);
	struct reader *r = s->reader;
	uint64_t value;
	int error;

	if (!n)
		return 0;
	error = yaml_is(r->yaml, n, YAML_SCALAR, key, r->err);
	if (error)
		return error;
	if (fact_number(&value, n->text))
		return yaml_error(r->yaml, n, r->err, "'%s' must be a number "
				  "such as 0x42, not '%.60s'", key, n->text);
	if (value > max)
		return yaml_error(r->yaml, n, r->err,
				  "'%s' must be at most 0x%llx, not '%.60s'",
				  key, (unsigned long long)max, n->text);
	*out = value;
	return 0;
}

/* code and umask as perf's raw config: bits 11:8 of code go to bits 35:32. */
static int read_code(const struct scope *s, const struct cpu *cpu,
		     struct cpu_event *e)
{
	const bool arm = cpu->geometry.isa == ISA_AARCH64;
	const struct yaml_node *node, *umask_node = yaml_get(s->map, "umask");
	uint64_t code = 0, umask = 0;
	int error = yaml_need(&node, s->reader->yaml, s->map, "code",
			      YAML_SCALAR, s->reader->err);

	if (!error)
		error = read_number(s, "code", arm ? MAX_CODE : 0xfff, &code);
	if (!error)
		error = read_number(s, "umask", MAX_UMASK, &umask);
	if (error)
		return error;
	if (arm && umask_node)
		return fact_error_key(s, umask_node, "aarch64 events have no "
				      "'umask'");
	e->code = arm ? code
		      : (code & 0xff) | umask << 8 | (code >> 8) << 32;
	return 0;
}

/* The one key of counts, absent and unmodelled that the event must have. */
static int find_kind(const struct scope *s, const struct yaml_node **out)
{
	static const char *const kinds[] = { "counts", "absent", "unmodelled" };
	const struct yaml_node *found = NULL;

	for (unsigned i = 0; i < 3; i++) {
		const struct yaml_node *n = yaml_get(s->map, kinds[i]);

		if (n && found)
			return fact_error_key(s, n, "'%s' and '%s' exclude "
					      "each other", found->key, n->key);
		found = n ? n : found;
	}
	if (!found)
		return fact_error_key(s, s->map, "'%.60s' needs 'counts', "
				      "'absent' or 'unmodelled'", s->map->key);
	*out = found;
	return 0;
}

static int read_meaning(const struct scope *s, const struct geometry *g,
			struct cpu_event *e)
{
	const struct yaml_node *node = NULL;
	const char *text;
	struct tag tag;
	int error = find_kind(s, &node);

	if (!error)
		error = fact_split(s, node, NULL, &text, &tag);
	if (error)
		return error;
	e->source = tag.source;
	e->confidence = tag.confidence;
	e->counts_text = e->absent = "";
	if (!strcmp(node->key, "counts")) {
		e->counts_text = text;
		return read_counts(s, node, g, e);
	}
	e->absent = text;
	e->implemented = !strcmp(node->key, "unmodelled");
	return 0;
}

static int check_pages(const struct scope *s, enum isa isa,
		       const struct cpu_event *e)
{
	for (int size = 0; size < PAGE_SIZES; size++)
		if (e->pages >> size & 1 &&
		    !page_of_isa((enum page_size)size, isa))
			return fact_error(s, yaml_get(s->map, "pages"),
					  "%s has no pages of '%s'",
					  isa_names[isa], page_names[size]);
	return 0;
}

static int read_event(const struct scope *events, const struct yaml_node *node,
		      struct cpu *cpu, struct cpu_event *e)
{
	struct reader *r = events->reader;
	struct scope s = *events;
	const char *means;
	int error = yaml_keys(r->yaml, node, event_keys, node->key, r->err);

	s.map = node;
	if (!error)
		error = fact_name(r, node, node->key);
	if (!error)
		error = scope_from(&s);
	if (!error)
		error = read_code(&s, cpu, e);
	if (!error)
		error = read_meaning(&s, &cpu->geometry, e);
	if (!error)
		error = yaml_text(&means, r->yaml, node, "means", r->err);
	if (!error)
		error = fact_words(r, yaml_get(node, "alias"), &e->alias);
	if (!error)
		error = event_traits_read(&s, events, cpu->counters, e);
	if (!error)
		error = check_pages(&s, cpu->geometry.isa, e);
	if (!error)
		error = read_says(&s, &cpu->geometry, e);
	if (error)
		return error;
	e->present = e->present && !e->absent[0];
	e->name = pool_text(r->pool, node->key, strlen(node->key));
	e->meaning = pool_text(r->pool, means, strlen(means));
	return e->name && e->meaning ? 0 : error_memory(r->err);
}

/* ---- all events --------------------------------------------------------- */

/* A name or an alias, and the node for the error if the name is there twice. */
struct called {
	const char *name;
	const struct yaml_node *node;
	size_t order;
};

static int by_name(const void *a, const void *b)
{
	const struct called *x = a, *y = b;
	const int order = strcasecmp(x->name, y->name);

	return order ? order : x->order < y->order ? -1 : 1;
}

static size_t collect_names(struct called *out, const struct cpu *cpu,
			    const struct yaml_node *node)
{
	size_t n = 0;

	for (size_t i = 0; i < cpu->events; i++, node = node->next) {
		const struct cpu_event *e = &cpu->event[i];

		out[n] = (struct called){ e->name, node, n };
		n++;
		for (const char *const *a = e->alias; *a; a++, n++)
			out[n] = (struct called){ *a, node, n };
	}
	return n;
}

static int check_names(struct reader *r, const struct cpu *cpu,
		       const struct yaml_node *first)
{
	struct called *names;
	size_t total = 0, n;
	int error = 0;

	for (size_t i = 0; i < cpu->events; i++, total++)
		for (const char *const *a = cpu->event[i].alias; *a; a++)
			total++;
	names = calloc(total + 1, sizeof(*names));
	if (!names)
		return error_memory(r->err);
	n = collect_names(names, cpu, first);
	qsort(names, n, sizeof(*names), by_name);
	for (size_t i = 0; i < n && !error; i++)
		if (isdigit((unsigned char)*names[i].name))
			error = yaml_error_key(r->yaml, names[i].node, r->err,
					       "'%.60s' would be taken for a "
					       "code: names begin with a "
					       "letter", names[i].name);
	for (size_t i = 1; i < n && !error; i++)
		if (!strcasecmp(names[i].name, names[i - 1].name))
			error = yaml_error_key(r->yaml, names[i].node, r->err,
					       "the name '%.60s' is given "
					       "twice (first in line %u)",
					       names[i].name,
					       names[i - 1].node->key_line);
	free(names);
	return error;
}

/* A code, and the event's node for the error if the code is there twice. */
struct coded {
	uint64_t code;
	const struct yaml_node *node;
	size_t order;
};

static int by_code(const void *a, const void *b)
{
	const struct coded *x = a, *y = b;

	if (x->code != y->code)
		return x->code < y->code ? -1 : 1;
	return x->order < y->order ? -1 : 1;
}

static int check_codes(struct reader *r, const struct cpu *cpu,
		       const struct yaml_node *node)
{
	struct coded *codes = calloc(cpu->events + 1, sizeof(*codes));
	int error = 0;

	if (!codes)
		return error_memory(r->err);
	for (size_t i = 0; i < cpu->events; i++, node = node->next)
		codes[i] = (struct coded){ cpu->event[i].code, node, i };
	qsort(codes, cpu->events, sizeof(*codes), by_code);
	for (size_t i = 1; i < cpu->events && !error; i++)
		if (codes[i].code == codes[i - 1].code)
			error = yaml_error(r->yaml,
					   yaml_get(codes[i].node, "code"),
					   r->err,
					   "'%.60s' has this code already",
					   codes[i - 1].node->key);
	free(codes);
	return error;
}

static int read_events(const struct scope *pmu, struct cpu *cpu)
{
	struct reader *r = pmu->reader;
	const struct yaml_node *map, *n;
	struct cpu_event *event;
	int error = yaml_need(&map, r->yaml, pmu->map, "events", YAML_MAPPING,
			      r->err);

	if (error)
		return error;
	event = pool_array(r->pool, map->count + 1, sizeof(*event));
	if (!event)
		return error_memory(r->err);
	for (n = map->first; n && !error; n = n->next)
		error = read_event(pmu, n, cpu, &event[cpu->events++]);
	cpu->event = event;
	if (!error)
		error = check_names(r, cpu, map->first);
	return error ? error : check_codes(r, cpu, map->first);
}

int pmu_read(const struct scope *top, struct cpu *cpu)
{
	struct pmu_text p = { 0 };
	struct scope s;
	int error = scope_open(&s, top, "pmu", pmu_fields, NULL);
	const struct field only[] = { pmu_fields[0], pmu_fields[1],
				      { .key = NULL } };

	if (!error)
		error = scope_read(&s, only, &p);
	if (error)
		return error;
	cpu->counters = (unsigned)p.counters;
	cpu->counter_bits = (unsigned)p.bits;
	error = read_events(&s, cpu);
	if (!error)
		error = units_read(&s, cpu);
	return error ? error : generics_read(&s, cpu);
}
