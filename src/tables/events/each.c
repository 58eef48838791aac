/* SPDX-License-Identifier: MIT */
/* Reads the entries of the event tables at hand; see tables.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "tables/events/place.h"

static bool begins(const char *below, const char *prefix)
{
	const size_t n = strlen(prefix);

	return !strncmp(below, prefix, n) &&
	       (below[n] == '/' || below[n] == '\0');
}

/* What is asked once for many files: the CPU's known names; and which rows
 * match the CPU, as a pattern costs a compilation. */
struct matches {
	const char *known;
	const struct cpu_match *match;
	enum { UNASKED, MATCHES, DIFFERS } *row;
};

static bool row_matches(const struct matches *m, const struct event_tables *t,
			size_t row)
{
	if (m->row[row] == UNASKED)
		m->row[row] = table_pattern_matches(t->row[row].pattern,
						    m->match) ?
			      MATCHES : DIFFERS;
	return m->row[row] == MATCHES;
}

/* Linux takes the first row of the file that matches the CPU. */
static bool by_rows(const struct event_tables *t, const struct table_file *f,
		    const struct matches *m)
{
	for (size_t i = 0; i < t->rows; i++) {
		const struct table_row *row = &t->row[i];

		if (row->root != f->root || !row_matches(m, t, i))
			continue;
		if (begins(f->below, row->prefix))
			return true;
		if (t->root[f->root].first_wins)
			return false;
	}
	return false;
}

static bool is_for(const struct event_tables *t, const struct table_file *f,
		   const struct table_cpu *cpu, const struct matches *m)
{
	if (!cpu || f->form == FORM_PAPI || f->form == FORM_KERNEL ||
	    table_named_known(f->table, cpu, m->known))
		return true;
	if (!cpu->match)
		return false;
	return *f->pattern ? table_pattern_matches(f->pattern, cpu->match) :
			     by_rows(t, f, m);
}

/* Calls fn for each file that is for the CPU, until fn's first non-zero result,
 * which is returned. */
typedef int file_fn(void *ctx, const struct event_tables *t,
		    const struct table_file *f);
static int each_file(const struct event_tables *t, const struct table_cpu *cpu,
		     file_fn *fn, void *ctx)
{
	struct matches m = { cpu ? table_known_names(cpu) : NULL,
			     cpu ? cpu->match : NULL, NULL };
	int rc = 0;

	m.row = calloc(t->rows + 1, sizeof(*m.row));
	if (!m.row)
		return -ASSAY_ENOMEM;
	for (size_t i = 0; i < t->files && !rc; i++)
		if (is_for(t, &t->file[i], cpu, &m))
			rc = fn(ctx, t, &t->file[i]);
	free(m.row);
	return rc;
}

static const char *pattern_of(const struct event_tables *t,
			      const struct table_file *f)
{
	for (size_t i = 0; i < t->rows && !*f->pattern; i++)
		if (t->row[i].root == f->root &&
		    begins(f->below, t->row[i].prefix))
			return t->row[i].pattern;
	return f->pattern;
}

/* Linux's tables of Intel's and Arm's CPUs are extracts of the lists that the
 * vendors publish elsewhere; AMD publishes its list there. */
static bool is_extract(const struct event_tables *t, const struct table_file *f)
{
	return strstr(f->path, "/arch/arm64/arm/") ||
	       (strstr(f->path, "/arch/x86/") &&
		!strncmp(pattern_of(t, f), "GenuineIntel", 12));
}

static int is_list(void *ctx, const struct event_tables *t,
		   const struct table_file *f)
{
	const char *core = ctx;

	return f->form == FORM_ARM || (f->form == FORM_NO_FILE && f->named) ||
	       (f->form == FORM_JSON && !is_extract(t, f) &&
		(!core || !strcmp(f->core, core)));
}

