/* SPDX-License-Identifier: MIT */
/*
 * Misses by function, line or object (--by), and the rows of programs
 * (--per-process). Input: the sites of a merged tally, each an instruction
 * address with its counts. Each site gets the name of its function, line or
 * object from the symbols of its file; sites of one name are added up, and
 * sorted by a rough cost in cycles (`weights`). The total comes from the
 * signals, so it checks the sites.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program/program.h"
#include "stat/symbols.h"
#include "base/row.h"
#include "base/text.h"
#include "sim/sim.h"

/* A site or, after merging, a function, line or object. */
struct entry {
	const char *function, *file;	/* "": not known; file: the source */
	int line;
	const char *object;
	uint64_t count[TALLY_COLUMNS];
};

/* The file that an object was mapped from. */
struct file {
	bool looked_up;
	struct symbols *symbols;	/* NULL: none can be read */
	const char *instead;	/* shown as the function if the file is gone or
				 * changed; NULL: it is unchanged */
};

struct attribution {
	const struct tally_map *map;
	enum assay_by by;
	struct file *file;	/* by object */
	struct entry *entry;
	size_t entries;
};

static const char *const column_names[TALLY_COLUMNS] = {
#define X(name, sentence) #name,
#include "store/programs/tally.def"
#undef X
};

/* Roughly the cycles of each miss, beyond those of the level before. */
static const unsigned weights[TALLY_COLUMNS] = {
	[TALLY_l1d_misses] = 10, [TALLY_l1i_misses] = 10,
	[TALLY_l2_misses] = 30, [TALLY_l3_misses] = 150,
	[TALLY_dtlb_misses] = 10, [TALLY_mispredicts] = 15,
};

/* ---- names -------------------------------------------------------------- */

/* Why the symbols of an object cannot be used: the file that now has its path
 * is another one, or there is none. NULL: the file is the same. */
static const char *why_no_symbols(const struct tally_object *o,
				 const char *path)
{
	struct tally_object now;

	if (*path != '/' || strncmp(path, "/memfd:", 7) == 0)
		return "[no file]";
	if (!tally_identify(&now, path))
		return "[deleted]";
	return tally_same_file(&now, o) ? NULL : "[replaced]";
}

static const struct file *file_of(struct attribution *b, uint32_t object)
{
	const char *path = tally_path(b->map, object);
	struct file *file = &b->file[object];

	if (file->looked_up)
		return file;
	file->looked_up = true;
	file->instead = why_no_symbols(&b->map->object[object], path);
	if (!file->instead)
		file->symbols = symbols_open(path);
	return file;
}

/* The name of the sites that found no room in the plugin's table. */
static const char no_place[] = "[unknown]";

/* The function's name, or why there is none, in brackets. */
static const char *function_name(const struct file *file, const char *found)
{
	if (found)
		return found;
	if (file->instead)
		return file->instead;
	if (!file->symbols)
		return "[no symbols]";
	return symbols_stripped(file->symbols) ? "[stripped]" : "[no symbol]";
}

static const char *or_empty(const char *text)
{
	return text ? text : "";
}

static void name_entry(struct attribution *b, const struct tally_site *site,
		       struct entry *out)
{
	struct place_in_code place = { 0 };
	const struct tally_object *o;
	const struct file *file;

	out->object = out->function = out->file = "";
	memcpy(out->count, site->count, sizeof(out->count));
	if (!site->object) {
		*(b->by == ASSAY_BY_OBJECT ? &out->object : &out->function) =
			no_place;
		return;
	}
	o = &b->map->object[site->object - 1];
	out->object = tally_path(b->map, site->object - 1);
	if (b->by == ASSAY_BY_OBJECT)
		return;
	file = file_of(b, site->object - 1);
	if (file->symbols)
		symbols_find(file->symbols, site->pc - o->from + o->offset,
			     &place);
	out->function = function_name(file, place.function);
	if (b->by == ASSAY_BY_LINE) {
		out->file = or_empty(place.file);
		out->line = place.file ? place.line : 0;
	}
}

