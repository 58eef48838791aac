/* SPDX-License-Identifier: MIT */
/*
 * The rows of --by. The total comes from the signals, so it checks the sites.
 * New fields are appended: other programs read these rows.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program/attribute.h"
#include "program/why.h"
#include "base/row.h"
#include "sim/sim.h"

enum { FIELDS = TALLY_COLUMNS + 8 };

/* The caller frees the name. NULL: no memory. */
static char *inlined_name(const struct inlined *i)
{
	char *name = i->mangled ? symbols_demangle(i->mangled) : NULL;

	return name ? name : strdup(i->function ? i->function : "?");
}

static struct assay_field cell(const struct tally *t, const struct entry *e,
			       enum tally_column column)
{
	struct assay_field out = field_count(tally_column_names[column],
					     e->count[column]);

	if (column == TALLY_instructions &&
	    t->settled != t->signal[SIGNAL_instructions])
		out = field_value(out.name, (struct assay_value){ .why =
			"a program was killed, or still ran, before its "
			"instructions were added up" });
	return out;
}

/* "push <- insert (list.h:31) <- main (x.c:20)": what was inlined, and where it
 * was called. */
static void chain_text(char *out, size_t room, const struct entry *e)
{
	size_t used = 0;

	*out = '\0';
	for (const struct inlined *i = e->inlined; i; i = i->into) {
		const struct inlined *caller = i->into;
		char *name = inlined_name(i);
		char *into = caller ? inlined_name(caller) : NULL;
		const char *file = symbols_call_file(e->symbols, i);
		int n = snprintf(out + used, room - used,
				 "%s <- %s (%s:%d)",
				 i == e->inlined ? name ? name : "?" : "",
				 caller ? into ? into : "?" : e->function,
				 file ? file : "?", i->line);

		free(name);
		free(into);
		if (n < 0 || (size_t)n >= room - used)
			return;
		used += (size_t)n;
	}
}

/* The share of the total that rows are sorted by, and the share of all rows up
 * to this one. */
static size_t shares(struct assay_field *out, double key, double up_to,
		     double total)
{
	static const char nothing[] = "the total is 0";
	const struct assay_value part = { .number = total ? key / total : 0,
					  .why = total ? NULL : nothing };
	const struct assay_value all = { .number = total ? up_to / total : 0,
					 .why = total ? NULL : nothing };

	out[0] = field_share("share", part);
	out[1] = field_share("cumulative", all);
	return 2;
}

/* The path relative to the folder that sources are named from, if the path lies
 * below it. */
static const char *relative(const char *path, const char *root)
{
	size_t n = root ? strlen(root) : 0;

	n -= n && root[n - 1] == '/';	/* of "/", the only such folder */
	return root && !strncmp(path, root, n) && path[n] == '/' ?
	       path + n + 1 : path;
}

static size_t names(const struct attribution *b, const struct entry *e,
		    char *line, size_t room, struct assay_field *field)
{
	const bool data = b->wanted->by == ASSAY_BY_DATA;
	size_t n = 0;

	if (data)
		field[n++] = field_text("data", e->data);
	if (b->wanted->by != ASSAY_BY_OBJECT)
		field[n++] = field_text("function", e->function);
	if (b->wanted->by == ASSAY_BY_LINE || data) {
		*line = '\0';
		if (*e->file)
			snprintf(line, room, e->line ? "%s:%d" : "%s", e->file,
				 e->line);
		field[n] = field_text("line", line);
		field[n++].flags |= ASSAY_FIELD_PATH;
	}
	field[n] = field_text("object", relative(e->object,
						 b->wanted->source_root));
	field[n++].flags |= ASSAY_FIELD_PATH;
	return n;
}

