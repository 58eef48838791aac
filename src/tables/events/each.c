/* SPDX-License-Identifier: MIT */
/* Reads the entries of the event tables at hand; see tables.h. */
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

	return f->form == FORM_ARM ||
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
	struct assay_error *err;	/* of the first bad file */
	bool bad;
};

/* A bad file does not hide the files behind it. */
static int past_bad_file(struct asking *asking, int rc)
{
	if (rc != -ASSAY_EPARSE)
		return rc;
	asking->bad = true;
	asking->err = NULL;
	return 0;
}

static int read_file(void *ctx, const struct event_tables *t,
		     const struct table_file *f)
{
	struct asking *asking = ctx;
	const struct reading r = {
		.file = f->path, .table = f->table, .core = f->core,
		.cpu = asking->cpu,
		.std = t->root[f->root].std,
		.fn = asking->fn, .ctx = asking->ctx, .err = asking->err,
	};
	char *all, *text;
	size_t bytes;
	int rc = text_load(&all, &bytes, f->path, TABLE_BYTES, r.err);

	if (rc)
		return rc;
	text = all + table_mark(all);
	bytes -= (size_t)(text - all);
	rc = f->form == FORM_LIKWID_EVENTS ? read_likwid_events(&r, text) :
	     f->form == FORM_LIKWID_GROUP ? read_likwid_group(&r, text) :
	     f->form == FORM_LIKWID_COUNTERS ?
	     read_likwid_counters(&r, text) :
	     f->form == FORM_PAPI ? read_papi(&r, text) :
	     f->form == FORM_KERNEL ? read_kernel_maps(&r, text) :
	     read_json_table(&r, text, bytes);
	free(all);
	return past_bad_file(asking, rc);
}

int event_tables_each(const struct event_tables *t,
		      const struct table_cpu *cpu, entry_fn *fn, void *ctx,
		      struct assay_error *err)
{
	struct asking asking = { cpu, fn, ctx, err, false };
	const int rc = each_file(t, cpu, read_file, &asking);

	return rc == -ASSAY_ENOMEM ? error_memory(err) :
	       !rc && asking.bad ? -ASSAY_EPARSE : rc;
}
