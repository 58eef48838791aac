/* SPDX-License-Identifier: MIT */
/* Formula files as rows: all of them, or all about one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/formulas/formula-file.h"
#include "base/row.h"
#include "base/text.h"
#include "cpus/data-file.h"

#define FIELDS(array) array, sizeof(array) / sizeof(*(array))

enum { JOINED = 256 };

static void join(char *out, size_t room, const char *const *words)
{
	size_t used = 0;

	*out = '\0';
	for (int i = 0; words[i] && used + 2 < room; i++) {
		used += (size_t)snprintf(out + used, room - used, "%s%s",
					 i ? ", " : "", words[i]);
	}
}

static int list_one(const struct formula_file *f, assay_row_fn *fn, void *ctx)
{
	char cpus[JOINED], variants[JOINED];

	join(cpus, sizeof(cpus), f->cpu);
	join(variants, sizeof(variants), f->variant);
	const struct assay_field field[] = {
		field_text("name", f->name), field_text("title", f->title),
		field_text("cpus", cpus), field_text("variants", variants),
		field_count("formulas", f->formulas),
		field_count("hypotheses", f->hypotheses),
		field_count("events", f->events),
		field_detail("source", f->source),
		field_detail("file", f->file),
	};

	return row_emit(fn, ctx, "formulas", FIELDS(field));
}

int formula_list(const char *data_dir, assay_row_fn *fn, void *ctx,
		 struct assay_error *err)
{
	struct formula_file *file;
	const char **names;
	int rc = data_file_names(&names, "formulas", data_dir, err);

	if (rc < 0)
		return rc;
	for (int i = 0; names[i] && rc == 0; i++) {
		rc = formula_load(&file, names[i], NULL, data_dir, err);
		if (rc < 0)
			break;
		rc = list_one(file, fn, ctx);
		formula_free(file);
	}
	free(names);
	return rc;
}

static int describe_formula(const struct formula_file *file,
			    const struct formula *f, assay_row_fn *fn,
			    void *ctx)
{
	const bool metric = f->quantity < 0;
	const struct assay_field field[] = {
		field_text("kind", metric ? "metric" : "quantity"),
		field_text("name", f->name), field_text("is", f->text),
		field_text("differs", f->differs),
		field_detail("unit", metric ? "" :
			     assay_quantity_unit(f->quantity)),
		field_text("checked", *f->checked ? f->checked : "never"),
		field_detail("warning", f->warning),
		field_detail("note", f->note),
		field_detail("source", f->source),
		field_detail("file", file->name),
	};

	return row_emit(fn, ctx, "formula", FIELDS(field));
}

static int describe_part(const struct hypothesis *h, int part,
			 assay_row_fn *fn, void *ctx)
{
	const struct assay_field field[] = {
		field_text("hypothesis", h->name),
		field_text("part", h->part[part].name),
		field_text("is", h->part[part].text),
		field_detail("title", h->title), field_detail("note", h->note),
		field_detail("source", h->source),
	};

	return row_emit(fn, ctx, "hypothesis", FIELDS(field));
}

static int describe_event(const char *event, const struct formula_file *file,
			  assay_row_fn *fn, void *ctx)
{
	const struct assay_field field[] = {
		field_text("event", event), field_text("variant", file->chosen),
		field_detail("file", file->name),
	};

	return row_emit(fn, ctx, "operand", FIELDS(field));
}

int formula_describe(const struct formula_file *file, assay_row_fn *fn,
		     void *ctx)
{
	int rc = list_one(file, fn, ctx);

	for (size_t i = 0; i < file->events && rc == 0; i++)
		rc = describe_event(file->event[i], file, fn, ctx);
	for (size_t i = 0; i < file->formulas && rc == 0; i++)
		rc = describe_formula(file, &file->formula[i], fn, ctx);
	for (size_t i = 0; i < file->hypotheses && rc == 0; i++)
		for (int part = 0; part < PIE_PARTS && rc == 0; part++)
			rc = describe_part(&file->hypothesis[i], part, fn,
					   ctx);
	return rc;
}
