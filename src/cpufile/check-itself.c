/* SPDX-License-Identifier: MIT */
/* A CPU file against itself; see check.h. */
#include "cpufile/check.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/row.h"
#include "base/text.h"
#include "cpus/data-file.h"

enum { LEVELS = 3, WHAT = 300 };

static const char *const kinds[FINDING_KINDS] = {
	"contradiction", "table", "missing", "known",
};

void check_say(struct checking *c, enum finding_kind kind, const char *where,
	       const char *what, ...)
{
	char text[WHAT];
	const struct assay_field field[] = {
		field_text("finding", kinds[kind]), field_text("where", where),
		field_text("what", text),
	};
	va_list args;

	va_start(args, what);
	vsnprintf(text, sizeof(text), what, args);
	va_end(args);
	c->found[kind]++;
	if (!c->rc)
		c->rc = ROW_EMIT(c->fn, c->ctx, "finding", field);
}

static const struct cpu_fact *fact_of(const struct cpu *cpu, const char *path)
{
	for (size_t i = 0; i < cpu->facts; i++)
		if (!strcmp(cpu->fact[i].path, path))
			return &cpu->fact[i];
	return NULL;
}

/* ---- sizes and latencies ------------------------------------------------- */

static void check_sizes(struct checking *c)
{
	const struct geometry *g = &c->cpu->geometry;

	if (g->l2.present && cache_bytes(&g->l2) < cache_bytes(&g->l1d))
		check_say(c, FINDING_CONTRADICTION, "caches.l2",
			  "smaller than l1d");
	if (g->l2tlb.present && g->dtlb.present &&
	    g->l2tlb.entries < g->dtlb.entries)
		check_say(c, FINDING_CONTRADICTION, "tlbs.l2tlb",
			  "has fewer entries than dtlb");
}

/* Latencies of levels that are there must rise; 0: not given. */
static void check_rising(struct checking *c, const char *const path[LEVELS],
			 const double value[LEVELS])
{
	int last = -1;

	for (int i = 0; i < LEVELS; i++) {
		if (value[i] <= 0)
			continue;
		if (last >= 0 && value[i] <= value[last])
			check_say(c, FINDING_CONTRADICTION, path[i], "%g is "
				  "not more than %g of %s", value[i],
				  value[last], path[last]);
		last = i;
	}
}

static void check_latencies(struct checking *c)
{
	static const char *const in_cycles[LEVELS] = {
		"cycles.l1-hit", "cycles.l2-hit", "cycles.l3-hit",
	}, *const in_caches[LEVELS] = {
		"caches.l1d.latency", "caches.l2.latency", "caches.l3.latency",
	};
	const struct geometry *g = &c->cpu->geometry;
	const double cycles[LEVELS] = {
		g->cycles.l1_hit, g->cycles.l2_hit,
		g->l3.present ? g->cycles.l3_hit : 0,
	};
	double shown[LEVELS] = { 0 };

	check_rising(c, in_cycles, cycles);
	for (int i = 0; i < LEVELS; i++) {
		const struct cpu_fact *f = fact_of(c->cpu, in_caches[i]);

		shown[i] = f ? strtod(f->value, NULL) : 0;
	}
	check_rising(c, in_caches, shown);
}

/* ---- gaps ---------------------------------------------------------------- */

static void check_parts(struct checking *c)
{
	const struct geometry *g = &c->cpu->geometry;
	const struct { const char *where; bool there; } parts[] = {
		{ "match", c->cpu->match.part || *c->cpu->match.vendor },
		{ "caches.l1i", g->l1i.present },
		{ "caches.l2", g->l2.present },
		{ "tlbs.dtlb", g->dtlb.present },
		{ "tlbs.itlb", g->itlb.present },
		{ "walker", g->walker.levels }, { "predictor",
		  g->predictor.kind != PREDICT_NONE },
		{ "prefetchers", g->prefetchers },
		{ "cycles", g->cycles.l1_hit > 0 },
	};

	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		if (!parts[i].there)
			check_say(c, FINDING_MISSING, parts[i].where,
				  "the file says nothing of it");
}

/* A model of x86 is a part of the match. */
static void check_models(struct checking *c)
{
	if (*c->cpu->match.vendor && !c->cpu->match.models)
		check_say(c, FINDING_MISSING, "match.models",
			  "no machine is recognised without models");
}

/* Bytes of "caches.l1d" in "caches.l1d.size"; 0: "line". */
static size_t part_of(const char *path)
{
	const char *dot = strrchr(path, '.');

	return dot ? (size_t)(dot - path) : 0;
}

static bool is_stand_in(const struct cpu_fact *f, const char *part, size_t n)
{
	return !strcmp(f->source, "unknown") && part_of(f->path) == n &&
	       !strncmp(f->path, part, n);
}

