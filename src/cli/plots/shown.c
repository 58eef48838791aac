/* SPDX-License-Identifier: MIT */
/* Runs with their pictures. See shown.h. */
#include "cli/plots/shown.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/inputs.h"

int shown_add(struct shown *s, const struct run_file *run,
	      struct assay_error *err)
{
	const size_t i = s->runs++;
	int rc;

	s->run[i] = *run;
	rc = s->context->settings.source ?
	     inputs_check_sources(&s->context->settings, &run->rows, err) : 0;
	rc = rc ? rc : run_points_make(&s->points[i], s->context, &s->run[i], err);
	if (!rc && figures_make(&s->figures[i], &s->run[i], &s->points[i]))
		rc = error_set(err, -ASSAY_ENOMEM, "out of memory");
	return rc;
}

static int take_row(void *ctx, const struct assay_row *row)
{
	return keep_row(ctx, row);
}

/* Runs that cannot be compared are shown without a comparison. */
static int compare(struct shown *s)
{
	const char *path[SHOWN_RUNS];
	const struct assay_comparison ask = { .source = path,
					      .sources = s->runs };
	struct assay_compared_counts counts;
	int rc;

	for (size_t i = 0; i < s->runs; i++) {
		if (!s->run[i].records)
			return 0;
		path[i] = s->run[i].path;
	}
	s->compared.name = "the comparison";
	rc = assay_compare(s->context->assay, &ask, take_row,
			   &s->compared.rows, &counts, NULL);
	if (rc)
		kept_rows_free(&s->compared.rows);
	return rc == -ASSAY_ENOMEM ? rc : 0;
}

int shown_end(struct shown *s, struct assay_error *err)
{
	const char *name[SHOWN_RUNS];
	int rc;

	if (s->runs < 2)
		return 0;
	for (size_t i = 0; i < s->runs; i++)
		name[i] = s->run[i].name;
	rc = compare(s);
	if (!rc)
		rc = figures_make(&s->beside, &s->compared, NULL);
	figures_of_runs(&s->beside, s->points, name, s->runs);
	return rc || s->beside.no_memory ?
	       error_set(err, -ASSAY_ENOMEM, "out of memory") : 0;
}

void shown_fini(struct shown *s)
{
	for (size_t i = 0; i < s->runs; i++) {
		figures_fini(&s->figures[i]);
		run_points_fini(&s->points[i]);
		run_file_fini(&s->run[i]);
	}
	figures_fini(&s->beside);
	run_file_fini(&s->compared);
}

static const char *const kinds[] = {
#define NAME(name, text) #name,
	FIGURES(NAME)
#undef NAME
};

static size_t take(const struct figures *f, const char *wanted,
		   struct report_plot *out, const char **kind)
{
	size_t n = 0;

	for (size_t i = 0; i < f->plots; i++) {
		if (wanted && strcmp(wanted, kinds[f->kind[i]]))
			continue;
		if (kind)
			kind[n] = kinds[f->kind[i]];
		out[n++] = f->plot[i];
	}
	return n;
}

size_t shown_plots(const struct shown *s, struct report_plot *out,
		   const char **kind)
{
	const char *wanted = s->context->settings.figure;
	size_t n = take(&s->beside, wanted, out, kind);

	for (size_t i = 0; i < s->runs; i++)
		n += take(&s->figures[i], wanted, out + n,
			  kind ? kind + n : NULL);
	return n;
}
