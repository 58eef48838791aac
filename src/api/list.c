/* SPDX-License-Identifier: MIT */
/* What there is: kernels, CPUs, formulas, events, providers, quantities, signals. */
#include <stdio.h>
#include <string.h>

#include "analysis/formula.h"
#include "analysis/identity.h"
#include "analysis/recipe.h"
#include "api/doctor-names.h"
#include "api/host-model.h"
#include "api/target.h"
#include "base/row.h"
#include "base/text.h"
#include "env/dump.h"
#include "env/env.h"
#include "env/shape.h"
#include "kernels/kernel.h"

static int list_kernel(const struct kernel *k, bool whole, assay_row_fn *fn,
		       void *ctx)
{
	const struct assay_field field[] = {
		field_text("kernel", k->name), field_text("what it does", k->summary),
		field_text("exercises", k->exercises),
		whole ? field_text("source", k->source) :
			field_detail("source", k->source),
	};

	return row_emit(fn, ctx, "kernel", field, 4);
}

static void option_range(char *out, size_t room, const struct kernel_option *o)
{
	char low[32], high[32];
	size_t used = 0;

	switch (o->kind) {
	case ASSAY_OPTION_CHOICE:
		*out = '\0';
		for (int i = 0; o->words[i] && used < room; i++)
			used += snprintf(out + used, room - used, "%s%s",
					 i ? " | " : "", o->words[i]);
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
			field_text("unit", o->unit), field_text("default", initial),
			field_text("meaning", o->help),
		};
		rc = row_emit(fn, ctx, "option", field, 5);
	}
	return rc;
}

/* What a term costs where it costs something else: "7 * n^3; aarch64: ..." */
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

/* What closed forms are shown on: three levels and all of it LRU. */
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

/* The formulas with their reasons, on the kernel's default shape. */
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

static int list_kernels(const char *name,
			assay_row_fn *fn, void *ctx, struct assay_error *err)
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

static int list_cpus(const struct assay *a, const char *name, assay_row_fn *fn,
		     void *ctx, struct assay_error *err)
{
	char file[ASSAY_NAME];
	struct cpu *cpu;
	int rc;

	if (!name)
		return cpu_list(a->data_dir, fn, ctx, err);
	rc = strcmp(name, "host") ? cpu_load(&cpu, name, a->data_dir, err) :
	     host_model(&cpu, file, sizeof(file), a, err);
	if (rc < 0)
		return rc;
	rc = cpu_describe(cpu, fn, ctx);
	cpu_free(cpu);
	return rc;
}

/* The laws of a CPU, or of every one. */
static int list_identities(const struct assay *a, const char *cpu,
			   assay_row_fn *fn, void *ctx,
			   struct assay_error *err)
{
	struct identities *set;
	struct cpu *file = NULL;
	int rc = cpu ? cpu_load(&file, cpu, a->data_dir, err) : 0;

	if (rc == 0)
		rc = identities_load(&set, file ? file->name : NULL,
				     file ? file->alias : NULL, a->data_dir,
				     err);
	cpu_free(file);
	if (rc < 0)
		return rc;
	for (size_t i = 0; i < set->count && rc == 0; i++)
		rc = identity_describe(&set->identity[i], fn, ctx);
	identities_free(set);
	return rc;
}

static int list_recipes(const struct assay *a, const char *name,
			assay_row_fn *fn, void *ctx, struct assay_error *err)
{
	struct recipe *recipe = NULL;
	int rc;

	if (!name)
		return recipe_list(a->data_dir, fn, ctx, err);
	rc = recipe_load(&recipe, name, a->data_dir, err);
	if (rc == 0)
		rc = recipe_describe(recipe, fn, ctx);
	recipe_free(recipe);
	return rc;
}

static int list_formulas(const struct assay *a, const char *name,
			 assay_row_fn *fn, void *ctx, struct assay_error *err)
{
	struct formula_file *file;
	int rc;

	if (!name)
		return formula_list(a->data_dir, fn, ctx, err);
	rc = formula_load(&file, name, NULL, a->data_dir, err);
	if (rc < 0)
		return rc;
	rc = formula_describe(file, fn, ctx);
	formula_free(file);
	return rc;
}

static int list_events(const struct assay *a, const char *pattern,
		       const char *on, assay_row_fn *fn, void *ctx,
		       struct assay_error *err)
{
	struct target target;
	int rc = target_init(&target, a, on ? on : "perf", NULL, false, err);

	if (rc < 0)
		return rc;
	rc = events_list(&target.events, pattern, fn, ctx, err);
	target_fini(&target);
	return rc;
}

/* Of rows that begin with a name, only the one that is asked for. */
struct one {
	assay_row_fn *fn;
	void *ctx;
	const char *name;
	char nearest[64];
	bool found;
};

/* "dead:EVENT" is called dead. */
static int one_row(void *ctx, const struct assay_row *row)
{
	struct one *one = ctx;
	const char *words[] = { NULL, one->nearest, NULL };
	char word[64];

	text_copy(word, sizeof(word), row->field[0].text);
	word[strcspn(word, ":=")] = '\0';
	if (!strcmp(word, one->name)) {
		one->found = true;
		return one->fn(one->ctx, row);
	}
	words[0] = word;
	if (text_nearest(one->name, words) == word)
		text_copy(one->nearest, sizeof(one->nearest), word);
	return 0;
}