/* What `assay cpu new` has put there: a row for each part, at its first. */
static void check_stand_ins(struct checking *c)
{
	const struct cpu_fact *fact = c->cpu->fact;

	for (size_t i = 0; i < c->cpu->facts; i++) {
		const size_t n = part_of(fact[i].path);
		char part[64] = "", keys[WHAT - 20] = "";
		size_t first = 0;

		while (!is_stand_in(&fact[first], fact[i].path, n) && first < i)
			first++;
		for (size_t k = i; first == i && k < c->cpu->facts; k++)
			if (is_stand_in(&fact[i], fact[i].path, n) &&
			    is_stand_in(&fact[k], fact[i].path, n))
				text_add(keys, sizeof(keys), ", ", "%s",
					 fact[k].path + n + (n > 0));
		snprintf(part, sizeof(part), "%.*s", (int)n, fact[i].path);
		if (*keys)
			check_say(c, FINDING_MISSING, n ? part : "top level",
				  "stand-ins: %s", keys);
	}
}

static void check_expressions(struct checking *c)
{
	size_t n = 0;

	for (size_t i = 0; i < c->cpu->events; i++)
		n += !strcmp(c->cpu->event[i].source, "unknown");
	if (n)
		check_say(c, FINDING_MISSING, "pmu.events", "%zu of %zu have "
			  "no expression yet", n, c->cpu->events);
}

/* ---- sources ------------------------------------------------------------- */

static bool has_word(const char *words, const char *word)
{
	const size_t bytes = strlen(word);

	for (; words && *words; words += strspn(words, " ")) {
		const size_t n = strcspn(words, " ");

		if (n == bytes && !strncmp(words, word, n))
			return true;
		words += n;
	}
	return false;
}

static bool event_cites(const struct cpu_event *e, const char *key)
{
	for (int t = 0; t < CPU_TRAITS; t++)
		if (e->trait[t].value && has_word(e->trait[t].source, key))
			return true;
	return has_word(e->source, key) || has_word(e->says_source, key);
}

static bool is_cited(const struct cpu *cpu, const char *key)
{
	for (size_t i = 0; i < cpu->facts; i++)
		if (has_word(cpu->fact[i].source, key))
			return true;
	for (size_t i = 0; i < cpu->events; i++)
		if (event_cites(&cpu->event[i], key))
			return true;
	for (size_t i = 0; i < cpu->selects; i++)
		for (size_t k = 0; k < cpu->units[i].units; k++)
			if (has_word(cpu->units[i].unit[k].source, key))
				return true;
	for (size_t i = 0; i < cpu->generics; i++)
		if (has_word(cpu->generic[i].source, key))
			return true;
	return false;
}

static void check_sources(struct checking *c)
{
	for (size_t i = 0; i < c->cpu->cites; i++)
		if (!is_cited(c->cpu, c->cpu->cited[i].key))
			check_say(c, FINDING_MISSING, "sources",
				  "no fact cites '%.60s'",
				  c->cpu->cited[i].key);
}

/* ---- events -------------------------------------------------------------- */

static void check_says(struct checking *c)
{
	for (size_t i = 0; i < c->cpu->events; i++) {
		const struct cpu_event *e = &c->cpu->event[i];

		if (*e->says_text && !strcmp(e->says_text, e->counts_text))
			check_say(c, FINDING_CONTRADICTION, e->name,
				  "'says' equals 'counts'");
	}
}

void check_itself(struct checking *c)
{
	check_sizes(c);
	check_latencies(c);
	check_sources(c);
	check_says(c);
	check_parts(c);
	check_models(c);
	check_stand_ins(c);
	check_expressions(c);
}

/* ---- other files --------------------------------------------------------- */

void check_match(struct checking *c, const struct cpu *other)
{
	const struct cpu_match *m = &c->cpu->match;
	struct cpu_identity id = {
		.vendor = m->vendor, .family = (unsigned)m->family,
		.implementer = (unsigned)m->implementer,
		.part = (unsigned)m->part,
	};

	if (!strcmp(other->name, c->cpu->name))
		return;
	for (unsigned i = 0; i < (*m->vendor ? m->models : 1); i++) {
		id.model = *m->vendor ? (unsigned)m->model[i] : 0;
		if (!m->part && !*m->vendor)
			continue;
		if (!cpu_matches(other, &id))
			continue;
		if (data_file_is_path(c->asked))
			check_say(c, FINDING_KNOWN, "match", "the file %s is "
				  "for the same registers; --on sim:host takes "
				  "that one", other->name);
		else
			check_say(c, FINDING_CONTRADICTION, "match", "the file "
				  "%s matches the same CPU", other->name);
		return;
	}
}
