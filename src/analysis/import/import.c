/* SPDX-License-Identifier: MIT */
/*
 * Writes the text of a formula file, metric by metric; a metric follows those
 * that it names. A metric that cannot be imported does not spoil the others. See
 * import.h.
 */
#define _GNU_SOURCE	/* strcasestr */
#include "analysis/import/import.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/formulas/formula.h"
#include "analysis/formulas/loader.h"
#include "base/row.h"
#include "base/text.h"

enum state { WAITING, BEGUN, IMPORTED, LEFT_OUT };

struct imported {
	const struct metric_item *from;
	enum state state;
	char name[ASSAY_NAME];
	char *is;		/* the translated expression; owned */
	char *why;		/* LEFT_OUT: the reason; owned */
	int claims;		/* a quantity; -1: none */
};

struct importer {
	struct import import;
	struct imported *metric;	/* of each item of the list, then of
					 * each rate */
	size_t *order;		/* of the imported ones, as they are written */
	size_t written;
	struct import_rate *rate;	/* numerators of rates */
	size_t rates;
	unsigned depth;		/* of metrics that name each other */
	const char *name;
	assay_row_fn *fn;
	void *ctx;
	int rc;
};

enum { DEPTH = 30 };	/* of metrics that name each other: formula files have
			 * a limit, too */

/* ---- writing ------------------------------------------------------------ */

/* Double-quoted YAML; bytes that are no printable ASCII become blanks. */
static void quoted(FILE *out, const char *text)
{
	fputc('"', out);
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			fputc('\\', out);
		fputc(isprint((unsigned char)*text) ? *text : ' ', out);
	}
	fputc('"', out);
}

static void member(FILE *out, const char *key, const char *text)
{
	if (!*text)
		return;
	fputs(key, out);
	quoted(out, text);
	fputc('\n', out);
}

/* The literals that were assumed, in one text: "smt_on=0, num_dies=1". */
static void assumptions(const struct importer *w, char *out, size_t room)
{
	const struct import_machine *m = w->import.machine;

	*out = '\0';
	for (size_t i = 0; i < m->literals; i++)
		if (w->import.asked[i] && m->literal[i].assumed)
			text_add(out, room, ", ", "%s=%.15g",
				 m->literal[i].name, m->literal[i].value);
}

static void put_head(FILE *out, const struct importer *w)
{
	const struct metric_list *list = w->import.list;
	const struct cpu *cpu = w->import.machine->cpu;
	char source[200], assumed[160];

	snprintf(source, sizeof(source), "imported from a %s of %s: %.100s",
		 !strcmp(list->format, "likwid") ? "group" : "metric file",
		 list->format, w->name);
	fputs("# Made by assay formulas import. Nobody has checked it.\n"
	      "schema: assay-formulas/1\n", out);
	member(out, "name: ", w->name);
	member(out, "title: ", *list->title ? list->title : source);
	member(out, "source: ", source);
	assumptions(w, assumed, sizeof(assumed));
	if (*assumed) {
		snprintf(source, sizeof(source), "for a machine with %.150s",
			 assumed);
		member(out, "note: ", source);
	}
	fputs("cpus: [", out);
	quoted(out, cpu ? cpu->name : "*");
	fputs("]\n\nevents:\n", out);
}

static void put_operands(FILE *out, const struct import *im)
{
	for (unsigned i = 0; i < im->operands; i++) {
		if (!im->operand[i].used)
			continue;
		fprintf(out, "  %s: ", im->operand[i].name);
		quoted(out, im->operand[i].event);
		fputc('\n', out);
	}
}

static void put_metric(FILE *out, const struct imported *t)
{
	fprintf(out, "  - metric: %s\n    is: ", t->name);
	quoted(out, t->is);
	fputc('\n', out);
	if (t->claims >= 0)
		fprintf(out, "    claims: %s\n",
			assay_quantity_name(t->claims));
	if (*t->from->about || *t->from->unit) {
		char note[700];

		snprintf(note, sizeof(note), "%.500s%s%s%.100s%s",
			 t->from->about, *t->from->about && *t->from->unit ?
			 " " : "", *t->from->unit ? "(shown as " : "",
			 t->from->unit, *t->from->unit ? ")" : "");
		member(out, "    note: ", note);
	}
}

/* The text of a file with all imported metrics; for free(). */
static char *write_file(const struct importer *w)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	if (!out)
		return NULL;
	put_head(out, w);
	put_operands(out, &w->import);
	fputs("\nformulas:\n", out);
	for (size_t i = 0; i < w->written; i++)
		put_metric(out, &w->metric[w->order[i]]);
	if (fclose(out)) {
		free(text);
		return NULL;
	}
	return text;
}

