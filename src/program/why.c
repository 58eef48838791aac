/* SPDX-License-Identifier: MIT */
/*
 * Reasons. Misses of a line of code in one cache or TLB are
 *
 *	cold		of lines never looked up there before
 *	capacity	the others that a fully associative cache with LRU,
 *			with the same lookups, has too
 *	conflict	the rest; below 0 where the real policy beats LRU
 *
 * The sentence names the largest kind and the pattern of the accesses. Each of
 * its parts is left out where the counts do not show it.
 */
#include "program/why.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/row.h"
#include "base/text.h"
#include "sim/sim.h"

#define ROOM 300

static const char *const names[PARTS] = {
	[PART_L1D] = "L1D", [PART_L1I] = "L1I", [PART_L2] = "L2",
	[PART_L3] = "L3", [PART_DTLB] = "DTLB",
	[PART_STORE_DTLB] = "DTLB of stores", [PART_ITLB] = "ITLB",
	[PART_L2TLB] = "L2TLB", [PART_L2ITLB] = "L2TLB of code",
};

/* ---- the sentence -------------------------------------------------------- */

struct text {
	char of[ROOM];
	size_t used;
};

static void __attribute__((format(printf, 2, 3)))
say(struct text *t, const char *format, ...)
{
	va_list arguments;
	int n;

	va_start(arguments, format);
	n = vsnprintf(t->of + t->used, sizeof(t->of) - t->used, format,
		      arguments);
	va_end(arguments);
	if (n > 0)
		t->used += (size_t)n;
	if (t->used >= sizeof(t->of))
		t->used = sizeof(t->of) - 1;
}

static double conflict_of(const struct tally_why_part *p)
{
	return (double)p->misses - (double)p->full;
}

static double capacity_of(const struct tally_why_part *p)
{
	return (double)p->full - (double)p->first;
}

static void say_kind(struct text *t, const struct tally_why_part *p)
{
	const double cold = (double)p->first, capacity = capacity_of(p);
	const double conflict = conflict_of(p), half = (double)p->misses / 2;

	if (conflict > half)
		say(t, "conflict misses");
	else if (cold > half)
		say(t, "cold misses");
	else if (capacity > half)
		say(t, "capacity misses");
	else
		say(t, "%.0f %% cold, %.0f %% capacity, %.0f %% conflict "
		    "misses",
		    50 * cold / half, 50 * capacity / half,
		    conflict > 0 ? 50 * conflict / half : 0);
}

/* The stride of at least half of the misses; NULL: there is none. */
static const struct tally_stride *stride_of(const struct tally_pattern *p)
{
	for (int i = 0; i < TALLY_STRIDES; i++) {
		const struct tally_stride *s = &p->stride[i];

		if (s->count > s->over &&
		    2 * (s->count - s->over) > p->strides)
			return s;
	}
	return NULL;
}

static void say_stride(struct text *t, const struct tally_stride *s,
		       const char *size, uint64_t line)
{
	const uint64_t bytes = s->bytes < 0 ? 0 - (uint64_t)s->bytes :
					      (uint64_t)s->bytes;

	if (!bytes)
		say(t, ": the same address again and again");
	else
		say(t, ": it %s %s%s, %" PRIu64 " bytes at a time",
		    bytes < line ? "goes through" : "walks", size,
		    s->bytes < 0 ? " backwards" : "", bytes);
}

/* line: the bytes of a line, or page. */
static void say_pattern(struct text *t, const struct tally_pattern *p,
			uint64_t line)
{
	const struct tally_stride *s = stride_of(p);
	char size[64];

	text_about_bytes(size, sizeof(size), (double)p->lines * (double)line);
	if (s)
		say_stride(t, s, size, line);
	else if (p->strides)
		say(t, ": it jumps about in %s%s", p->lines_lost ?
		    "more than " : "", size);
}

static uint64_t average_sets(const struct tally_why *w)
{
	return (w->run_sets + w->runs / 2) / w->runs;
}

/* Random lines are in more than half of the sets. */
static void say_sets(struct text *t, const struct tally_why *w,
		     uint32_t sets, bool conflict)
{
	if (w->runs && average_sets(w) <= (conflict ? sets / 2 : sets / 4))
		say(t, ", through %" PRIu64 " of %u sets", average_sets(w),
		    sets);
}

static void say_used(struct text *t, const struct tally_why *w)
{
	if (w->brought && 2 * w->used < w->brought)
		say(t, ", and uses %" PRIu64 " %% of the bytes of its lines",
		    w->used * 100 / w->brought);
}

static bool is_of_code(int part)
{
	return part == PART_L1I || part == PART_ITLB || part == PART_L2ITLB;
}

