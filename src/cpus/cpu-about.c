/* SPDX-License-Identifier: MIT */
/*
 * A CPU in a few lines: its chips, the sizes of its caches, the number of its
 * counters, and the events that can be used, that mislead and that are missing.
 * Summed up from the facts and events of the CPU file.
 */
#include <stdio.h>
#include <string.h>

#include "base/row.h"
#include "base/text.h"
#include "cpus/cpu-about.h"

enum { ABOUT_ROOM = 2000 };	/* of a text; names beyond are counted */

struct text { char out[ABOUT_ROOM]; };
#define PUT(text, ...) \
	text_add((text)->out, sizeof((text)->out), "", __VA_ARGS__)

static int emit(const char *about, struct text *text, assay_row_fn *fn,
		void *ctx)
{
	const struct assay_field field[] = {
		field_text("about", about), field_text("text", text->out),
	};

	return *text->out ? row_emit(fn, ctx, "about", field, 2) : 0;
}

/* ---- the chip ----------------------------------------------------------- */

static void put_cache(struct text *text, const char *name,
		      const struct cache_geometry *c)
{
	char bytes[32];

	if (!c->present)
		return;
	text_bytes(bytes, sizeof(bytes), cache_bytes(c));
	PUT(text, "%s%s %s (%u ways, %s)", *text->out ? ", " : "", name, bytes,
	    c->ways, replacement_names[c->policy]);
}

static void put_tlb(struct text *text, const char *name,
		    const struct tlb_geometry *t)
{
	if (t->present)
		PUT(text, "%s%s %u", *text->out ? ", " : "entries: ", name,
		    t->entries);
}

static int about_chip(const struct cpu *cpu, assay_row_fn *fn, void *ctx)
{
	const struct geometry *g = &cpu->geometry;
	struct text chips = { "" }, caches = { "" }, tlbs = { "" };
	struct text counters = { "" };
	int rc;

	for (const char *const *alias = cpu->alias; *alias; alias++)
		PUT(&chips, "%s%s", *chips.out ? ", " : "also called ", *alias);
	PUT(&chips, "%s%s", *chips.out ? "; " : "", isa_names[g->isa]);
	put_cache(&caches, "L1D", &g->l1d);
	put_cache(&caches, "L1I", &g->l1i);
	put_cache(&caches, "L2", &g->l2);
	put_cache(&caches, "L3", &g->l3);
	PUT(&caches, "; lines of %u bytes", g->l1d.line_bytes);
	put_tlb(&tlbs, "data", &g->dtlb);
	put_tlb(&tlbs, "code", &g->itlb);
	put_tlb(&tlbs, g->split_l2tlb ? "second level, data" : "second level",
		&g->l2tlb);
	put_tlb(&tlbs, "second level, code", &g->l2itlb);
	if (cpu->counters)
		PUT(&counters, "%u of %u bits: more events than that in one "
		    "run share them", cpu->counters, cpu->counter_bits);
	rc = emit("chip", &chips, fn, ctx);
	if (!rc)
		rc = emit("caches", &caches, fn, ctx);
	if (!rc)
		rc = emit("TLBs", &tlbs, fn, ctx);
	return rc ? rc : emit("counters", &counters, fn, ctx);
}

/* ---- its events --------------------------------------------------------- */

/* Usable: the event counts what its text says, as far as anybody knows, and
 * `verify` can judge that. */
enum use { USABLE, MISLEADING, CARE, MISSING, UNJUDGED, USES };

static enum use use_of(const struct cpu_event *e)
{
	if (!e->implemented)
		return MISSING;
	if (*e->says_text)
		return MISLEADING;
	if (!e->present)
		return UNJUDGED;
	return e->errata && e->errata[0] ? CARE : USABLE;
}

static size_t count_of(const struct cpu *cpu, enum use use)
{
	size_t n = 0;

	for (size_t i = 0; i < cpu->events; i++)
		n += use_of(&cpu->event[i]) == use;
	return n;
}

/* Variants of one event, "NAME:UNIT", stand one after the other. */
static size_t stem_of(const struct cpu_event *e)
{
	return strcspn(e->name, ":");
}

static bool same_stem(const struct cpu_event *a, const struct cpu_event *b)
{
	return stem_of(a) == stem_of(b) &&
	       !strncmp(a->name, b->name, stem_of(a));
}

/* The next event of that use from *i on, and how many variants have it. */
static size_t next_of(const struct cpu *cpu, enum use use, size_t *i,
		      const struct cpu_event **e)
{
	const struct cpu_event *first = &cpu->event[*i];
	size_t n = 0;

	for (; *i < cpu->events && same_stem(first, &cpu->event[*i]); ++*i)
		if (use_of(&cpu->event[*i]) == use && !n++)
			*e = &cpu->event[*i];
	return n;
}