bool event_tables_complete(const struct event_tables *t,
			   const struct table_cpu *cpu, const char *core)
{
	return each_file(t, cpu, is_list, (void *)core) == 1;
}

static int find_pattern(void *ctx, const struct event_tables *t,
			const struct table_file *f)
{
	const char **pattern = ctx;

	if (f->form != FORM_PAPI && f->form != FORM_KERNEL)
		*pattern = pattern_of(t, f);
	return *pattern && **pattern;
}

const char *event_tables_core(const struct event_tables *t)
{
	return t->files ? t->file[0].core : "";
}

const char *event_tables_pattern(const struct event_tables *t,
				 const struct table_cpu *cpu)
{
	const char *pattern = NULL;

	each_file(t, cpu, find_pattern, &pattern);
	return pattern;
}

struct asking {
	const struct table_cpu *cpu;
	entry_fn *fn;
	void *ctx;
	struct assay_error *err;	/* of the first bad entry */
	const char *text;	/* of the file, for the error's line, or NULL */
	bool bad;
	size_t bads;		/* of the file */
	enum entry_source source;	/* of the last of them */
};

/* ---- bad entries ------------------------------------------------------- */

/* As many of a file are handed out; then how many more there are. */
enum { BADS = 20 };

static int bad_entry(struct asking *a, const struct entry *e)
{
	if (!a->bad && e->line)
		error_at(a->err, e->file, a->text, e->line, e->col, "%s",
			 e->why);
	a->bad |= e->line != 0;
	a->source = e->source;
	return a->bads++ < BADS ? a->fn(a->ctx, e) : 0;
}

/* No command could ask for such a name. */
static const char *bad_name(const char *name)
{
	char clean[ENTRY_NAME];

	text_copy(clean, sizeof(clean), name);
	text_harmless(clean, true);
	return strncmp(clean, name, sizeof(clean) - 1) || strchr(name, '\n') ?
	       "the name has control characters, or is no UTF-8" : "";
}

static int deliver(void *ctx, const struct entry *e)
{
	struct asking *a = ctx;
	struct entry bad = *e;

	if (e->kind == ENTRY_BAD)
		return bad_entry(a, e);
	if (e->kind == ENTRY_UNREAD || e->kind == ENTRY_PROSE)
		return a->fn(a->ctx, e);
	bad.limit = strlen(e->name) >= ENTRY_NAME;
	bad.why = bad.limit ? "a name of more than 255 bytes" :
			      bad_name(e->name);
	bad.kind = ENTRY_BAD;
	return *bad.why ? bad_entry(a, &bad) : a->fn(a->ctx, e);
}

static int end_file(struct asking *a, const char *file, const char *table)
{
	struct entry more = entry_empty();
	char why[80];

	if (a->bads <= BADS)
		return 0;
	snprintf(why, sizeof(why), "%zu more entries of the file cannot be "
		 "read", a->bads - BADS);
	more.kind = ENTRY_BAD;
	more.source = a->source;
	more.file = file;
	more.table = table;
	more.why = why;
	return a->fn(a->ctx, &more);
}

static int read_form(const struct reading *r, enum table_form form, char *text,
		     size_t bytes)
{
	switch (form) {
	case FORM_LIKWID_EVENTS:
		return read_likwid_events(r, text);
	case FORM_LIKWID_GROUP:
		return read_likwid_group(r, text);
	case FORM_LIKWID_COUNTERS:
		return read_likwid_counters(r, text);
	case FORM_PAPI:
		return read_papi(r, text);
	case FORM_KERNEL:
		return read_kernel_maps(r, text);
	default:
		return read_json_table(r, text, bytes);
	}
}

static bool is_json(enum table_form form)
{
	return form == FORM_JSON || form == FORM_METRICS || form == FORM_ARM;
}

