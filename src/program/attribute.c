/* SPDX-License-Identifier: MIT */
/* From sites to rows: named, added up by name, sorted. */
#include "program/attribute.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stat/symbols.h"
#include "program/tally-merge.h"
#include "base/row.h"
#include "base/text.h"
#include "sim/sim.h"

/* A site or, after merging, a function, line or object. */
struct entry {
	const char *function, *file;	/* "" if not known */
	int line;
	const char *object;
	uint64_t count[TALLY_COLUMNS];
};

/* What an object was mapped from. */
struct file {
	bool known;
	struct symbols *symbols;
	const char *lacks;	/* stands for functions; NULL: it is there */
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

/* From a loss in L1D, through L2, to memory: roughly the time lost. */
static const unsigned weights[TALLY_COLUMNS] = {
	[TALLY_l1d_misses] = 10, [TALLY_l1i_misses] = 10,
	[TALLY_l2_misses] = 30, [TALLY_l3_misses] = 150,
	[TALLY_dtlb_misses] = 10, [TALLY_mispredicts] = 15,
};

/* ---- names -------------------------------------------------------------- */

/* Symbols of a file that has its name now would be wrong. */
static const char *what_it_lacks(const struct tally_object *o,
				 const char *path)
{
	struct tally_object now;

	if (*path != '/' || strncmp(path, "/memfd:", 7) == 0)
		return "[no file]";
	if (!tally_look_at(&now, path))
		return "[deleted]";
	return tally_same_file(&now, o) ? NULL : "[replaced]";
}

static const struct file *file_of(struct attribution *b, uint32_t object)
{
	const char *path = tally_path(b->map, object);
	struct file *file = &b->file[object];

	if (file->known)
		return file;
	file->known = true;
	file->lacks = what_it_lacks(&b->map->object[object], path);
	if (!file->lacks)
		file->symbols = symbols_open(path);
	return file;
}

/* In the row of what found no room. */
static const char no_place[] = "[unknown]";

/* What stands for a function: with its object it is a row like any other. */
static const char *function_name(const struct file *file, const char *found)
{
	if (found)
		return found;
	if (file->lacks)
		return file->lacks;
	if (!file->symbols)
		return "[no symbols]";
	return symbols_stripped(file->symbols) ? "[stripped]" : "[no symbol]";
}

static const char *known(const char *text)
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
		out->file = known(place.file);
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

/* A column of what the CPU does not have would be a column of zeroes. */
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
			"a program was killed, or still ran, before they were "
			"added up" });
	if (column == TALLY_loads || column == TALLY_stores ||
	    column == TALLY_l1i_misses)
		out.flags |= ASSAY_FIELD_DETAIL;
	return out;
}

static int put(const struct attribution *b, const struct entry *e, assay_row_fn *fn,
	       void *ctx)
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

static int put_process(const struct tally *t, const struct merged_program *part,
		       assay_row_fn *fn, void *ctx)
{
	static const char *const ends[] = {
		[PROGRAM_ENDED] = "", [PROGRAM_KILLED] = "was killed",
		[PROGRAM_RUNS] = "still ran",
		[PROGRAM_NEVER_BEGAN] = "ended before it ran",
	};
	const bool plain = t->mode == TALLY_COUNT;
	struct assay_field field[TALLY_COLUMNS + 3];
	size_t n = 0;

	field[n] = field_count("pid", part->pid);
	field[n++].flags |= ASSAY_FIELD_PLAIN;
	field[n++] = field_text("command", part->name);
	for (int i = 0; i < TALLY_COLUMNS; i++) {
		if (plain ? i > TALLY_stores : !has_column(&t->geometry, i))
			continue;
		field[n] = field_count(column_names[i], part->count[i]);
		if (!plain && (i == TALLY_loads || i == TALLY_stores ||
			       i == TALLY_l1i_misses))
			field[n].flags |= ASSAY_FIELD_DETAIL;
		n++;
	}
	field[n++] = field_detail("end", ends[part->end]);
	return row_emit(fn, ctx, "process", field, n);
}

int attribute_processes(const struct merged_tally *merged, assay_row_fn *fn, void *ctx)
{
	int rc = 0;

	for (size_t i = 0; i < merged->parts && rc == 0; i++)
		rc = put_process(merged->sum.tally, &merged->part[i], fn, ctx);
	return rc;
}

/* From the signals, not from the sites: they must be equal, unless a process
 * was killed between the two. */
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

static bool empty(const struct tally_site *site)
{
	for (int i = 0; i < TALLY_COLUMNS; i++)
		if (site->count[i])
			return false;
	return true;
}

int attribute_rows(const struct tally_map *map, enum assay_by by, unsigned most,
	       assay_row_fn *fn, void *ctx, struct assay_error *err)
{
	const struct tally *t = map->tally;
	struct attribution b = { .map = map, .by = by };
	int rc;

	b.file = calloc(t->objects + 1, sizeof(*b.file));
	b.entry = calloc(t->sites + 1, sizeof(*b.entry));
	if (b.file && b.entry) {
		for (uint32_t i = 0; i < t->sites; i++)
			if (!empty(&map->site[i]))
				name_entry(&b, &map->site[i],
					   &b.entry[b.entries++]);
		merge(&b);
		rc = put_all(&b, most, fn, ctx);
	} else {
		rc = error_set(err, -ASSAY_ENOMEM, "out of memory");
	}
	for (uint32_t i = 0; b.file && i < t->objects; i++)
		symbols_close(b.file[i].symbols);
	free(b.file);
	free(b.entry);
	return rc;
}
