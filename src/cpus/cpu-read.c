/* SPDX-License-Identifier: MIT */
/*
 * The reader of a CPU file: its identity, sources, errata and other facts here;
 * the sections of the hierarchy and of the PMU in hierarchy.c and pmu.c.
 */
#include "cpus/cpu-read.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

static const char schema[] = "assay-cpu/1";

static const char *const top_keys[] = {
	"schema", "name", "title", "aliases", "isa", "year", "core", "match",
	"sources", "line", "page", "caches", "tlbs", "walker", "prefetchers", "predictor",
	"order", "page-map", "cycles", "pmu", "errata", "facts", NULL
};

/* ---- identity ----------------------------------------------------------- */

/* A required text at the top of the file, copied; *at gets its node. */
static int need_text(struct reader *r, const char *key, const char **out,
		     const struct yaml_node **at)
{
	int error = yaml_need(at, r->yaml, r->yaml->root, key, YAML_SCALAR,
			      r->err);

	if (error)
		return error;
	*out = pool_text(r->pool, (*at)->text, strlen((*at)->text));
	if (!*out)
		return error_memory(r->err);
	return **out ? 0 : yaml_error(r->yaml, *at, r->err,
				      "'%s' must not be empty", key);
}

static int check_schema(struct reader *r)
{
	const struct yaml_node *n;
	const char *text;
	int error = need_text(r, "schema", &text, &n);

	if (error || !strcmp(text, schema))
		return error;
	return yaml_error(r->yaml, n, r->err,
			  "this is schema '%.60s', not '%s'", text, schema);
}

static int check_name(struct reader *r, const struct yaml_node *n,
		      const char *name)
{
	for (const char *p = name; *p; p++)
		if (!islower((unsigned char)*p) &&
		    !isdigit((unsigned char)*p) && !strchr("-.", *p))
			return yaml_error_in(r->yaml, n, (size_t)(p - name),
					     r->err, "names hold a-z, 0-9, '-' "
					     "and '.' only");
	return strlen(name) < 64 ? 0 : yaml_error(r->yaml, n, r->err,
						  "the name is too long");
}

static int read_isa(struct reader *r, struct geometry *g)
{
	const struct yaml_node *n;
	const char *text;
	int error = need_text(r, "isa", &text, &n);

	if (error)
		return error;
	for (int i = 0; i < ISAS; i++) {
		if (strcmp(text, isa_names[i]))
			continue;
		g->isa = (enum isa)i;
		return 0;
	}
	return yaml_error(r->yaml, n, r->err,
			  "'isa' is '%s' or '%s', not '%.60s'",
			  isa_names[ISA_AARCH64], isa_names[ISA_X86_64], text);
}

static int read_identity(struct reader *r, struct cpu *cpu)
{
	const struct yaml_node *n;
	int error = check_schema(r);

	if (!error)
		error = yaml_keys(r->yaml, r->yaml->root, top_keys,
				  "the file", r->err);
	if (!error)
		error = need_text(r, "name", &cpu->name, &n);
	if (!error)
		error = check_name(r, n, cpu->name);
	if (!error)
		error = need_text(r, "title", &cpu->title, &n);
	if (!error)
		error = read_isa(r, &cpu->geometry);
	if (!error)
		error = fact_words(r, yaml_get(r->yaml->root, "aliases"),
				  &cpu->alias);
	if (!error)
		text_copy(cpu->geometry.name, sizeof(cpu->geometry.name),
			  cpu->name);
	return error;
}

/* ---- sources and lists of texts ----------------------------------------- */

static int check_key(struct reader *r, const struct yaml_node *n)
{
	if (strpbrk(n->key, " |"))
		return yaml_error_key(r->yaml, n, r->err, "a source's key must "
				      "not hold spaces or '|'");
	return yaml_is(r->yaml, n, YAML_SCALAR, n->key, r->err);
}

