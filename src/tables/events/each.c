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

/* Linux takes the first row of the file that matches the CPU. */
static bool by_rows(const struct event_tables *t, const struct table_file *f,
		    const struct cpu_match *match)
{
	for (size_t i = 0; i < t->rows; i++) {
		const struct table_row *row = &t->row[i];

		if (row->root != f->root ||
		    !table_pattern_matches(row->pattern, match))
			continue;
		if (begins(f->below, row->prefix))
			return true;
		if (t->root[f->root].first_wins)
			return false;
	}
	return false;
}

static bool is_for(const struct event_tables *t, const struct table_file *f,
		   const struct table_cpu *cpu)
{
	if (!cpu || f->form == FORM_PAPI || table_named(f->table, cpu))
		return true;
	if (!cpu->match)
		return false;
	return *f->pattern ? table_pattern_matches(f->pattern, cpu->match) :
			     by_rows(t, f, cpu->match);
}

bool event_tables_complete(const struct event_tables *t,
			   const struct table_cpu *cpu)
{
	for (size_t i = 0; i < t->files; i++)
		if ((t->file[i].form == FORM_JSON ||
		     t->file[i].form == FORM_ARM) &&
		    is_for(t, &t->file[i], cpu))
			return true;
	return false;
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

const char *event_tables_pattern(const struct event_tables *t,
				 const struct table_cpu *cpu)
{
	const char *pattern = NULL;

	for (size_t i = 0; i < t->files && !(pattern && *pattern); i++)
		if (t->file[i].form != FORM_PAPI &&
		    is_for(t, &t->file[i], cpu))
			pattern = pattern_of(t, &t->file[i]);
	return pattern;
}

static int read_file(const struct event_tables *t, const struct table_file *f,
		     const struct table_query *query, entry_fn *fn, void *ctx,
		     struct assay_error *err)
{
	const struct reading r = {
		.file = f->path, .table = f->table, .core = f->core,
		.cpu = query->cpu, .needle = query->needle,
		.std = t->root[f->root].std,
		.fn = fn, .ctx = ctx, .err = err,
	};
	char *all, *text;
	size_t bytes;
	int rc = text_load(&all, &bytes, f->path, TABLE_BYTES, err);

	if (rc)
		return rc;
	text = all + table_mark(all);
	bytes -= (size_t)(text - all);
	rc = f->form == FORM_LIKWID_EVENTS ? read_likwid_events(&r, text) :
	     f->form == FORM_LIKWID_GROUP ? read_likwid_group(&r, text) :
	     f->form == FORM_PAPI ? read_papi(&r, text) :
	     read_json_table(&r, text, bytes);
	free(all);
	return rc;
}

int event_tables_each(const struct event_tables *t,
		      const struct table_query *query, entry_fn *fn, void *ctx,
		      struct assay_error *err)
{
	int rc = 0;

	for (size_t i = 0; i < t->files && !rc; i++)
		if (is_for(t, &t->file[i], query->cpu))
			rc = read_file(t, &t->file[i], query, fn, ctx, err);
	return rc;
}
