/* SPDX-License-Identifier: MIT */
/* The rows of `assay list cpus`: one per CPU file, or all facts of one file. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/row.h"
#include "base/text.h"
#include "cpus/cpu-about.h"
#include "cpus/cpu.h"
#include "cpus/names/products.h"

enum { LIST_ROOM = 512 };

static struct assay_field absent_field(const char *name, const char *why)
{
	return (struct assay_field){ .name = name, .kind = ASSAY_FIELD_ABSENT,
				     .text = why };
}

static struct assay_field cache_field(const char *name,
				      const struct cache_geometry *c)
{
	if (!c->present)
		return absent_field(name, "this CPU has none");
	return (struct assay_field){ .name = name, .kind = ASSAY_FIELD_COUNT,
				     .count = cache_bytes(c), .unit = "bytes",
				     .flags = ASSAY_FIELD_BYTES };
}

static struct assay_field detail_count(const char *name, uint64_t count)
{
	struct assay_field field = field_count(name, count);

	field.flags = ASSAY_FIELD_DETAIL;
	return field;
}

/* Shown to people with -v only. */
static struct assay_field detail(struct assay_field field)
{
	field.flags |= ASSAY_FIELD_DETAIL;
	return field;
}

/* ---- vendor, year, products, confidence ---------------------------------- */

/* By the registers; of a second kind of core, which has none of its own, by the
 * first word of the title. */
static const char *vendor_of(const struct cpu *cpu)
{
	static const struct { const char *cpuid; unsigned midr;
			      const char *name; } vendors[] = {
		{ "GenuineIntel", 0, "Intel" }, { "AuthenticAMD", 0, "AMD" },
		{ "", 0x41, "Arm" }, { "", 0x61, "Apple" },
		{ "", 0xc0, "Ampere" }, { "", 0x48, "HiSilicon" },
	};
	const bool known = *cpu->match.vendor || cpu->match.implementer;

	for (size_t i = 0; i < sizeof(vendors) / sizeof(*vendors); i++) {
		const char *name = vendors[i].name;

		if (known ? !strcmp(cpu->match.vendor, vendors[i].cpuid) &&
			    cpu->match.implementer == vendors[i].midr :
		    !strncmp(cpu->title, name, strlen(name)))
			return name;
	}
	return NULL;
}

static struct assay_field vendor_field(const struct cpu *cpu)
{
	const char *name = vendor_of(cpu);

	return name ? field_text("vendor", name) :
	       absent_field("vendor", "the file does not say");
}

static struct assay_field year_field(const struct cpu *cpu)
{
	struct assay_field field = field_count("year", cpu->year);

	field.flags = ASSAY_FIELD_PLAIN;
	return cpu->year ? field :
	       absent_field("year", "the file does not say");
}

/* Is it the product, or one of its cores? */
static bool is_product(const struct product *p, const char *name)
{
	bool is = !strcmp(p->key, name);

	for (const char *const *c = p->cpu; *c; c++)
		is |= !strcmp(*c, name);
	return is;
}

/* The products that the file describes; NULL: they were not read. */
static void found_in(char *out, size_t room, const struct cpu *cpu,
		     const struct products *products)
{
	out[0] = '\0';
	for (size_t i = 0; products && i < products->products; i++)
		if (is_product(&products->product[i], cpu->name))
			text_add(out, room, ", ", "%s",
				 products->product[i].key);
}

static const char letters[] = "DMFRG";
enum { LETTERS = sizeof(letters) - 1,
       FIRST_LETTER = 11 };	/* the field "documented" of a row */

static void count_letter(unsigned count[LETTERS], char letter)
{
	const char *at = letter ? strchr(letters, letter) : NULL;

	if (at)
		count[at - letters]++;
}

/* The facts of the file, of each confidence: those of events and unit masks,
 * too. */
static void count_facts(unsigned count[LETTERS], const struct cpu *cpu)
{
	for (size_t i = 0; i < cpu->facts; i++)
		count_letter(count, cpu->fact[i].confidence);
	for (size_t i = 0; i < cpu->events; i++) {
		const struct cpu_event *e = &cpu->event[i];

		count_letter(count, e->confidence);
		count_letter(count, e->says_confidence);
		for (int t = 0; t < CPU_TRAITS; t++)
			count_letter(count, e->trait[t].confidence);
	}
	for (size_t i = 0; i < cpu->selects; i++)
		for (size_t k = 0; k < cpu->units[i].units; k++)
			count_letter(count, cpu->units[i].unit[k].confidence);
	for (size_t i = 0; i < cpu->generics; i++)
		count_letter(count, cpu->generic[i].confidence);
}