static int read_sources(struct reader *r, struct cpu *cpu)
{
	const struct yaml_node *map, *n;
	struct cpu_source *cited;
	const char **keys;
	int error = yaml_need(&map, r->yaml, r->yaml->root, "sources",
			      YAML_MAPPING, r->err);

	if (error)
		return error;
	cited = pool_array(r->pool, map->count + 1, sizeof(*cited));
	keys = pool_array(r->pool, map->count + 1, sizeof(*keys));
	if (!cited || !keys)
		return error_memory(r->err);
	for (n = map->first; n; n = n->next) {
		struct cpu_source *c = &cited[cpu->cites];

		error = check_key(r, n);
		if (error)
			return error;
		if (!*n->text)
			return yaml_error(r->yaml, n, r->err,
					  "'%.60s' must not be empty", n->key);
		c->key = pool_text(r->pool, n->key, strlen(n->key));
		c->text = pool_text(r->pool, n->text, strlen(n->text));
		if (!c->key || !c->text)
			return error_memory(r->err);
		keys[cpu->cites++] = c->key;
	}
	cpu->cited = cited;
	r->source = keys;
	return 0;
}

/* The section `facts`: facts that no code uses, with any keys. */
static int read_loose_facts(const struct scope *top)
{
	struct scope s;
	const char *value;
	struct tag tag;
	bool present;
	int error = scope_open(&s, top, "facts", NULL, &present);

	if (error || !present)
		return error;
	for (const struct yaml_node *n = s.map->first; n && !error;
	     n = n->next)
		if (strcmp(n->key, "from"))
			error = fact_split(&s, n, n->key, &value, &tag);
	return error;
}

/* "ID: TEXT"; NULL: out of memory. */
static const char *join(struct reader *r, const char *id, const char *text)
{
	const size_t room = strlen(id) + strlen(text) + 3;
	char *out = pool_get(r->pool, room);

	if (out)
		snprintf(out, room, "%s: %s", id, text);
	return out;
}

static int read_errata(const struct scope *top, struct cpu *cpu)
{
	struct reader *r = top->reader;
	const char **text, *value;
	struct scope s = *top;
	struct tag tag;
	bool present;
	size_t n = 0;
	int error = scope_open(&s, top, "errata", NULL, &present);

	if (error)
		return error;
	text = pool_array(r->pool, present ? s.map->count + 1 : 1,
			  sizeof(*text));
	if (!text)
		return error_memory(r->err);
	for (const struct yaml_node *e = present ? s.map->first : NULL; e;
	     e = e->next) {
		if (!strcmp(e->key, "from"))
			continue;
		error = fact_split(&s, e, e->key, &value, &tag);
		if (error)
			return error;
		text[n] = join(r, e->key, value);
		if (!text[n++])
			return error_memory(r->err);
	}
	cpu->erratum = text;
	return 0;
}

/* ---- match: how the CPU identifies itself -------------------------------- */

struct match_text {
	uint64_t implementer, part, family;
	const char *vendor, *models, *steppings, *other_parts;
};

static const struct field match_fields[] = {
	COUNT_ROW("implementer", match_text, implementer, false, 1, 0xff),
	COUNT_ROW("part", match_text, part, false, 1, 0xfff),
	FIELD_ROW("vendor", FIELD_TEXT, match_text, vendor, false, .max = 0),
	COUNT_ROW("family", match_text, family, false, 1, 0xfff),
	FIELD_ROW("models", FIELD_TEXT, match_text, models, false, .max = 0),
	FIELD_ROW("steppings", FIELD_TEXT, match_text, steppings, false,
		  .max = 0),
	FIELD_ROW("other-parts", FIELD_TEXT, match_text, other_parts, false,
		  .max = 0),
	{ .key = NULL }
};

/* Appends the numbers of "0x5e 0x9e" to out[CPU_MATCHES]. */
static int read_list(const struct scope *s, const char *key, const char *text,
		     uint64_t *out, unsigned *count)
{
	const struct yaml_node *node = yaml_get(s->map, key);
	char word[32];

	while (text && *text) {
		const size_t n = strcspn(text, " ");

		text_copy(word, n < sizeof(word) ? n + 1 : sizeof(word), text);
		if (*count == CPU_MATCHES)
			return fact_error(s, node, "'%s' has more than %d "
					  "numbers", key, CPU_MATCHES);
		if (fact_number(&out[(*count)++], word))
			return fact_error(s, node, "'%s' must be numbers, not "
					  "'%s'", key, word);
		text += n;
		text += strspn(text, " ");
	}
	return 0;
}

