/* SPDX-License-Identifier: MIT */
/* Loading CPU files by name, alias or path; finding events; matching CPUs. */
#include "cpus/cpu.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cpus/cpu-read.h"
#include "cpus/data-file.h"
#include "cpus/pool.h"
#include "cpus/names/products.h"

static const char folder[] = "cpus";

static int from_yaml(struct cpu **out, const struct yaml *yaml,
		     struct assay_error *err)
{
	struct pool *pool = pool_new();
	struct cpu *cpu = pool ? pool_get(pool, sizeof(*cpu)) : NULL;
	int error;

	if (!cpu) {
		pool_free(pool);
		return error_memory(err);
	}
	cpu->owned = pool;
	error = cpu_read(cpu, yaml, err);
	if (error)
		pool_free(pool);
	else
		*out = cpu;
	return error;
}

/* A file NAME.yaml must have NAME as its name inside. */
static int check_found(struct cpu **cpu, const struct yaml *yaml,
		       const char *name, struct assay_error *err)
{
	int error;

	if (text_equal((*cpu)->name, name))
		return 0;
	error = yaml_error(yaml, yaml_get(yaml->root, "name"), err,
			   "the file is called '%.60s'", name);
	cpu_free(*cpu);
	*cpu = NULL;
	return error;
}

static int load_file(struct cpu **out, const char *name_or_path,
		     const char *data_dir, struct assay_error *err)
{
	struct yaml *yaml;
	int error = yaml_open(&yaml, folder, name_or_path, data_dir, err);

	if (error)
		return error;
	error = from_yaml(out, yaml, err);
	if (!error && !data_file_is_path(name_or_path))
		error = check_found(out, yaml, name_or_path, err);
	yaml_free(yaml);
	return error;
}

int cpu_parse(struct cpu **out, const char *file, const char *text,
	      size_t bytes, struct assay_error *err)
{
	struct yaml *yaml;
	int error = yaml_parse(&yaml, file, text, bytes, err);

	if (error)
		return error;
	error = from_yaml(out, yaml, err);
	yaml_free(yaml);
	return error;
}

/* The search for an alias over all files, and the nearest name so far. */
struct search {
	const char *name;
	struct cpu *found;
	unsigned distance;
	char nearest[64];
};

static void consider(struct search *s, const char *name)
{
	const char *const words[] = { name, NULL };
	const unsigned distance = text_distance(s->name, name);

	if (distance >= s->distance || !(text_nearest(s->name, words) ||
					 text_part(s->name, name)))
		return;
	s->distance = distance;
	text_copy(s->nearest, sizeof(s->nearest), name);
}

/* Keeps the CPU in s->found if it has the alias; else frees the CPU. */
static void check_candidate(struct search *s, struct cpu *cpu)
{
	consider(s, cpu->name);
	for (const char *const *a = cpu->alias; *a; a++) {
		consider(s, *a);
		if (text_equal(s->name, *a) && !s->found)
			s->found = cpu;
	}
	if (s->found != cpu)
		cpu_free(cpu);
}

/* Products may be meant, too. */
static int no_such_cpu(struct search *s, const char *data_dir,
		       struct assay_error *err)
{
	struct products all;
	int error = products_load(&all, data_dir, err);

	if (error)
		return error;
	for (size_t i = 0; i < all.products; i++)
		consider(s, all.product[i].key);
	error_set(err, -ASSAY_ENOENT, "no CPU is called '%.60s'%s%s%s",
		  s->name, *s->nearest ? "; did you mean '" : "", s->nearest,
		  *s->nearest ? "'?" : "");
	if (!*s->nearest)
		product_add_family(&all, s->name, err);
	if (!*s->nearest)
		error_add(err, "try: assay list cpus");
	products_free(&all);
	return -ASSAY_ENOENT;
}

/*
 * Searches the aliases of all files. A file that cannot be read is skipped: its
 * error concerns another name.
 */
static int load_alias(struct cpu **out, const char *name, const char *data_dir,
		      struct assay_error *err)
{
	struct search s = { .name = name, .distance = 256 };
	const char **names;
	struct cpu *cpu;
	int error = data_file_names(&names, folder, data_dir, err);

	if (error)
		return error;
	for (size_t i = 0; names[i] && !s.found && error != -ASSAY_ENOMEM;
	     i++) {
		error = load_file(&cpu, names[i], data_dir, err);
		if (!error)
			check_candidate(&s, cpu);
	}
	free(names);
	if (error == -ASSAY_ENOMEM)
		return error;
	if (s.found) {
		*out = s.found;
		return 0;
	}
	return no_such_cpu(&s, data_dir, err);
}

