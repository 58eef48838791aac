/* SPDX-License-Identifier: MIT */
/*
 * Kernels as rows: their options with range and default, and the closed forms
 * of what they are expected to count, on the default shape and a model CPU.
 */
#include "api/kernel-info.h"

#include <stdio.h>
#include <string.h>

#include "base/row.h"
#include "base/text.h"
#include "kernels/kernel.h"

static int list_kernel(const struct kernel *k, bool complete, assay_row_fn *fn,
		       void *ctx)
{
	const struct assay_field field[] = {
		field_text("kernel", k->name),
		field_text("what it does", k->summary),
		field_text("exercises", k->exercises),
		complete ? field_text("source", k->source) :
			field_detail("source", k->source),
	};

	return row_emit(fn, ctx, "kernel", field, 4);
}

static void join_words(char *out, size_t room, const char *const *words,
		       const char *between)
{
	size_t used = 0;

	*out = '\0';
	for (int i = 0; words[i] && used < room; i++)
		used += snprintf(out + used, room - used, "%s%s",
				 i ? between : "", words[i]);
}

static void option_range(char *out, size_t room, const struct kernel_option *o)
{
	char low[32], high[32];

	switch (o->kind) {
	case ASSAY_OPTION_CHOICE:
		join_words(out, room, o->words, " | ");
		return;
	case ASSAY_OPTION_FLAG:
		snprintf(out, room, "on | off");
		return;
	case ASSAY_OPTION_REAL:
		snprintf(out, room, "%g .. %g", o->min / 1e6, o->max / 1e6);
		return;
	case ASSAY_OPTION_BYTES:
		text_bytes(low, sizeof(low), (uint64_t)o->min);
		text_bytes(high, sizeof(high), (uint64_t)o->max);
		break;
	default:
		text_groups(low, sizeof(low), (uint64_t)o->min);
		text_groups(high, sizeof(high), (uint64_t)o->max);
	}
	snprintf(out, room, "%s .. %s%s", low, high,
		 o->power_of_two ? ", a power of two" : "");
}

static void option_initial(char *out, size_t room,
			   const struct kernel_option *o)
{
	if (o->derived)
		snprintf(out, room, "derived: %s", o->derived);
	else if (o->kind == ASSAY_OPTION_CHOICE)
		snprintf(out, room, "%s", o->words[o->initial]);
	else if (o->kind == ASSAY_OPTION_FLAG)
		snprintf(out, room, "%s", o->initial ? "on" : "off");
	else if (o->kind == ASSAY_OPTION_REAL)
		snprintf(out, room, "%g", o->initial / 1e6);
	else if (o->kind == ASSAY_OPTION_BYTES)
		text_bytes(out, room, (uint64_t)o->initial);
	else
		snprintf(out, room, "%lld", (long long)o->initial);
}

static int list_options(const struct kernel *k, assay_row_fn *fn, void *ctx)
{
	int rc = 0;

	for (unsigned i = 0; i < k->options && rc == 0; i++) {
		const struct kernel_option *o = &k->option[i];
		char name[40], range[160], initial[120];

		snprintf(name, sizeof(name), "--%s", o->name);
		option_range(range, sizeof(range), o);
		option_initial(initial, sizeof(initial), o);
		const struct assay_field field[] = {
			field_text("option", name), field_text("values", range),
			field_text("unit", o->unit),
			field_text("default", initial),
			field_text("meaning", o->help),
		};
		rc = row_emit(fn, ctx, "option", field, 5);
	}
	return rc;
}

/* The formula of a term; with that of the other instruction set if it differs:
 * "7 * n^3; aarch64: ..." */
static void put_formula(char *out, size_t room, const struct assay_term *term,
			const struct assay_term *other, const char *isa)
{
	char here[160], there[160];

	assay_term_formula(term, here, sizeof(here));
	assay_term_formula(other, there, sizeof(there));
	if (other->each == term->each)
		snprintf(out, room, "%s", here);
	else
		snprintf(out, room, "%s; %s: %s", here, isa, there);
}

static int list_terms(const struct assay_expected *row,
		      const struct assay_expected *other, const char *isa,
		      assay_row_fn *fn, void *ctx)
{
	int rc = 0;

	for (unsigned t = 0; t < row->terms && rc == 0; t++) {
		const struct assay_term *term = &row->term[t];
		char formula[400];

		put_formula(formula, sizeof(formula), term,
			    other->terms == row->terms ? &other->term[t] : term,
			    isa);
		const struct assay_field field[] = {
			field_text("quantity",
				   assay_quantity_name(row->quantity)),
			field_text("formula", formula),
			field_text("why", term->reason),
			field_detail("term", term->name),
		};
		rc = row_emit(fn, ctx, "term", field, 4);
	}
	return rc;
}