static int list_one(int (*list)(assay_row_fn *fn, void *ctx), const char *kind,
		    const char *name, assay_row_fn *fn, void *ctx,
		    struct assay_error *err)
{
	struct one one = { .fn = fn, .ctx = ctx, .name = name };
	int rc = name ? list(one_row, &one) : list(fn, ctx);

	if (!name || rc || one.found)
		return rc;
	error_set(err, -ASSAY_ENOENT, "no %s is called '%.60s'", kind, name);
	if (one.nearest[0])
		error_add(err, "did you mean '%s'?", one.nearest);
	return -ASSAY_ENOENT;
}

static int list_providers(assay_row_fn *fn, void *ctx)
{
	int rc = 0;

	for (int i = 0; provider_table[i] && rc == 0; i++) {
		const struct provider *p = provider_table[i];
		struct provider_config config = { 0 };
		struct assay_error why = { 0 };
		bool self = p == &perf_provider || p == &null_provider ||
			    p == &time_provider;
		bool works = !self || p->probe(&config, &why) == 0;
		const struct assay_field field[] = {
			field_text("provider", p->name),
			field_text("what", p->summary),
			field_text("works here", works ? "yes" : "no"),
			field_text("why", works ? "" : why.text),
		};

		rc = row_emit(fn, ctx, "provider", field, 4);
	}
	return rc;
}

static int list_quantities(assay_row_fn *fn, void *ctx)
{
	int rc = 0;

	for (int q = 0; q < ASSAY_QUANTITIES && rc == 0; q++) {
		const struct assay_field field[] = {
			field_text("quantity", assay_quantity_name(q)),
			field_text("unit", assay_quantity_unit(q)),
			field_text("meaning", assay_quantity_sentence(q)),
		};

		rc = row_emit(fn, ctx, "quantity", field, 3);
	}
	return rc;
}

/* What the expressions of CPU files add up. */
static int list_signals(assay_row_fn *fn, void *ctx)
{
	static const char *const signals[][2] = {
#define X(name, sentence) { #name, sentence },
#include "base/signals.def"
#undef X
	};
	int rc = 0;

	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals) && !rc; i++) {
		const struct assay_field field[] = {
			field_text("signal", signals[i][0]),
			field_text("meaning", signals[i][1]),
		};

		rc = row_emit(fn, ctx, "signal", field, 2);
	}
	return rc;
}

int assay_list(struct assay *assay, enum assay_list what, const char *name,
	       const char *on, assay_row_fn *fn, void *ctx,
	       struct assay_error *err)
{
	switch (what) {
	case ASSAY_LIST_KERNELS:
		return list_kernels(name, fn, ctx, err);
	case ASSAY_LIST_CPUS:
		return list_cpus(assay, name, fn, ctx, err);
	case ASSAY_LIST_FORMULAS:
		return list_formulas(assay, name, fn, ctx, err);
	case ASSAY_LIST_EVENTS:
		return list_events(assay, name, on, fn, ctx, err);
	case ASSAY_LIST_PROVIDERS:
		return list_one(list_providers, "provider", name, fn, ctx,
				err);
	case ASSAY_LIST_FAULTS:
		return list_one(fault_list, "fault", name, fn, ctx, err);
	case ASSAY_LIST_IDENTITIES:
		return list_identities(assay, name, fn, ctx, err);
	case ASSAY_LIST_RECIPES:
		return list_recipes(assay, name, fn, ctx, err);
	case ASSAY_LIST_SIGNALS:
		return list_one(list_signals, "signal", name, fn, ctx, err);
	case ASSAY_LIST_QUANTITIES:
		return list_one(list_quantities, "quantity", name, fn, ctx,
				err);
	}
	return error_set(err, -ASSAY_EINVAL, "unknown list");
}

static int machine_row(const struct assay *assay, assay_row_fn *fn, void *ctx)
{
	const struct assay_machine *m = &assay->machine;
	const unsigned cpus = shape_cpus(assay->sysroot);
	const struct assay_field field[] = {
		field_text("assay", assay_version()),
		field_text("host", m->host),
		field_text("cpu", m->cpu),
		cpus ? field_count("cpus", cpus) : (struct assay_field){
			.name = "cpus", .kind = ASSAY_FIELD_ABSENT,
			.text = "/sys/devices/system/cpu is not visible" },
		field_text("kernel", m->kernel),
		field_text("isa", m->isa),
	};

	return row_emit(fn, ctx, "machine", field,
			sizeof(field) / sizeof(field[0]));
}

int assay_doctor(struct assay *assay, bool *can_count, assay_row_fn *fn,
		 void *ctx, struct assay_error *err)
{
	struct doctor_names names = { assay, fn, ctx, false };

	if (machine_row(assay, fn, ctx))
		return error_set(err, -ASSAY_ESTOP, "stopped by the caller");
	return env_doctor(assay->sysroot, can_count, doctor_names_row, &names,
			  err);
}

int assay_machine_write(struct assay *assay, FILE *out,
			struct assay_error *err)
{
	return env_dump(out, assay->sysroot, err);
}

static void join_words(char *out, size_t room, const char *const *words)
{
	size_t used = 0;

	*out = '\0';
	for (int i = 0; words[i] && used < room; i++)
		used += snprintf(out + used, room - used, "%s%s", i ? "|" : "",
				 words[i]);
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
				   o->words);
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