/* ---- adding up ---------------------------------------------------------- */

static int by_name(const void *pa, const void *pb)
{
	const struct entry *a = pa, *b = pb;
	int c = strcmp(a->object, b->object);

	if (!c)
		c = strcmp(a->function, b->function);
	if (!c)
		c = strcmp(a->file, b->file);
	return c ? c : (a->line > b->line) - (a->line < b->line);
}

static uint64_t weight(const struct entry *e)
{
	uint64_t sum = 0;

	for (int i = 0; i < TALLY_COLUMNS; i++)
		sum += weights[i] * e->count[i];
	return sum;
}

static int by_weight(const void *pa, const void *pb)
{
	const struct entry *a = pa, *b = pb;
	uint64_t wa = weight(a), wb = weight(b);

	if (wa == wb) {
		wa = a->count[TALLY_instructions];
		wb = b->count[TALLY_instructions];
	}
	return wa == wb ? by_name(pa, pb) : wa < wb ? 1 : -1;
}

static void add(struct entry *to, const struct entry *from)
{
	for (int i = 0; i < TALLY_COLUMNS; i++)
		to->count[i] += from->count[i];
}

static void merge(struct attribution *b)
{
	size_t kept = 0;

	if (!b->entries)
		return;
	qsort(b->entry, b->entries, sizeof(*b->entry), by_name);
	for (size_t i = 1; i < b->entries; i++) {
		if (by_name(&b->entry[kept], &b->entry[i]) == 0)
			add(&b->entry[kept], &b->entry[i]);
		else
			b->entry[++kept] = b->entry[i];
	}
	b->entries = kept + 1;
	qsort(b->entry, b->entries, sizeof(*b->entry), by_weight);
}

/* ---- rows --------------------------------------------------------------- */

/* Does the simulated CPU have the part (cache, TLB) that this column counts? */
static bool has_column(const struct geometry *g, enum tally_column column)
{
	switch (column) {
	case TALLY_l1i_misses:
		return g->l1i.present;
	case TALLY_l2_misses:
		return g->l2.present;
	case TALLY_l3_misses:
		return g->l3.present;
	case TALLY_dtlb_misses:
		return g->dtlb.present;
	case TALLY_mispredicts:
		return g->predictor.kind != PREDICT_NONE;
	default:
		return true;
	}
}

static struct assay_field cell(const struct tally *t, const struct entry *e,
			       enum tally_column column)
{
	struct assay_field out = field_count(column_names[column],
					     e->count[column]);

	if (column == TALLY_instructions &&
	    t->settled != t->signal[SIGNAL_instructions])
		out = field_value(out.name, (struct assay_value){ .why =
			"a program was killed, or still ran, before its "
			"instructions were added up" });
	if (column == TALLY_loads || column == TALLY_stores ||
	    column == TALLY_l1i_misses)
		out.flags |= ASSAY_FIELD_DETAIL;
	return out;
}

static int put(const struct attribution *b, const struct entry *e,
	       assay_row_fn *fn, void *ctx)
{
	const struct tally *t = b->map->tally;
	struct assay_field field[TALLY_COLUMNS + 3];
	char line[600];
	size_t n = 0;

	if (b->by != ASSAY_BY_OBJECT)
		field[n++] = field_text("function", e->function);
	if (b->by == ASSAY_BY_LINE) {
		*line = '\0';
		if (*e->file)
			snprintf(line, sizeof(line), e->line ? "%s:%d" : "%s",
				 e->file, e->line);
		field[n] = field_text("line", line);
		field[n++].flags |= ASSAY_FIELD_PATH;
	}
	field[n] = field_text("object", e->object);
	field[n++].flags |= ASSAY_FIELD_PATH;
	for (int i = 0; i < TALLY_COLUMNS; i++)
		if (has_column(&t->geometry, i))
			field[n++] = cell(t, e, i);
	return row_emit(fn, ctx, "blame", field, n);
}