static int list_holds(const struct assay_expected *row, assay_row_fn *fn,
		      void *ctx)
{
	const struct assay_field field[] = {
		field_text("quantity", assay_quantity_name(row->quantity)),
		field_text("band", row->exact ? "exact" : "range"),
		field_text("holds", row->condition ? row->condition : "always"),
	};

	return row_emit(fn, ctx, "holds", field, 3);
}

static struct cache_geometry lru(uint32_t sets, uint32_t ways)
{
	return (struct cache_geometry){
		.present = true, .line_bytes = 64, .sets = sets, .ways = ways,
		.slices = 1, .policy = REPLACE_LRU, .inclusion = INCLUDE_NON,
	};
}

/* The CPU that closed forms are shown on: three levels, all LRU. */
static void model(struct geometry *out)
{
	*out = (struct geometry){
		.name = "model", .l1d = lru(64, 8), .l1i = lru(64, 8),
		.l2 = lru(1024, 8), .l3 = lru(8192, 16),
		.dtlb = { true, 64, 64, REPLACE_LRU },
		.itlb = { true, 64, 64, REPLACE_LRU },
		.l2tlb = { true, 1024, 8, REPLACE_LRU },
		.walker = { WALK_L2, 4, 3 },
		.predictor = { .kind = PREDICT_BIMODAL, .entries = 4096,
			       .return_stack = 16 },
		.page_map = { .kind = PAGE_MAP_IDENTITY },
	};
}

/* The closed forms with their reasons, on the kernel's default shape. */
static int list_expectation(const struct kernel *k, assay_row_fn *fn, void *ctx)
{
	struct assay_expectation of[ISAS] = { 0 };
	struct assay_shape shape;
	struct geometry g;
	int rc = 0;

	kernel_defaults(k, &shape);
	if (k->resolve(&shape, NULL) < 0)
		return 0;
	model(&g);
	for (int isa = 0; isa < ISAS; isa++)
		k->expect(&shape, isa, &g, true, &of[isa]);
	for (unsigned i = 0; i < of[0].rows && rc == 0; i++)
		rc = list_terms(&of[0].row[i], &of[1].row[i], isa_names[1], fn,
				ctx);
	for (unsigned i = 0; i < of[0].rows && rc == 0; i++)
		rc = list_holds(&of[0].row[i], fn, ctx);
	return rc;
}

int kernel_info(const char *name, assay_row_fn *fn, void *ctx,
		struct assay_error *err)
{
	const struct kernel *k = name ? kernel_find(name) : NULL;
	int rc = 0;

	if (k) {
		rc = list_kernel(k, true, fn, ctx);
		rc = rc ? rc : list_options(k, fn, ctx);
		return rc ? rc : list_expectation(k, fn, ctx);
	}
	if (name)
		return kernel_unknown(name, err);
	for (unsigned i = 0; kernel_table[i] && rc == 0; i++)
		rc = list_kernel(kernel_table[i], false, fn, ctx);
	return rc;
}


int assay_kernel_options(const char *kernel, struct assay_kernel_option *out,
			 size_t room, struct assay_error *err)
{
	const struct kernel *k = kernel_find(kernel);

	if (!k)
		return kernel_unknown(kernel, err);
	for (unsigned i = 0; i < k->options && i < room; i++) {
		const struct kernel_option *o = &k->option[i];

		out[i] = (struct assay_kernel_option){
			.name = o->name, .help = o->help, .unit = o->unit,
			.kind = o->kind,
		};
		if (o->kind == ASSAY_OPTION_CHOICE)
			join_words(out[i].words, sizeof(out[i].words),
				   o->words, "|");
		option_initial(out[i].initial, sizeof(out[i].initial), o);
	}
	return (int)k->options;
}

int assay_kernel_sweep(const char *kernel, const char **option,
		       const char **range, struct assay_error *err)
{
	const struct kernel *k = kernel_find(kernel);

	if (!k)
		return kernel_unknown(kernel, err);
	*option = k->size_option;
	*range = k->size_default;
	return 0;
}
