/* SPDX-License-Identifier: MIT */
/*
 * Writes the text of a formula file, metric by metric. Each metric is first
 * tried in a file of its own, so that a metric that cannot be imported does not
 * spoil the others. See import.h.
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

enum { MOST = LOADER_FORMULAS };

struct imported {
	char name[ASSAY_NAME];
	char *is;		/* the translated expression; owned */
	const struct metric_item *from;
	int claims;		/* a quantity; -1: none */
};

struct importer {
	struct import import;
	struct imported metric[MOST];
	unsigned metrics;
	struct import_rate rate[MOST];	/* numerators of rates */
	unsigned rates;
	const char *name;
	assay_row_fn *fn;
	void *ctx;
};

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

static void put_head(FILE *out, const struct importer *w)
{
	const struct metric_list *list = w->import.list;
	const struct cpu *cpu = w->import.cpu;
	char source[200];

	snprintf(source, sizeof(source), "imported from %s: %.100s",
		 !strcmp(list->format, "perf") ? "a metric file of perf" :
		 "a group of likwid", w->name);
	fputs("# Made by assay formulas import. Nobody has checked it.\n"
	      "schema: assay-formulas/1\n", out);
	member(out, "name: ", w->name);
	member(out, "title: ", *list->title ? list->title : source);
	member(out, "source: ", source);
	fputs("cpus: [", out);
	quoted(out, cpu ? cpu->name : "*");
	fputs("]\n\nevents:\n", out);
}