static int put_process(const struct tally *t,
		       const struct merged_program *program, assay_row_fn *fn,
		       void *ctx)
{
	static const char *const ends[] = {
		[PROGRAM_ENDED] = "", [PROGRAM_KILLED] = "was killed",
		[PROGRAM_RUNS] = "still ran",
		[PROGRAM_NEVER_BEGAN] = "ended before it ran",
	};
	const bool plain = t->mode == TALLY_COUNT;
	struct assay_field field[TALLY_COLUMNS + 3];
	size_t n = 0;

	field[n] = field_count("pid", program->pid);
	field[n++].flags |= ASSAY_FIELD_PLAIN;
	field[n++] = field_text("command", program->name);
	for (int i = 0; i < TALLY_COLUMNS; i++) {
		if (plain ? i > TALLY_stores : !has_column(&t->geometry, i))
			continue;
		field[n] = field_count(column_names[i], program->count[i]);
		if (!plain && (i == TALLY_loads || i == TALLY_stores ||
			       i == TALLY_l1i_misses))
			field[n].flags |= ASSAY_FIELD_DETAIL;
		n++;
	}
	field[n++] = field_detail("end", ends[program->end]);
	return row_emit(fn, ctx, "process", field, n);
}

int attribute_processes(const struct merged_tally *merged, assay_row_fn *fn,
			void *ctx)
{
	int rc = 0;

	for (size_t i = 0; i < merged->programs && rc == 0; i++)
		rc = put_process(merged->sum.tally, &merged->program[i], fn,
				 ctx);
	return rc;
}

/* The total of the signals: equal to the sum of the sites, unless a process was
 * killed while it wrote its tally. Then the sum of the sites. */
static void total(const struct attribution *b, struct entry *out)
{
	const struct tally *t = b->map->tally;

	*out = (struct entry){ .function = "total", .object = "", .file = "" };
	if (!(t->changes & 1))
		merged_tally_count(t, out->count);
	for (size_t i = 0; t->changes & 1 && i < b->entries; i++)
		add(out, &b->entry[i]);
}

static int put_all(const struct attribution *b, unsigned most, assay_row_fn *fn,
		   void *ctx)
{
	struct entry rest = { .object = "", .file = "" }, sum;
	size_t shown = most && most < b->entries ? most : b->entries;
	char name[64];
	int rc = 0;

	for (size_t i = 0; i < shown && rc == 0; i++)
		rc = put(b, &b->entry[i], fn, ctx);
	for (size_t i = shown; i < b->entries; i++)
		add(&rest, &b->entry[i]);
	snprintf(name, sizeof(name), "(%zu more)", b->entries - shown);
	rest.function = name;
	if (b->by == ASSAY_BY_OBJECT)
		rest.object = name;
	if (rc == 0 && shown < b->entries)
		rc = put(b, &rest, fn, ctx);
	total(b, &sum);
	if (b->by == ASSAY_BY_OBJECT)
		sum.object = sum.function;
	return rc ? rc : put(b, &sum, fn, ctx);
}

int attribute_rows(const struct tally_map *map, enum assay_by by,
		   unsigned most, assay_row_fn *fn, void *ctx,
		   struct assay_error *err)
{
	const struct tally *t = map->tally;
	struct attribution b = { .map = map, .by = by };
	int rc;

	b.file = calloc(t->objects + 1, sizeof(*b.file));
	b.entry = calloc(t->sites + 1, sizeof(*b.entry));
	if (b.file && b.entry) {
		for (uint32_t i = 0; i < t->sites; i++)
			name_entry(&b, &map->site[i], &b.entry[b.entries++]);
		merge(&b);
		rc = put_all(&b, most, fn, ctx);
	} else {
		rc = error_memory(err);
	}
	for (uint32_t i = 0; b.file && i < t->objects; i++)
		symbols_close(b.file[i].symbols);
	free(b.file);
	free(b.entry);
	return rc;
}