/* ---- the list ------------------------------------------------------------ */

static int list_cpu(const struct cpu *cpu, const struct products *products,
		    assay_row_fn *fn, void *ctx)
{
	const struct geometry *g = &cpu->geometry;
	char aliases[LIST_ROOM], found[LIST_ROOM];
	unsigned facts[LETTERS] = { 0 };
	struct assay_field field[] = {
		field_text("name", cpu->name),
		field_detail("title", cpu->title),
		field_detail("isa", isa_names[g->isa]),
		vendor_field(cpu),
		year_field(cpu),
		products ? field_text("found in", found) :
			   absent_field("found in", "a file of names "
					"cannot be read"),
		detail(cache_field("l1d", &g->l1d)),
		detail(cache_field("l2", &g->l2)),
		detail(cache_field("l3", &g->l3)),
		detail_count("counters", cpu->counters),
		field_count("events", cpu->events),
		detail_count("documented", 0), detail_count("measured", 0),
		detail_count("fitted", 0), detail_count("recalled", 0),
		detail_count("guessed", 0),
		field_detail("aliases", aliases),
		field_detail("file", cpu->file),
	};

	found_in(found, sizeof(found), cpu, products);
	count_facts(facts, cpu);
	for (int i = 0; i < LETTERS; i++)
		field[FIRST_LETTER + i].count = facts[i];
	text_join(aliases, sizeof(aliases), cpu->alias, " ");
	return ROW_EMIT(fn, ctx, "cpu", field);
}

/* The arguments of cpu_list. */
struct listing {
	struct products products;
	assay_row_fn *fn;
	void *ctx;
};

static int list_one(void *ctx, const struct cpu *cpu)
{
	const struct listing *l = ctx;

	return list_cpu(cpu, &l->products, l->fn, l->ctx);
}

int cpu_list(const char *data_dir, assay_row_fn *fn, void *ctx,
	     struct assay_error *err)
{
	struct listing listing = { .fn = fn, .ctx = ctx };
	int error = products_load(&listing.products, data_dir, err);

	if (error)
		return error;
	error = cpu_each(data_dir, list_one, &listing, err);
	products_free(&listing.products);
	return error;
}

static int fact_row(const struct cpu_fact *f, assay_row_fn *fn, void *ctx)
{
	const char confidence[2] = { f->confidence };
	const struct assay_field field[] = {
		field_text("fact", f->path),
		field_text("value", f->value),
		field_text("confidence", confidence),
		field_text("source", f->source),
		field_text("remark", f->note),
	};

	return ROW_EMIT(fn, ctx, "fact", field);
}

/* "yes (D armdata; remark)"; "" if the trait is not known. */
static void trait_text(char *out, size_t room, const struct cpu_event *e,
		       enum cpu_trait_kind kind)
{
	struct cpu_trait t;

	cpu_event_trait(&t, e, kind);
	out[0] = '\0';
	if (t.value)
		snprintf(out, room, "%s (%c%s%s%s%s)", t.value, t.confidence,
			 *t.source ? " " : "", t.source, *t.note ? "; " : "",
			 t.note);
}

/* "2m 1g", the sizes in a bit set. */
static void pages_text(char *out, size_t room, unsigned pages)
{
	const char *words[PAGE_SIZES + 1] = { NULL };
	int n = 0;

	for (int size = 0; size < PAGE_SIZES; size++)
		if (pages >> size & 1)
			words[n++] = page_names[size];
	text_join(out, room, words, " ");
}

/* "loads + stores (D manual)"; "" if the vendor's text agrees with `counts`. */
static void says_text(char *out, size_t room, const struct cpu_event *e)
{
	out[0] = '\0';
	if (*e->says_text)
		snprintf(out, room, "%s (%c %s)", e->says_text,
			 e->says_confidence, e->says_source);
}

