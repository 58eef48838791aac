/* SPDX-License-Identifier: MIT */
/* Our own CPU and formula files as entries; see own-entries.h. */
#include "run/own-entries.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "run/formulas.h"

enum { FILE_BYTES = 4 << 20, OPERANDS = 4096, PATH_BYTES = 1024 };

struct own {
	const char *file, *text, *data_dir;
	const struct formula_file *formulas;	/* or NULL */
	entry_fn *fn;
	void *ctx;
	struct assay_error *err;
};

static struct entry own_entry(const struct own *own, const struct cpu *cpu)
{
	struct entry e = entry_empty();

	e.source = ENTRY_ASSAY;
	e.file = own->file;
	e.table = cpu->name;
	if (cpu->core)
		e.code.unit = cpu->core;
	return e;
}

/* The line with "KEY NAME:" or, without a key, "NAME:"; 0: none. */
static unsigned line_of(const char *text, const char *key, const char *name)
{
	const size_t n = strlen(name), k = strlen(key);
	unsigned line = 1;

	for (const char *at = text; *at; line++) {
		const char *start = at + strspn(at, " -");

		at += strcspn(at, "\n");
		at += *at == '\n';
		if (!strncmp(start, key, k) && !strncmp(start + k, name, n) &&
		    (start[k + n] == ':' || (k && start[k + n] <= ' ')))
			return line;
	}
	return 0;
}

/* ---- CPU files ----------------------------------------------------------- */

static void set_code(struct event_code *out, const struct cpu *cpu,
		     uint64_t code)
{
	out->selects = 1;
	out->given = CODE_SELECT;
	out->select[0] = code & 0xffff;
	if (cpu->match.implementer)
		return;
	out->given |= CODE_UMASK;
	out->umasks = 1;
	out->select[0] = (code & 0xff) | (code >> 32 & 0xf) << 8;
	out->umask[0] = code >> 8 & 0xff;
}

static int event_entry(const struct own *own, const struct cpu *cpu,
		       const struct cpu_event *event)
{
	struct entry e = own_entry(own, cpu);
	char aliases[ENTRY_NAME] = "";

	for (const char *const *a = event->alias; a && *a; a++)
		text_add(aliases, sizeof(aliases), *aliases ? " " : "", "%s",
			 *a);
	e.name = event->name;
	e.alias = aliases;
	e.text = event->meaning;
	e.line = line_of(own->text, "", event->name);
	set_code(&e.code, cpu, event->code);
	return own->fn(own->ctx, &e);
}

static int read_cpu(const struct own *own, size_t bytes)
{
	struct cpu *cpu;
	int rc = cpu_parse(&cpu, own->file, own->text, bytes, own->err);

	if (rc)
		return rc;
	for (size_t i = 0; i < cpu->events && !rc; i++)
		if (cpu->event[i].implemented)
			rc = event_entry(own, cpu, &cpu->event[i]);
	cpu_free(cpu);
	return rc;
}

/* ---- formula files ------------------------------------------------------- */

/* The events of a formula by the names of the CPU file; codes and what Linux
 * names are no names of it. */
static void name_operands(char out[OPERANDS], const struct formula_file *file,
			  const struct formula *f, const struct cpu *cpu)
{
	uint64_t code;

	*out = '\0';
	for (unsigned i = 0; i < f->events; i++) {
		const char *name = file->event[f->event[i]];
		const struct cpu_event *event = cpu_event_find(cpu, name);

		if (!event && (strpbrk(name, "/:") ||
			       cpu_code_parse(&code, name)))
			continue;
		text_add(out, OPERANDS, "", "%s;", event ? event->name : name);
	}
}

static int formulas_for(void *ctx, const struct cpu *cpu)
{
	const struct own *own = ctx;
	const struct formula_file *file = own->formulas;
	char operands[OPERANDS];
	int rc = 0;

	if (!formulas_fit(file, cpu->name, cpu))
		return 0;
	for (size_t i = 0; i < file->formulas && !rc; i++) {
		const struct formula *f = &file->formula[i];
		struct entry e = own_entry(own, cpu);

		name_operands(operands, file, f, cpu);
		e.kind = ENTRY_METRIC;
		e.name = f->name;
		e.text = f->note;
		e.formula = f->text;
		e.operands = operands;
		e.line = line_of(own->text, f->quantity < 0 ? "metric: " :
				 "quantity: ", f->name);
		rc = own->fn(own->ctx, &e);
	}
	return rc;
}

static int read_formulas(struct own *own, size_t bytes)
{
	struct formula_file *file;
	int rc = formula_parse(&file, own->file, own->text, bytes, NULL,
			       own->err);

	if (rc)
		return rc;
	own->formulas = file;
	rc = cpu_each(own->data_dir, formulas_for, own, own->err);
	formula_free(file);
	return rc;
}

/* ---- places -------------------------------------------------------------- */

static bool is_yaml(const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot && *name != '.' &&
	       (!strcmp(dot, ".yaml") || !strcmp(dot, ".yml"));
}

static int read_own(struct own *own, const char *path)
{
	size_t bytes;
	char *text;
	int rc = text_load(&text, &bytes, path, FILE_BYTES, own->err);

	if (rc)
		return rc;
	own->file = path;
	own->text = text;
	rc = strstr(text, "\nschema: assay-formulas/") ?
	     read_formulas(own, bytes) : read_cpu(own, bytes);
	free(text);
	return rc;
}

/* A bad file of a folder is an ENTRY_BAD. */
static int read_one(struct own *own, const char *path)
{
	struct assay_error err, *all = own->err;
	struct entry bad = entry_empty();
	int rc;

	own->err = &err;
	rc = read_own(own, path);
	own->err = all;
	if (rc == -ASSAY_ENOMEM)
		return error_memory(all);
	if (rc >= 0)
		return rc;
	err.text[strcspn(err.text, "\n")] = '\0';
	bad.kind = ENTRY_BAD;
	bad.source = ENTRY_ASSAY;
	bad.file = path;
	bad.why = err.text;
	return own->fn(own->ctx, &bad);
}

static int yaml_file(const struct dirent *entry)
{
	return is_yaml(entry->d_name);
}

bool own_is(const char *place)
{
	struct dirent **name = NULL;
	const int n = scandir(place, &name, yaml_file, alphasort);

	for (int i = 0; i < n; i++)
		free(name[i]);
	free(name);
	return n > 0 || (n < 0 && is_yaml(place));
}

int own_entries(const char *place, const char *data_dir, entry_fn *fn,
		void *ctx, struct assay_error *err)
{
	struct own own = { .data_dir = data_dir, .fn = fn, .ctx = ctx,
			   .err = err };
	struct dirent **name = NULL;
	const int n = scandir(place, &name, yaml_file, alphasort);
	char path[PATH_BYTES];
	int rc = n < 0 ? read_own(&own, place) : 0;

	for (int i = 0; i < n; i++) {
		snprintf(path, sizeof(path), "%s/%s", place, name[i]->d_name);
		if (!rc)
			rc = read_one(&own, path);
		free(name[i]);
	}
	free(name);
	return rc;
}
