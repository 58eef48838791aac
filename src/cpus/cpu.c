/* SPDX-License-Identifier: MIT */
/* Loading CPU files by name, alias or path; finding events; matching CPUs. */
#include "cpus/cpu.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cpus/cpu-read.h"
#include "cpus/data-file.h"
#include "cpus/pool.h"

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
	error_set(err, -ASSAY_ENOENT, "no CPU is called '%.60s'%s%s%s",
		  name, *s.nearest ? "; did you mean '" : "", s.nearest,
		  *s.nearest ? "'?" : "");
	if (!*s.nearest)
		error_add(err, "try: assay list cpus");
	return -ASSAY_ENOENT;
}

int cpu_load(struct cpu **out, const char *name_or_path, const char *data_dir,
	     struct assay_error *err)
{
	int error = load_file(out, name_or_path, data_dir, err);

	if (error != -ASSAY_ENOENT || data_file_is_path(name_or_path))
		return error;
	return load_alias(out, name_or_path, data_dir, err);
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

bool cpu_matches(const struct cpu *cpu, const struct cpu_identity *id)
{
	const struct cpu_match *m = &cpu->match;

	if (!*id->vendor)
		return m->part && m->implementer == id->implementer &&
		       m->part == id->part;
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
