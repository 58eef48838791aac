/* SPDX-License-Identifier: MIT */
/* assay_list(): kernels, CPUs, formulas, events, providers, quantities,
 * signals. */
#include <stdio.h>
#include <string.h>

#include "analysis/formulas/formula.h"
#include "analysis/identity.h"
#include "analysis/recipe/recipe.h"
#include "run/host.h"
#include "api/kernel-info.h"
#include "run/target.h"
#include "base/row.h"
#include "base/text.h"

#define ASKED_FIELDS 8		/* of a row "asked" */

/* Rows of a CPU; "asked" gets what this machine's certificate says. */
struct certified {
	assay_row_fn *fn;
	void *ctx;
	struct assay_trust *trust;
};

static const char *certified_class(const struct assay_trust *trust,
				   const char *event)
{
	struct assay_trusted trusted;

	assay_trust_of(trust, event, &trusted);
	return trusted.class_ == ASSAY_CLASS_UNAVAILABLE ? "not judged" :
	       assay_class_name(trusted.class_);
}

/* The class of an event, or of both events of a sum. */
static void certificate_text(char *out, size_t room,
			     const struct assay_trust *trust, const char *event)
{
	const char *plus = strstr(event, " + ");
	char first[128];

	snprintf(first, sizeof(first), "%.*s",
		 plus ? (int)(plus - event) : (int)strlen(event), event);
	snprintf(out, room, "%s%s%s", certified_class(trust, first),
		 plus ? " + " : "", plus ? certified_class(trust, plus + 3) :
		 "");
}

static int certified_row(void *ctx, const struct assay_row *row)
{
	const struct certified *c = ctx;
	struct assay_field field[ASKED_FIELDS + 1];
	char text[128];

	if (strcmp(row->type, "asked") || row->fields > ASKED_FIELDS)
		return c->fn(c->ctx, row);
	memcpy(field, row->field, row->fields * sizeof(*field));
	field[row->fields] = field_detail("certificate", "");
	if (c->trust && assay_trust_path(c->trust) && field[1].text &&
	    field[1].kind == ASSAY_FIELD_TEXT) {
		certificate_text(text, sizeof(text), c->trust, field[1].text);
		field[row->fields] = field_text("certificate", text);
	}
	return row_emit(c->fn, c->ctx, row->type, field, row->fields + 1);
}

/* Is it the CPU of this machine? */
static bool is_host(const struct assay *a, const struct cpu *cpu)
{
	struct cpu *host = host_cpu(a);
	const bool same = !strcmp(cpu->name, "host") ||
			  (host && !strcmp(host->name, cpu->name));

	cpu_free(host);
	return same;
}

static int describe_cpu(struct assay *a, const struct cpu *cpu,
			assay_row_fn *fn, void *ctx, struct assay_error *err)
{
	struct certified c = { fn, ctx, NULL };
	int rc = is_host(a, cpu) ? assay_trust_open(&c.trust, a, NULL, err) : 0;

	if (rc == 0)
		rc = cpu_describe(cpu, a->data_dir, certified_row, &c);
	assay_trust_close(c.trust);
	return rc;
}

static int list_cpus(struct assay *a, const char *name, assay_row_fn *fn,
		     void *ctx, struct assay_error *err)
{
	char file[ASSAY_NAME];
	struct cpu *cpu;
	int rc;

	if (!name)
		return cpu_list(a->data_dir, fn, ctx, err);
	rc = strcmp(name, "host") ? cpu_load_sold(&cpu, name, a->data_dir, err) :
	     host_model(&cpu, file, sizeof(file), a, err);
	if (rc < 0)
		return rc;
	rc = describe_cpu(a, cpu, fn, ctx, err);
	cpu_free(cpu);
	return rc;
}

/* The identities of one CPU, or of all CPUs. */
static int list_identities(const struct assay *a, const char *cpu,
			   assay_row_fn *fn, void *ctx,
			   struct assay_error *err)
{
	struct identities *set;
	struct cpu *file = NULL;
	int rc = cpu ? cpu_load_sold(&file, cpu, a->data_dir, err) : 0;

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

static int list_of(const struct events_target *target, const char *pattern,
		   assay_row_fn *fn, void *ctx, struct assay_error *err)
{
	const int rc = events_list(target, pattern, fn, ctx, err);

	return rc || !*events_left_out(target) ? rc :
	       error_set(err, -ASSAY_EPARSE, "%s", events_left_out(target));
}

/* The events of a CPU that the tables at hand alone name; false: they name no
 * such CPU. */
static bool list_table(const struct assay *a, const char *pattern,
		       const char *cpu, assay_row_fn *fn, void *ctx,
		       struct assay_error *err, int *rc)
{
	struct events_target target = {
		.target = EVENTS_SIM, .asked = cpu, .sysroot = a->sysroot,
		.data_dir = a->data_dir, .tables = a->tables,
	};

	if (!events_table_cpu(&target.layout, cpu, a->tables))
		return false;
	*rc = list_of(&target, pattern, fn, ctx, err);
	return true;
}

static int list_events(const struct assay *a, const char *pattern,
		       const char *on, assay_row_fn *fn, void *ctx,
		       struct assay_error *err)
{
	struct event_tables *tables;
	struct target target;
	int rc = tables_at_hand(&tables, a->tables, err);

	if (rc)
		return rc;
	rc = target_init(&target, a, on ? on : "perf", NULL, false, err);
	if (rc == -ASSAY_ENOENT && on && tables && !strncmp(on, "sim:", 4) &&
	    list_table(a, pattern, on + 4, fn, ctx, err, &rc))
		return rc;
	if (rc < 0)
		return rc;
	target.events.tables = a->tables;
	if (target.events.cpu) {
		target.events.layout = events_layout(target.events.cpu);
		target.events.core = target.events.cpu->core;
	}
	rc = list_of(&target.events, pattern, fn, ctx, err);
	target_fini(&target);
	return rc;
}

/* Passes on the one row whose first field is the name that is asked for. */
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

/* The simulator's signals, which CPU files add up to events. */
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
		return kernel_info(name, fn, ctx, err);
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