static void reason(struct text *t, const struct geometry *g,
		   const struct tally_why *w, int part)
{
	const struct tally_why_part *p = &w->part[part];

	say_kind(t, p);
	if (is_of_code(part))
		return;
	if (part >= PART_DTLB) {
		say_pattern(t, &w->pattern[TALLY_OF_DTLB], UINT64_C(1) <<
			    page_shape(g->page_map.size).bits);
		return;
	}
	say_pattern(t, &w->pattern[TALLY_OF_L1D], g->l1d.line_bytes);
	if (part == PART_L1D && 2 * p->first < p->misses)
		say_sets(t, w, g->l1d.sets,
			 conflict_of(p) * 2 > (double)p->misses);
	say_used(t, w);
}

/* ---- rows ---------------------------------------------------------------- */

static struct assay_value share(uint64_t part, uint64_t all, const char *why)
{
	return (struct assay_value){ .number = all ? (double)part / (double)all
						   : 0,
				     .why = all ? NULL : why };
}

static size_t add_pattern(struct assay_field *field, size_t n,
			  const struct tally_pattern *p, uint64_t line)
{
	const struct tally_stride *s = stride_of(p);

	field[n++] = field_value("stride", s ?
		(struct assay_value){ .number = (double)s->bytes } :
		(struct assay_value){ .why = "no stride is that of half of "
				      "the misses" });
	field[n] = p->lines_lost ?
		field_value("footprint", (struct assay_value){ .why =
			    "too many lines to remember" }) :
		field_count("footprint", p->lines * line);
	field[n++].flags |= ASSAY_FIELD_BYTES;
	return n;
}

/* What is known of the lines in L1D. */
static size_t add_lines(struct assay_field *field, size_t n,
			const struct tally_why *w)
{
	field[n++] = field_share("used", share(w->used, w->brought,
					       "no line of it left L1D"));
	field[n++] = field_value("sets", w->runs ?
		(struct assay_value){ .number = (double)w->run_sets /
						(double)w->runs } :
		(struct assay_value){ .why = "too few misses" });
	return n;
}

static size_t add_place(struct assay_field *field, const struct why_place *p,
			const char *level, uint64_t misses)
{
	field[0] = field_text("function", p->function);
	field[1] = field_text("line", p->line);
	field[2] = field_text("object", p->object);
	field[3] = field_text("inlined", p->inlined);
	field[4] = field_text("level", level);
	field[5] = field_count("misses", misses);
	return 6;
}

static int put_branches(const struct why_place *place, const struct entry *e,
			assay_row_fn *fn, void *ctx)
{
	const uint64_t wrong = e->count[TALLY_mispredicts];
	struct text text = { "", 0 };
	struct assay_field field[10];
	size_t n = add_place(field, place, "branches", wrong);

	say(&text, "%.1f %% of %" PRIu64 " branches go where the predictor "
	    "does not expect", 100.0 * (double)wrong / (double)e->branches,
	    e->branches);
	field[n++] = field_count("branches", e->branches);
	field[n++] = field_text("reason", text.of);
	return row_emit(fn, ctx, "why", field, n);
}

static int put(const struct geometry *g, const struct tally_why *w, int part,
	       const struct why_place *place, assay_row_fn *fn, void *ctx)
{
	const struct tally_why_part *p = &w->part[part];
	struct text text = { "", 0 };
	struct assay_field field[20];
	size_t n = add_place(field, place, names[part], p->misses);

	reason(&text, g, w, part);
	field[n++] = field_count("cold", p->first);
	field[n++] = field_value("capacity", plain_value(capacity_of(p)));
	field[n++] = field_value("conflict", plain_value(conflict_of(p)));
	if (part <= PART_L2) {
		field[n++] = field_count("covered", p->covered);
		field[n++] = field_count("prefetched", p->prefetched);
		field[n++] = field_count("unused", p->unused);
	}
	if (part == PART_L1D) {
		n = add_pattern(field, n, &w->pattern[TALLY_OF_L1D],
				g->l1d.line_bytes);
		n = add_lines(field, n, w);
	}
	if (part == PART_DTLB || part == PART_STORE_DTLB)
		n = add_pattern(field, n, &w->pattern[TALLY_OF_DTLB],
				UINT64_C(1) <<
				page_shape(g->page_map.size).bits);
	field[n++] = field_text("reason", text.of);
	return row_emit(fn, ctx, "why", field, n);
}

int why_rows(const struct why_place *place, const struct geometry *g,
	     const struct entry *entry, assay_row_fn *fn, void *ctx)
{
	const struct tally_why *why = entry->why;
	int rc = entry->branches ? put_branches(place, entry, fn, ctx) : 0;

	for (int i = 0; i < PARTS && why && rc == 0; i++)
		if (why->part[i].misses || why->part[i].full ||
		    why->part[i].covered)
			rc = put(g, why, i, place, fn, ctx);
	return rc;
}