/* ---- products ------------------------------------------------------------ */

static const char *sentence_of(struct pool *pool, const struct product *p)
{
	char text[400];

	snprintf(text, sizeof(text), "%s, %u: simulated as the core %s%s",
		 p->title, p->year, p->cpu[0], p->differs ?
		 " with sizes of its own" : "");
	for (size_t i = 1; p->cpu[i]; i++)
		text_add(text, sizeof(text), "; ", "its other core is %s",
			 p->cpu[i]);
	return pool_text(pool, text, strlen(text));
}

/* The aliases of a CPU with sizes of its own, and the name of its core, by
 * which formulas and identities know the core. */
static const char *const *aliases_of(struct cpu *cpu)
{
	const char **alias;
	size_t n = 0;

	while (cpu->alias[n])
		n++;
	alias = pool_array(cpu->owned, n + 2, sizeof(*alias));
	if (alias) {
		alias[0] = cpu->name;
		memcpy(alias + 1, cpu->alias, n * sizeof(*alias));
	}
	return alias;
}

static int rename_as(struct cpu *cpu, const struct product *p,
		     struct assay_error *err)
{
	char title[256];

	snprintf(title, sizeof(title), "%s: %s", p->title, cpu->title);
	cpu->product = sentence_of(cpu->owned, p);
	cpu->year = p->year;
	cpu->title = pool_text(cpu->owned, title, strlen(title));
	if (p->differs) {
		cpu->alias = aliases_of(cpu);
		cpu->name = pool_text(cpu->owned, p->key, strlen(p->key));
		text_copy(cpu->geometry.name, sizeof(cpu->geometry.name),
			  p->key);
	}
	return cpu->product && cpu->title && cpu->alias && cpu->name ? 0 :
	       error_memory(err);
}

static int load_core(struct cpu **out, const struct product *p,
		     const char *data_dir, struct assay_error *err)
{
	struct yaml *yaml;
	int error = yaml_open(&yaml, folder, p->cpu[0], data_dir, err);

	if (error)
		return error;
	if (p->differs)
		error = product_apply(yaml, p, err);
	if (!error)
		error = from_yaml(out, yaml, err);
	if (!error)
		error = rename_as(*out, p, err);
	yaml_free(yaml);
	return error;
}

/* By the key alone, or also by patterns. -ASSAY_ENOENT with err->code 0: there is
 * no such product. */
static int load_product(struct cpu **out, const char *name, bool sold,
			const char *data_dir, struct assay_error *err)
{
	struct products all;
	const struct product *p;
	int error = products_load(&all, data_dir, err);

	if (error)
		return error;
	p = sold ? products_find(&all, name) : products_keyed(&all, name);
	error = p && *p->cpu ? load_core(out, p, data_dir, err) :
			       -ASSAY_ENOENT;
	if (p && error == -ASSAY_ENOENT)
		error = product_undescribed(&all, p, name, data_dir,
					    err);
	else if (!p)
		*err = (struct assay_error){ .code = 0 };
	products_free(&all);
	return error;
}

static int load(struct cpu **out, const char *name, bool sold,
		const char *data_dir, struct assay_error *err)
{
	struct assay_error own;
	int error = load_file(out, name, data_dir, err);

	if (error != -ASSAY_ENOENT || data_file_is_path(name))
		return error;
	error = load_product(out, name, sold, data_dir, &own);
	if (error == -ASSAY_ENOENT && !own.code)
		return load_alias(out, name, data_dir, err);
	if (error && err)
		*err = own;
	return error;
}

int cpu_load(struct cpu **out, const char *name_or_path, const char *data_dir,
	     struct assay_error *err)
{
	return load(out, name_or_path, false, data_dir, err);
}

int cpu_load_sold(struct cpu **out, const char *name_or_path,
		  const char *data_dir, struct assay_error *err)
{
	char normal[PRODUCT_NAME];
	const int error = load(out, name_or_path, true, data_dir, err);

	if (error != -ASSAY_ENOENT || data_file_is_path(name_or_path))
		return error;
	product_normal(normal, name_or_path);
	return strcmp(normal, name_or_path) && *normal &&
	       !load(out, normal, true, data_dir, NULL) ? 0 : error;
}

/* No fact is none. */
static bool is_guess(const struct cpu *cpu, const char *cache, const char *key)
{
	char path[40];

	snprintf(path, sizeof(path), "caches.%s.%s", cache, key);
	for (size_t i = 0; i < cpu->facts; i++)
		if (!strcmp(cpu->fact[i].path, path))
			return cpu->fact[i].confidence == 'G';
	return false;
}