/* A key of `match` that only the other instruction set's CPUs have; or NULL. */
static const char *of_other(const struct match_text *t, enum isa isa)
{
	if (isa == ISA_X86_64)
		return t->implementer ? "implementer" :
		       t->part ? "part" :
		       t->other_parts ? "other-parts" : NULL;
	return *t->vendor ? "vendor" : t->family ? "family" :
	       t->models ? "models" : t->steppings ? "steppings" : NULL;
}

static int read_match(const struct scope *top, enum isa isa,
		      struct cpu_match *m)
{
	const char *other;
	struct match_text t = { .vendor = "" };
	struct scope s;
	bool present;
	int error = scope_open(&s, top, "match", match_fields, &present);

	m->vendor = "";
	if (!error && present)
		error = scope_read(&s, match_fields, &t);
	if (error || !present)
		return error;
	other = of_other(&t, isa);
	if (other)
		return scope_refuse(&s, other, isa == ISA_X86_64 ?
				    "x86-64's CPUs have vendor and family" :
				    "AArch64's CPUs have implementer and part");
	m->implementer = t.implementer;
	m->part = t.part;
	m->vendor = t.vendor;
	m->family = t.family;
	error = read_list(&s, "other-parts", t.other_parts, m->other_part,
			  &m->other_parts);
	if (!error)
		error = read_list(&s, "models", t.models, m->model,
				  &m->models);
	return error ? error : read_list(&s, "steppings", t.steppings,
					 m->stepping, &m->steppings);
}

/* ---- all of it ---------------------------------------------------------- */

static int read_year(const struct scope *top, struct cpu *cpu)
{
	static const struct field field[] = {
		{ .key = "year", .kind = FIELD_COUNT, .min = 1978,
		  .max = 2100 },
		{ .key = NULL }
	};
	uint64_t year = 0;
	int error = scope_read(top, field, &year);

	cpu->year = (unsigned)year;
	return error;
}

static int read_core(const struct scope *top, struct cpu *cpu)
{
	static const struct field field[] = {
		{ .key = "core", .kind = FIELD_WORD, .words = cpu_cores,
		  .count = CPU_CORES },
		{ .key = NULL }
	};
	int kind = -1, error = scope_read(top, field, &kind);

	if (!error && kind >= 0 && cpu->geometry.isa != ISA_X86_64)
		return scope_refuse(top, "core", "only x86-64's CPUs have a "
				    "PMU for each kind of core");
	cpu->core = kind < 0 ? NULL : cpu_core_pmus[kind];
	return error;
}

static int read_sections(const struct scope *top, struct cpu *cpu)
{
	int error = read_year(top, cpu);

	if (!error)
		error = read_core(top, cpu);
	if (!error)
		error = read_match(top, cpu->geometry.isa, &cpu->match);

	if (!error)
		error = hierarchy_read(top, &cpu->geometry);
	if (!error)
		error = pmu_read(top, cpu);
	if (!error)
		error = read_loose_facts(top);
	if (!error)
		error = read_errata(top, cpu);
	if (!error)
		error = fact_array(top->reader, &cpu->fact);
	cpu->facts = top->reader->facts;
	return error;
}

int cpu_read(struct cpu *cpu, const struct yaml *yaml, struct assay_error *err)
{
	struct reader reader = { .yaml = yaml, .pool = cpu->owned,
				 .err = err };
	const struct scope top = { .reader = &reader, .map = yaml->root,
				   .path = "", .tag = { .note = "" } };
	int error = yaml_is(yaml, yaml->root, YAML_MAPPING, "a CPU file", err);

	if (error)
		return error;
	cpu->product = "";
	cpu->file = pool_text(cpu->owned, yaml->file, strlen(yaml->file));
	if (!cpu->file)
		return error_memory(reader.err);
	error = read_identity(&reader, cpu);
	if (!error)
		error = read_sources(&reader, cpu);
	return error ? error : read_sections(&top, cpu);
}
