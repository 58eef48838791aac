/* SPDX-License-Identifier: MIT */
/*
 * Counts per line of code in callgrind's format, version 1, for KCachegrind and
 * callgrind_annotate. "fl=" is the file of a function, "fi=" begins and "fe="
 * ends lines of other files that are inlined there. Line 0 is not known.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program/attribute.h"
#include "base/text.h"

/* The names that callgrind has, where its counts are meant. */
static const struct { const char *name, *words; } events[TALLY_COLUMNS] = {
	[TALLY_instructions] = { "Ir", "Instructions" },
	[TALLY_loads] = { "Dr", "Loads" },
	[TALLY_stores] = { "Dw", "Stores" },
	[TALLY_l1d_misses] = { "L1Dm", "L1D misses" },
	[TALLY_l1i_misses] = { "L1Im", "L1I misses" },
	[TALLY_l2_misses] = { "L2m", "L2 misses" },
	[TALLY_l3_misses] = { "L3m", "L3 misses" },
	[TALLY_dtlb_misses] = { "DTLBm", "Data TLB misses" },
	[TALLY_mispredicts] = { "Bm", "Mispredicted branches" },
};

struct writer {
	FILE *out;
	const struct geometry *geometry;
	const char *object, *function, *file;	/* of the function */
	const char *here;			/* the current file */
};

/* Names are hostile; longer ones are cut. */
static void put_name(const struct writer *w, const char *key, const char *name)
{
	char text[8192];

	text_copy(text, sizeof(text), name);
	text_harmless(text, false);
	fprintf(w->out, "%s=%s\n", key, text);
}

static void put_counts(const struct writer *w,
		       const uint64_t count[TALLY_COLUMNS])
{
	for (int i = 0; i < TALLY_COLUMNS; i++)
		if (tally_has_column(w->geometry, i))
			fprintf(w->out, " %" PRIu64, count[i]);
	putc('\n', w->out);
}

static void put_head(const struct writer *w, char *const *command)
{
	char words[1000] = "";

	for (size_t i = 0; command[i]; i++)
		text_add(words, sizeof(words), " ", "%s", command[i]);
	fputs("# callgrind format\nversion: 1\ncreator: assay "
	      ASSAY_VERSION "\n", w->out);
	text_harmless(words, false);
	fprintf(w->out, "cmd: %s\npositions: line\n", words);
	for (int i = 0; i < TALLY_COLUMNS; i++)
		if (tally_has_column(w->geometry, i))
			fprintf(w->out, "event: %s : %s\n", events[i].name,
				events[i].words);
	fputs("events:", w->out);
	for (int i = 0; i < TALLY_COLUMNS; i++)
		if (tally_has_column(w->geometry, i))
			fprintf(w->out, " %s", events[i].name);
	putc('\n', w->out);
}

/* The file of the function itself: that of code that is not inlined, or of the
 * outermost call. */
static const char *file_of(const struct entry *e, const struct entry *end)
{
	const struct inlined *outermost = e->inlined;
	const char *file = NULL;

	for (const struct entry *p = e; p < end &&
	     !strcmp(p->function, e->function) &&
	     !strcmp(p->object, e->object); p++)
		if (!p->inlined && *p->file)
			return p->file;
	while (outermost && outermost->into)
		outermost = outermost->into;
	if (outermost)
		file = symbols_call_file(e->symbols, outermost);
	return file ? file : *e->file ? e->file : "???";
}

static void begin_function(struct writer *w, const struct entry *e,
			   const struct entry *end)
{
	if (!w->object || strcmp(w->object, e->object) != 0)
		put_name(w, "ob", e->object);
	w->object = e->object;
	w->function = e->function;
	w->file = w->here = file_of(e, end);
	put_name(w, "fl", w->file);
	put_name(w, "fn", w->function);
}

static void put_entry(struct writer *w, const struct entry *e,
		      const struct entry *end)
{
	const char *file = *e->file ? e->file : w->file;

	if (!w->function || strcmp(w->function, e->function) != 0 ||
	    strcmp(w->object, e->object) != 0) {
		begin_function(w, e, end);
		file = *e->file ? e->file : w->file;
	}
	if (strcmp(w->here, file) != 0)
		put_name(w, strcmp(file, w->file) ? "fi" : "fe", file);
	w->here = file;
	fprintf(w->out, "%d", e->line > 0 ? e->line : 0);
	put_counts(w, e->count);
}

/* Do they differ by the calls only that the code was inlined at? */
static bool same_line(const struct entry *a, const struct entry *b)
{
	return a->line == b->line && strcmp(a->file, b->file) == 0 &&
	       strcmp(a->function, b->function) == 0 &&
	       strcmp(a->object, b->object) == 0;
}

static void put_all(struct writer *w, struct attribution *b,
		    char *const *command)
{
	struct entry sum = { .line = 0 };

	qsort(b->entry, b->entries, sizeof(*b->entry), entry_by_name);
	put_head(w, command);
	for (size_t i = 0; i < b->entries; i++) {
		struct entry *e = &b->entry[i];

		if (i + 1 < b->entries && same_line(e, e + 1)) {
			entry_add(e + 1, e);
			continue;
		}
		put_entry(w, e, b->entry + b->entries);
		entry_add(&sum, e);
	}
	fputs("totals:", w->out);
	put_counts(w, sum.count);
}

int callgrind_write(FILE *out, const struct tally_map *map,
		    const struct wanted *wanted, char *const *command,
		    struct assay_error *err)
{
	const struct tally *t = map->tally;
	const struct wanted lines = { .by = ASSAY_BY_LINE,
				      .source_root = wanted->source_root };
	struct naming n = { .to = { .map = map, .wanted = &lines } };
	struct attribution *b = &n.to;
	struct writer w = { .out = out, .geometry = &t->geometry };
	int rc = naming_init(&n, err);

	b->entry = rc ? NULL : calloc(t->sites + 1, sizeof(*b->entry));
	for (uint32_t i = 0; b->entry && i < t->sites; i++)
		if (!wanted->kept || wanted->kept[i])
			naming_entry(&n, &map->site[i],
				     &b->entry[b->entries++]);
	if (b->entry)
		put_all(&w, b, command);
	else if (!rc)
		rc = error_memory(err);
	naming_fini(&n);
	free(b->entry);
	return rc;
}