void cpu_guessed_caches(const struct cpu *cpu, int levels, char *out,
			size_t room)
{
	static const struct { const char *name; int level; } cache[] = {
		{ "l1d", 1 }, { "l1i", 1 }, { "l2", 2 }, { "l3", 3 },
	};

	*out = '\0';
	for (size_t i = 0; i < sizeof(cache) / sizeof(*cache); i++)
		if (cache[i].level <= levels &&
		    (is_guess(cpu, cache[i].name, "size") ||
		     is_guess(cpu, cache[i].name, "ways")))
			text_add(out, room, ", ", "%s", cache[i].name);
}

bool cpu_is_file(const char *name_or_path, const char *data_dir)
{
	bool found = data_file_is_path(name_or_path);
	const char **names;

	if (found || data_file_names(&names, folder, data_dir, NULL))
		return found;
	for (size_t i = 0; names[i] && !found; i++)
		found = text_equal(names[i], name_or_path);
	free(names);
	return found;
}

void cpu_free(struct cpu *cpu)
{
	if (cpu)
		pool_free(cpu->owned);
}

static char fold(char c)
{
	return c == ':' ? '.' : (char)tolower((unsigned char)c);
}

/* Equal but for case, and for '.' or ':' before a unit mask. */
static bool same_name(const char *a, const char *b)
{
	while (*a && fold(*a) == fold(*b))
		a++, b++;
	return fold(*a) == fold(*b);
}

static bool is_called(const struct cpu_event *e, const char *name)
{
	if (same_name(e->name, name))
		return true;
	for (const char *const *a = e->alias; *a; a++)
		if (same_name(*a, name))
			return true;
	return false;
}

bool cpu_code_parse(uint64_t *out, const char *text)
{
	char *end;

	if (text[0] == '0' && tolower((unsigned char)text[1]) == 'x')
		text += 2;
	else if (tolower((unsigned char)text[0]) == 'r')
		text++;
	else
		return false;
	if (!isxdigit((unsigned char)*text) || strlen(text) > 16)
		return false;
	*out = strtoull(text, &end, 16);
	return !*end;
}

const struct cpu_event *cpu_event_find(const struct cpu *cpu, const char *name)
{
	uint64_t code;

	for (size_t i = 0; i < cpu->events; i++)
		if (is_called(&cpu->event[i], name))
			return &cpu->event[i];
	if (!cpu_code_parse(&code, name))
		return NULL;
	return cpu_event_programmed(cpu, code);
}

const struct cpu_event *cpu_event_coded(const struct cpu *cpu, uint64_t code)
{
	for (size_t i = 0; i < cpu->events; i++)
		if (cpu->event[i].code == code)
			return &cpu->event[i];
	return NULL;
}

const struct cpu_event *cpu_event_programmed(const struct cpu *cpu,
					     uint64_t code)
{
	const struct cpu_event *event = cpu_event_coded(cpu, code);
	const struct cpu_units *u;

	if (event || cpu->geometry.isa != ISA_X86_64)
		return event;
	u = cpu_units_find(cpu, (unsigned)((code & 0xff) |
					   (code >> 32 & 0xf) << 8));
	return u && !u->units ?
		cpu_event_coded(cpu, code & ~UINT64_C(0xff00)) : NULL;
}

static bool has_part(const struct cpu_match *m, unsigned part)
{
	for (unsigned i = 0; i < m->other_parts; i++)
		if (m->other_part[i] == part)
			return true;
	return m->part == part;
}

bool cpu_matches(const struct cpu *cpu, const struct cpu_identity *id)
{
	const struct cpu_match *m = &cpu->match;

	if (!*id->vendor)
		return m->part && m->implementer == id->implementer &&
		       has_part(m, id->part);
	if (strcmp(m->vendor, id->vendor) || m->family != id->family)
		return false;
	for (unsigned i = 0; i < m->models; i++)
		if (m->model[i] == id->model)
			return true;
	return false;
}

int cpu_each(const char *data_dir, cpu_fn *fn, void *ctx,
	     struct assay_error *err)
{
	const char **names;
	struct cpu *cpu;
	int error = data_file_names(&names, folder, data_dir, err);

	if (error)
		return error;
	for (size_t i = 0; names[i] && !error; i++) {
		error = load_file(&cpu, names[i], data_dir, err);
		if (error)
			break;
		error = fn(ctx, cpu);
		cpu_free(cpu);
	}
	free(names);
	return error;
}