static void put_operands(FILE *out, const struct import *im)
{
	for (unsigned i = 0; i < im->operands; i++) {
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

/* The text of a file with all imported metrics, or `only` one; for free(). */
static char *write_file(const struct importer *w, const struct imported *only,
			const struct import *operands)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	if (!out)
		return NULL;
	put_head(out, w);
	put_operands(out, operands);
	fputs("\nformulas:\n", out);
	if (only)
		put_metric(out, only);
	for (unsigned i = 0; !only && i < w->metrics; i++)
		put_metric(out, &w->metric[i]);
	if (fclose(out)) {
		free(text);
		return NULL;
	}
	return text;
}

/* ---- one metric --------------------------------------------------------- */

static bool is_name_used(const struct importer *w, const char *name)
{
	for (unsigned i = 0; i < w->metrics; i++)
		if (!strcmp(w->metric[i].name, name))
			return true;
	for (unsigned i = 0; i < w->import.operands; i++)
		if (!strcmp(w->import.operand[i].name, name))
			return true;
	return assay_quantity_find(name) >= 0;
}

/* import.avoid: no operand may have the name of a metric. */
static bool is_metric(const void *ctx, const char *name)
{
	const struct importer *w = ctx;

	for (unsigned i = 0; i <= w->metrics && i < MOST; i++)
		if (!strcmp(w->metric[i].name, name))
			return true;
	return false;
}

static void choose_name(const struct importer *w, char out[ASSAY_NAME],
			const char *text)
{
	char base[ASSAY_NAME];

	import_name(base, text);
	for (char *c = base; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	snprintf(out, ASSAY_NAME, "%s", base);
	for (int n = 2; is_name_used(w, out); n++)
		snprintf(out, ASSAY_NAME, "%.50s_%d", base, n);
}

/* Is the metric a valid formula by itself? alone: scratch memory. */
static bool is_formula(struct importer *w, struct imported *t,
		       struct import *alone)
{
	struct formula_file *file = NULL;
	struct assay_error err = { 0 };
	char *text;
	int rc;

	memset(alone, 0, sizeof(*alone));
	alone->list = w->import.list;
	alone->cpu = w->import.cpu;
	alone->avoid = w->import.avoid;
	alone->ctx = w;
	if (!import_expression(alone, t->from->expression))
		return import_fail(&w->import, "%s", alone->why);
	if (!alone->operands)
		return import_fail(&w->import, "the metric has no event");
	free(t->is);
	t->is = strdup(alone->text);
	text = t->is ? write_file(w, t, alone) : NULL;
	if (!text)
		return import_fail(&w->import, "out of memory");
	rc = formula_parse(&file, "metric", text, strlen(text), NULL, &err);
	free(text);
	if (rc < 0) {
		const char *why = strstr(err.text, "error: ");

		err.text[strcspn(err.text, "\n")] = '\0';
		return import_fail(&w->import, "%.150s",
				   why ? why + 7 : err.text);
	}
	formula_free(file);
	return true;
}

static int report_metric(const struct importer *w,
			 const struct metric_item *item,
			 const struct imported *t)
{
	const struct assay_field field[] = {
		field_text("metric", item->name),
		field_text("name", t ? t->name : ""),
		t ? field_text("is", t->is) :
		    (struct assay_field){ .name = "is", .text = w->import.why,
					  .kind = ASSAY_FIELD_ABSENT },
		field_text("claims", t && t->claims >= 0 ?
			   assay_quantity_name(t->claims) : ""),
	};

	return row_emit(w->fn, w->ctx, "metric", field, 4);
}

static int add_metric(struct importer *w, const struct metric_item *item,
		      struct import *alone)
{
	const unsigned before = w->import.operands;
	struct imported *t = &w->metric[w->metrics];
	bool fine = false;

	w->import.why[0] = '\0';
	*t = (struct imported){ .from = item, .claims = -1 };
	if (w->metrics == MOST - 1)
		import_fail(&w->import, "a file has at most %d formulas",
			    MOST);
	else if (choose_name(w, t->name, item->name), is_formula(w, t, alone))
		fine = import_expression(&w->import, item->expression);
	free(t->is);
	t->is = fine ? strdup(w->import.text) : NULL;
	if (!t->is) {
		w->import.operands = before;
		return report_metric(w, item, NULL);
	}
	t->claims = import_claim(item, t->is);
	w->metrics++;
	return report_metric(w, item, t);
}

/* Was a metric with the same claim imported? True also without a claim. */
static bool is_claimed(const struct importer *w, const struct metric_item *item)
{
	const int about = import_claim(item, "");

	for (unsigned i = 0; i < w->metrics; i++)
		if (w->metric[i].claims == about)
			return true;
	return about < 0;
}

/* A rate is no quantity, but its numerator may be one: imports that as well. */
static int add_numerator(struct importer *w, const struct metric_item *item,
			  struct import *alone)
{
	struct import_rate *r = &w->rate[w->rates];

	if (w->rates == MOST - 1 || !import_numerator(r, item) ||
	    is_claimed(w, &r->item))
		return 0;
	w->rates++;
	return add_metric(w, &r->item, alone);
}

static int add_all(struct importer *w, const char *pattern)
{
	struct import *alone = malloc(sizeof(*alone));
	const struct metric_list *list = w->import.list;
	int rc = alone ? 0 : -ASSAY_ENOMEM;

	for (size_t i = 0; i < list->items && !rc; i++)
		if (!pattern || strcasestr(list->item[i].name, pattern))
			rc = add_metric(w, &list->item[i], alone);
	/* numerators last, because a metric may already be that count */
	for (size_t i = 0; i < list->items && !rc; i++)
		if (!pattern || strcasestr(list->item[i].name, pattern))
			rc = add_numerator(w, &list->item[i], alone);
	free(alone);
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

		if (!o->unknown)
			continue;
		snprintf(why, sizeof(why), "no event of the file of %.60s",
			 w->import.cpu->name);
		rc = row_emit(w->fn, w->ctx, "unknown", field, 2);
	}
	return rc;
}

/* Writes the complete file and checks that it can be loaded. */
static int finish(char **out, struct importer *w, struct assay_error *err)
{
	struct formula_file *file;
	char *text = write_file(w, NULL, &w->import);
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

int formulas_import(char **out, const struct metric_list *list,
		    const char *name, const char *pattern,
		    const struct cpu *cpu, assay_row_fn *fn, void *ctx,
		    struct assay_error *err)
{
	struct importer *w = calloc(1, sizeof(*w));
	int rc;

	if (!w)
		return error_memory(err);
	w->import.list = list;
	w->import.cpu = cpu;
	w->import.avoid = is_metric;
	w->import.ctx = w;
	w->name = name;
	w->fn = fn;
	w->ctx = ctx;
	rc = add_all(w, pattern);
	if (!rc)
		rc = report_unknown(w);
	if (rc)
		rc = error_set(err, rc < 0 ? rc : -ASSAY_ESTOP, "stopped");
	else if (!w->metrics)
		rc = error_set(err, -ASSAY_EINVAL, "no metric%s%.40s%s can "
			       "be imported", pattern ? " with '" : "",
			       pattern ? pattern : "",
			       pattern ? "' in its name" : "");
	else
		rc = finish(out, w, err);
	for (unsigned i = 0; i < w->metrics; i++)
		free(w->metric[i].is);
	free(w);
	return rc;
}