/* ---- one metric --------------------------------------------------------- */

/* import.avoid: no operand may have the name of a metric. */
static bool is_metric(const void *ctx, const char *name)
{
	const struct importer *w = ctx;

	for (size_t i = 0; i < w->import.list->items + w->rates; i++)
		if (!strcmp(w->metric[i].name, name))
			return true;
	return false;
}

static bool is_name_used(const struct importer *w, const char *name)
{
	for (unsigned i = 0; i < w->import.operands; i++)
		if (!strcmp(w->import.operand[i].name, name))
			return true;
	return is_metric(w, name) || assay_quantity_find(name) >= 0;
}

static void choose_name(const struct importer *w, char out[ASSAY_NAME],
			const char *text)
{
	char base[ASSAY_NAME], name[ASSAY_NAME];

	import_name(base, text);
	for (char *c = base; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	text_copy(name, sizeof(name), base);
	for (int n = 2; is_name_used(w, name); n++)
		snprintf(name, sizeof(name), "%.50s_%d", base, n);
	text_copy(out, ASSAY_NAME, name);
}

static int any_name(void *ctx, const char *name)
{
	(void)ctx;
	(void)name;
	return 0;
}

/* Would a formula file take the text? */
static bool is_formula(struct translation *t)
{
	struct expr_nodes nodes = { .node = NULL };
	struct assay_error err = { 0 };
	int root;

	if (!t->names && !t->decided)
		return import_fail(t, "the metric has no event");
	if (expr_add(&nodes, &root, t->text, any_name, NULL, NULL, &err))
		import_fail(t, "%.200s", err.text);
	free(nodes.node);
	return !t->why[0];
}

static void report_metric(struct importer *w, const struct imported *t)
{
	const struct assay_field field[] = {
		field_text("metric", t->from->name),
		field_text("name", t->is ? t->name : ""),
		t->is ? field_text("is", t->is) :
		    (struct assay_field){ .name = "is", .text = t->why,
					  .kind = ASSAY_FIELD_ABSENT },
		field_text("claims", t->claims >= 0 ?
			   assay_quantity_name(t->claims) : ""),
	};

	if (!w->rc)
		w->rc = row_emit(w->fn, w->ctx, "metric", field, 4);
}

static void finish_metric(struct importer *w, size_t i, struct translation *t)
{
	struct imported *m = &w->metric[i];
	struct import *im = &w->import;

	if (t->why[0]) {
		free(t->text);
		m->state = LEFT_OUT;
		m->name[0] = '\0';
		m->why = strdup(t->why);
		if (!m->why)
			w->rc = -ASSAY_ENOMEM;
		return;
	}
	m->state = IMPORTED;
	m->is = t->text;
	m->claims = import_claim(m->from, m->is);
	w->order[w->written++] = i;
	for (unsigned o = 0; o < im->operands; o++)
		im->operand[o].used |= t->operand[o];
}

/* Imports a metric, and before it those that it names. */
static void add_metric(struct importer *w, size_t i)
{
	struct imported *m = &w->metric[i];
	struct translation t = { .of = &w->import, .item = m->from };

	if (m->state != WAITING || w->rc)
		return;
	m->state = BEGUN;
	w->depth++;
	choose_name(w, m->name, m->from->name);
	if (m->from->why)
		import_fail(&t, "%s", m->from->why);
	else if (w->written == LOADER_FORMULAS)
		import_fail(&t, "a file has at most %d formulas",
			    LOADER_FORMULAS);
	else if (import_expression(&t))
		is_formula(&t);
	w->depth--;
	finish_metric(w, i, &t);
	if (!w->rc)
		report_metric(w, m);
}

/* import.metric */
static const char *named_metric(void *ctx, size_t item, char *why)
{
	struct importer *w = ctx;
	struct imported *m = &w->metric[item];

	if (m->state == WAITING && w->depth < DEPTH)
		add_metric(w, item);
	if (m->state == IMPORTED)
		return m->name;
	snprintf(why, IMPORT_WHY, "%s", m->state == BEGUN ?
		 "metrics name each other in a circle" : m->why ? m->why :
		 "metrics name each other too deeply");
	return NULL;
}

/* Was a metric with the same claim imported? True also without a claim. */
static bool is_claimed(const struct importer *w, const struct metric_item *item)
{
	const int about = import_claim(item, "");

	for (size_t i = 0; i < w->written; i++)
		if (w->metric[w->order[i]].claims == about)
			return true;
	return about < 0;
}

/* A rate is no quantity, but its numerator may be one: imports that as well. */
static void add_numerator(struct importer *w, const struct metric_item *item)
{
	const size_t at = w->import.list->items + w->rates;
	struct import_rate *r = &w->rate[w->rates];

	if (item->why || item->counters || !import_numerator(r, item) ||
	    is_claimed(w, &r->item))
		return;
	w->rates++;
	w->metric[at].from = &r->item;
	add_metric(w, at);
}

static int add_all(struct importer *w, const char *pattern)
{
	const struct metric_list *list = w->import.list;

	for (size_t i = 0; i < list->items; i++)
		if (!pattern || strcasestr(list->item[i].name, pattern))
			add_metric(w, i);
	/* numerators last, because a metric may already be that count */
	for (size_t i = 0; i < list->items && !w->rc; i++)
		if (!pattern || strcasestr(list->item[i].name, pattern))
			add_numerator(w, &list->item[i]);
	return w->rc;
}

static int report_assumed(const struct importer *w)
{
	const struct import_machine *m = w->import.machine;
	int rc = 0;

	for (size_t i = 0; i < m->literals && !rc; i++) {
		const struct assay_field field[] = {
			field_text("literal", m->literal[i].name),
			field_value("value",
				    plain_value(m->literal[i].value)),
		};

		if (w->import.asked[i] && m->literal[i].assumed)
			rc = row_emit(w->fn, w->ctx, "assumed", field, 2);
	}
	return rc;
}

static int report_unknown(const struct importer *w)
{
	int rc = 0;

	for (unsigned i = 0; i < w->import.operands && !rc; i++) {
		const struct import_operand *o = &w->import.operand[i];
		char why[120] = "";
		const struct assay_field field[] = {
			field_text("event", o->event), field_text("why", why),
		};

		if (!o->unknown || !o->used)
			continue;
		snprintf(why, sizeof(why), "no event of the file of %.60s",
			 w->import.machine->cpu->name);
		rc = row_emit(w->fn, w->ctx, "unknown", field, 2);
	}
	return rc;
}

/* Writes the complete file and checks that it can be loaded. */
static int finish(char **out, struct importer *w, struct assay_error *err)
{
	struct formula_file *file;
	char *text = write_file(w);
	int rc;

	if (!text)
		return error_memory(err);
	rc = formula_parse(&file, w->name, text, strlen(text), NULL, err);
	if (rc < 0) {
		free(text);
		return rc;
	}
	formula_free(file);
	*out = text;
	return 0;
}

static int allocate(struct importer *w, const struct metric_list *list,
		    const struct import_machine *machine)
{
	w->metric = calloc(2 * list->items + 1, sizeof(*w->metric));
	w->order = calloc(2 * list->items + 1, sizeof(*w->order));
	w->rate = calloc(list->items + 1, sizeof(*w->rate));
	w->import.asked = calloc(machine->literals + 1, sizeof(bool));
	if (!w->metric || !w->order || !w->rate || !w->import.asked)
		return -ASSAY_ENOMEM;
	for (size_t i = 0; i < 2 * list->items; i++)
		w->metric[i].claims = -1;
	for (size_t i = 0; i < list->items; i++)
		w->metric[i].from = &list->item[i];
	return 0;
}

static void release(struct importer *w, size_t items)
{
	for (size_t i = 0; w->metric && i < 2 * items; i++) {
		free(w->metric[i].is);
		free(w->metric[i].why);
	}
	free(w->metric);
	free(w->order);
	free(w->rate);
	free(w->import.asked);
	free(w);
}

static int import(char **out, struct importer *w, const char *pattern,
		  struct assay_error *err)
{
	int rc = add_all(w, pattern);

	if (!rc)
		rc = report_unknown(w);
	if (!rc)
		rc = report_assumed(w);
	if (rc == -ASSAY_ENOMEM)
		return error_memory(err);
	if (rc)
		return error_set(err, rc < 0 ? rc : -ASSAY_ESTOP, "stopped");
	if (!w->written)
		return error_set(err, -ASSAY_EINVAL, "no metric%s%.40s%s can "
				 "be imported", pattern ? " with '" : "",
				 pattern ? pattern : "",
				 pattern ? "' in its name" : "");
	return finish(out, w, err);
}

int formulas_import(char **out, const struct metric_list *list,
		    const char *name, const char *pattern,
		    const struct import_machine *machine, assay_row_fn *fn,
		    void *ctx, struct assay_error *err)
{
	struct importer *w = calloc(1, sizeof(*w));
	int rc;

	if (!w)
		return error_memory(err);
	w->import.list = list;
	w->import.machine = machine;
	w->import.avoid = is_metric;
	w->import.metric = named_metric;
	w->import.ctx = w;
	w->name = name;
	w->fn = fn;
	w->ctx = ctx;
	rc = allocate(w, list, machine);
	rc = rc ? error_memory(err) : import(out, w, pattern, err);
	release(w, list->items);
	return rc;
}