static int unreadable(struct asking *a, const struct table_file *f,
		      bool limit, const char *why)
{
	struct entry e = entry_empty();

	e.kind = ENTRY_BAD;
	e.source = ENTRY_NOWHERE;
	e.file = f->path;
	e.table = f->table;
	e.why = why;
	e.limit = limit;
	if (!a->bad)
		error_set(a->err, -ASSAY_EPARSE, "%s", why);
	a->bad = true;
	return bad_entry(a, &e);
}

static int no_file(struct asking *a, const struct table_file *f)
{
	char why[400];

	snprintf(why, sizeof(why), "'%.300s' is neither a file nor a folder",
		 f->path);
	return unreadable(a, f, false, why);
}

static int read_file(void *ctx, const struct event_tables *t,
		     const struct table_file *f)
{
	struct asking *asking = ctx;
	const struct reading r = {
		.file = f->path, .table = f->table, .core = f->core,
		.cpu = asking->cpu,
		.std = t->root[f->root].std,
		.fn = deliver, .ctx = asking, .err = asking->err,
	};
	struct assay_error err;
	char *all, *text;
	size_t bytes;
	int rc;

	asking->bads = 0;
	if (f->form == FORM_NO_FILE)
		return no_file(asking, f);
	rc = text_load(&all, &bytes, f->path, TABLE_BYTES, &err);
	if (rc)
		return rc == -ASSAY_ENOMEM ? rc :
		       unreadable(asking, f, true, err.text);
	text = all + table_mark(all);
	bytes -= (size_t)(text - all);
	asking->text = is_json(f->form) ? text : NULL;
	rc = read_form(&r, f->form, text, bytes);
	free(all);
	asking->text = NULL;
	return rc ? rc : end_file(asking, f->path, f->table);
}

/* What the search for the files found. */
static int each_bad(struct asking *a, const struct event_tables *t)
{
	static const struct kept_query all = { NULL, NULL };
	int rc = t->bad ? kept_each(t->bad, &all, deliver, a) : 0;

	return rc ? rc : end_file(a, t->root[0].path, "");
}

static int take_why(void *ctx, const struct entry *e)
{
	*(const char **)ctx = e->why;
	return 1;
}

const char *event_tables_unread(const struct event_tables *t)
{
	static const struct kept_query all = { NULL, NULL };
	const char *why = "";

	if (t->bad)
		kept_each(t->bad, &all, take_why, &why);
	return why;
}

int event_tables_each(const struct event_tables *t,
		      const struct table_cpu *cpu, entry_fn *fn, void *ctx,
		      struct assay_error *err)
{
	struct asking asking = { .cpu = cpu, .fn = fn, .ctx = ctx, .err = err };
	int rc = each_bad(&asking, t);

	if (!rc)
		rc = each_file(t, cpu, read_file, &asking);
	return rc == -ASSAY_ENOMEM ? error_memory(err) :
	       !rc && asking.bad ? -ASSAY_EPARSE : rc;
}

/* ---- the files ----------------------------------------------------------- */

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static bool same_file(const struct table_file *a, const struct table_file *b)
{
	return a->inode && a->inode == b->inode && a->device == b->device &&
	       !strcmp(last_part(a->path), last_part(b->path));
}

size_t event_tables_subtract(struct event_tables *t,
			     const struct event_tables *others)
{
	const size_t before = t->files;

	t->files = 0;
	for (size_t i = 0; i < before; i++) {
		size_t k = 0;

		while (k < others->files &&
		       !same_file(&t->file[i], &others->file[k]))
			k++;
		if (k == others->files)
			t->file[t->files++] = t->file[i];
	}
	if (!t->files) {
		kept_free(t->bad);
		t->bad = NULL;
	}
	return before - t->files;
}

void event_tables_free(struct event_tables *t)
{
	for (size_t i = 0; t && i < t->roots; i++)
		kept_free(t->root[i].std);
	if (!t)
		return;
	kept_free(t->bad);
	free(t->root);
	free(t->row);
	free(t->file);
	pool_free(t->pool);
	free(t);
}