static int put(const struct attribution *b, const struct entry *e,
	       double up_to, double total, assay_row_fn *fn, void *ctx)
{
	const struct tally *t = b->map->tally;
	struct assay_field field[FIELDS];
	char line[4200] = "", chain[8000];
	size_t n = names(b, e, line, sizeof(line), field);
	int rc;

	for (int i = 0; i < TALLY_COLUMNS; i++)
		if (tally_has_column(&t->geometry, i) &&
		    (!e->data || tally_is_of_data(i)))
			field[n++] = cell(t, e, i);
	if (e->data) {
		field[n] = field_count("bytes", e->bytes);
		field[n++].flags |= ASSAY_FIELD_BYTES;
	}
	if (b->cost->known)
		field[n++] = field_value("lost_cycles", (struct assay_value){
			.number = cost_of(b->cost, e->count) });
	n += shares(field + n, cost_key(b->cost, e->count), up_to, total);
	chain_text(chain, sizeof(chain), e);
	if (b->wanted->by == ASSAY_BY_LINE || e->data)
		field[n++] = field_text("inlined", chain);
	rc = row_emit(fn, ctx, "blame", field, n);
	return rc || t->mode != TALLY_WHY ? rc :
	       why_rows(&(struct why_place){ e->function, line, e->object,
					     chain },
			&t->geometry, e, fn, ctx);
}

/* The total of the signals: equal to the sum of the sites, unless a process was
 * killed while it wrote its tally. Then, and with --only, the sum of the
 * sites. */
static void sum_up(const struct attribution *b, struct entry *out)
{
	const struct tally *t = b->map->tally;
	const bool by_object = b->wanted->by == ASSAY_BY_OBJECT;
	const bool sites = t->changes & 1 || b->wanted->kept;
	const bool by_data = b->wanted->by == ASSAY_BY_DATA;

	*out = (struct entry){ .function = by_data ? "" : "total", .file = "",
			       .object = by_object ? "total" : "",
			       .data = by_data ? "total" : NULL };
	if (!sites)
		merged_tally_count(t, out->count);
	for (size_t i = 0; sites && i < b->entries; i++)
		entry_add(out, &b->entry[i]);
	out->why = NULL;
	out->branches = 0;
	for (int i = 0; by_data && i < TALLY_COLUMNS; i++)
		if (!tally_is_of_data(i))
			out->count[i] = 0;
}

/* How many entries have rows of their own. */
static size_t shown_of(const struct attribution *b, double total)
{
	const unsigned most = b->wanted->most;
	const size_t limit = most && most < b->entries ? most : b->entries;
	size_t n = limit ? 1 : 0;

	while (n < limit && b->entry[n].key >= b->wanted->least * total)
		n++;
	return n < limit ? n : limit;
}

static int put_rest(const struct attribution *b, size_t shown, double total,
		    assay_row_fn *fn, void *ctx)
{
	struct entry rest = { .object = "", .file = "" };
	char name[64];

	if (shown == b->entries)
		return 0;
	for (size_t i = shown; i < b->entries; i++)
		entry_add(&rest, &b->entry[i]);
	rest.why = NULL;	/* that of another entry */
	rest.branches = 0;
	snprintf(name, sizeof(name), "(%zu more)", b->entries - shown);
	*(b->wanted->by == ASSAY_BY_OBJECT ? &rest.object :
	  b->wanted->by == ASSAY_BY_DATA ? &rest.data : &rest.function) = name;
	if (!rest.function)
		rest.function = "";
	return put(b, &rest, total, total, fn, ctx);
}

int miss_rows(const struct attribution *b, assay_row_fn *fn, void *ctx)
{
	struct entry sum;
	double total, up_to = 0;
	size_t shown;
	int rc = 0;

	sum_up(b, &sum);
	total = cost_key(b->cost, sum.count);
	shown = shown_of(b, total);
	for (size_t i = 0; i < shown && rc == 0; i++) {
		up_to += b->entry[i].key;
		rc = put(b, &b->entry[i], up_to, total, fn, ctx);
	}
	if (rc == 0)
		rc = put_rest(b, shown, total, fn, ctx);
	return rc ? rc : put(b, &sum, total, total, fn, ctx);
}