static int event_row(const struct cpu_event *e, assay_row_fn *fn, void *ctx)
{
	const char confidence[2] = { e->confidence };
	char code[24] = "", aliases[LIST_ROOM], errata[LIST_ROOM] = "";
	char trait[CPU_TRAITS][120] = { "" };
	char says[LIST_ROOM], pages[64];
	const struct assay_field field[] = {
		field_text("event", e->name),
		field_text("code", code),
		e->present ? field_text("counts", e->counts_text)
			   : absent_field("counts", e->absent),
		field_text("meaning", e->meaning),
		field_text("confidence", confidence),
		field_text("source", e->source),
		field_detail("aliases", aliases),
		field_detail("implemented", e->implemented ? "yes" : "no"),
		field_detail("says", says),
		field_detail("pages", pages),
		field_detail("speculative", trait[CPU_SPECULATIVE]),
		field_detail("prefetches", trait[CPU_PREFETCHES]),
		field_detail("walks", trait[CPU_WALKS]),
		field_detail("writebacks", trait[CPU_WRITEBACKS]),
		field_detail("per", trait[CPU_PER]),
		field_detail("errata", errata),
	};

	snprintf(code, sizeof(code), "0x%02" PRIx64, e->code);
	text_join(aliases, sizeof(aliases), e->alias, " ");
	if (e->errata)
		text_join(errata, sizeof(errata), e->errata, " ");
	says_text(says, sizeof(says), e);
	pages_text(pages, sizeof(pages), e->pages);
	for (int k = 0; k < CPU_TRAITS; k++)
		trait_text(trait[k], sizeof(trait[k]), e,
			   (enum cpu_trait_kind)k);
	return ROW_EMIT(fn, ctx, "event", field);
}

static int pair_row(const char *type, const char *name, const char *value,
		    assay_row_fn *fn, void *ctx)
{
	const struct assay_field field[] = {
		field_text(type, name),
		field_text("text", value),
	};

	return ROW_EMIT(fn, ctx, type, field);
}

/* "ID: text" as a row of both. */
static int erratum_row(const char *text, assay_row_fn *fn, void *ctx)
{
	const char *colon = strstr(text, ": ");
	char id[64];

	snprintf(id, sizeof(id), "%.*s", colon ? (int)(colon - text) : 0, text);
	return pair_row("erratum", id, colon ? colon + 2 : text, fn, ctx);
}

static int unit_row(const struct cpu_units *u, const struct cpu_unit *unit,
		    assay_row_fn *fn, void *ctx)
{
	const char confidence[2] = { unit->confidence };
	char select[16] = "", bits[16] = "";
	const struct assay_field field[] = {
		field_text("event select", select),
		field_text("unit mask", bits),
		field_text("meaning", unit->meaning),
		field_text("confidence", confidence),
		field_text("source", unit->source),
	};

	snprintf(select, sizeof(select), "0x%03x", u->select);
	snprintf(bits, sizeof(bits), "0x%02x", unit->bits);
	return ROW_EMIT(fn, ctx, "unit", field);
}

static int units_rows(const struct cpu *cpu, assay_row_fn *fn, void *ctx)
{
	int stop = 0;

	for (size_t i = 0; i < cpu->selects && !stop; i++)
		for (size_t k = 0; k < cpu->units[i].units && !stop; k++)
			stop = unit_row(&cpu->units[i], &cpu->units[i].unit[k],
					fn, ctx);
	return stop;
}

static int generic_row(const struct cpu_generic *g, assay_row_fn *fn,
		       void *ctx)
{
	const char confidence[2] = { g->confidence };
	char code[24] = "";
	const struct assay_field field[] = {
		field_text("linux name", g->name),
		g->present ? field_text("code", code)
			   : absent_field("code", *g->note ? g->note :
					  "Linux has none"),
		field_text("remark", g->present ? g->note : ""),
		field_text("confidence", confidence),
		field_text("source", g->source),
	};

	snprintf(code, sizeof(code), "0x%02" PRIx64, g->code);
	return ROW_EMIT(fn, ctx, "generic", field);
}

int cpu_describe(const struct cpu *cpu, const char *data_dir, assay_row_fn *fn,
		 void *ctx)
{
	struct products all = { .products = 0 };
	const bool named = !products_load(&all, data_dir, NULL);
	int stop = list_cpu(cpu, named ? &all : NULL, fn, ctx);

	products_free(&all);

	if (!stop)
		stop = cpu_about(cpu, fn, ctx);
	for (size_t i = 0; i < cpu->facts && !stop; i++)
		stop = fact_row(&cpu->fact[i], fn, ctx);
	for (size_t i = 0; i < cpu->events && !stop; i++)
		stop = event_row(&cpu->event[i], fn, ctx);
	if (!stop)
		stop = units_rows(cpu, fn, ctx);
	for (size_t i = 0; i < cpu->generics && !stop; i++)
		stop = generic_row(&cpu->generic[i], fn, ctx);
	for (const char *const *e = cpu->erratum; *e && !stop; e++)
		stop = erratum_row(*e, fn, ctx);
	for (size_t i = 0; i < cpu->cites && !stop; i++)
		stop = pair_row("source", cpu->cited[i].key,
				cpu->cited[i].text, fn, ctx);
	return stop;
}