/* Names, variants as "NAME (+2)", as far as there is room. */
static int about_names(const struct cpu *cpu, enum use use, const char *about,
		       assay_row_fn *fn, void *ctx)
{
	const size_t all = count_of(cpu, use);
	struct text text = { "" };
	size_t told = 0;
	bool several = false;

	for (size_t i = 0;
	     i < cpu->events && strlen(text.out) < CPU_ABOUT_NAMES;) {
		const struct cpu_event *e = NULL;
		const size_t n = next_of(cpu, use, &i, &e);

		if (n)
			PUT(&text, "%s%.*s", told ? ", " : "",
			    n > 1 ? (int)stem_of(e) : 200, e->name);
		if (n > 1)
			PUT(&text, " (+%zu%s)", n - 1, several ? "" :
			    " unit masks");
		several |= n > 1;
		told += n;
	}
	if (told < all)
		PUT(&text, " and %zu more", all - told);
	return emit(about, &text, fn, ctx);
}

static int about_misleading(const struct cpu *cpu, assay_row_fn *fn, void *ctx)
{
	int rc = 0;

	for (size_t i = 0; i < cpu->events && !rc; i++) {
		const struct cpu_event *e = &cpu->event[i];
		struct text text = { "" };

		if (use_of(e) != MISLEADING)
			continue;
		PUT(&text, "%s: its text promises %s, it counts %s", e->name,
		    e->says_text, e->present ? e->counts_text :
		    "what no model has");
		rc = emit("misleads", &text, fn, ctx);
	}
	return rc;
}

/* " (L2_RQSTS.MISS and 3 more)": the events that have the erratum. */
static void put_struck(struct text *text, const struct cpu *cpu,
		       const char *erratum)
{
	const size_t length = strcspn(erratum, ":");
	size_t n = 0;

	for (size_t i = 0; i < cpu->events; i++)
		for (const char *const *k = cpu->event[i].errata; k && *k; k++)
			if (strlen(*k) == length &&
			    !strncmp(*k, erratum, length) && n++ < 2)
				PUT(text, "%s%s", n == 1 ? " (" : ", ",
				    cpu->event[i].name);
	if (n > 2)
		PUT(text, " and %zu more", n - 2);
	PUT(text, "%s", n ? ")" : "");
}

static int about_errata(const struct cpu *cpu, assay_row_fn *fn, void *ctx)
{
	int rc = 0;

	for (const char *const *e = cpu->erratum; *e && !rc; e++) {
		struct text text = { "" };

		PUT(&text, "%s", *e);
		put_struck(&text, cpu, *e);
		rc = emit("erratum", &text, fn, ctx);
	}
	return rc;
}

static void put_count(struct text *text, size_t n, const char *one,
		      const char *more)
{
	if (n)
		PUT(text, "; %zu %s", n, n == 1 ? one : more);
}

static int answer(const struct cpu *cpu, assay_row_fn *fn, void *ctx)
{
	struct text text = { "" };
	const struct assay_field field[] = { field_text("answer", text.out) };

	PUT(&text, "%s: ", cpu->title);
	if (!cpu->events)
		PUT(&text, "no events are known");
	else
		PUT(&text, "of %zu known events %zu are usable (simulated, no "
		    "known fault)", cpu->events, count_of(cpu, USABLE));
	put_count(&text, count_of(cpu, MISLEADING), "misleads", "mislead");
	put_count(&text, count_of(cpu, CARE), "has an erratum",
		  "have an erratum");
	put_count(&text, count_of(cpu, UNJUDGED), "has no expression",
		  "have no expression");
	put_count(&text, count_of(cpu, MISSING), "is not on this CPU",
		  "are not on this CPU");
	PUT(&text, ".");
	return row_emit(fn, ctx, "answer", field, 1);
}

int cpu_about(const struct cpu *cpu, assay_row_fn *fn, void *ctx)
{
	int rc = answer(cpu, fn, ctx);

	if (!rc)
		rc = cpu_asked(cpu, fn, ctx);
	if (!rc)
		rc = about_chip(cpu, fn, ctx);
	if (!rc)
		rc = about_misleading(cpu, fn, ctx);
	if (!rc)
		rc = about_errata(cpu, fn, ctx);
	if (!rc)
		rc = about_names(cpu, MISSING, "not there", fn, ctx);
	return rc ? rc : about_names(cpu, USABLE, "usable", fn, ctx);
}
