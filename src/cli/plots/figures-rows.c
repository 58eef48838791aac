/* SPDX-License-Identifier: MIT */
/* Pictures of rows: pies, recipes, changes, lines of code, classes. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "cli/plots/figures.h"

enum { LEVELS = 4, PIES = 12, SHAPES = 3, CHANGES = 12, LINES = 12,
       SERIES = 8, POINTS = 2048 };

static const char *const levels[] = { "L1", "L2", "L3", "DRAM" };
static const char *const level_fields[] = { "l1", "l2", "l3", "dram" };

/* NaN: absent. */
static double number(const struct assay_row *row, const char *name)
{
	const struct assay_field *f = row_find(row, name);

	return !f ? NAN : f->kind == ASSAY_FIELD_COUNT ? (double)f->count :
	       f->kind == ASSAY_FIELD_REAL ? f->real : NAN;
}

static bool is(const struct assay_row *row, const char *type)
{
	return !strcmp(row->type, type);
}

/* Room for bars; false: none is left. */
static bool begin(struct figures *f, struct report_plot *plot, size_t rows,
		  const char *const *part, size_t parts)
{
	plot->bars.row = figures_own(f, rows, sizeof(char *));
	plot->bars.value = figures_own(f, rows * parts, sizeof(double));
	plot->bars.part = part;
	plot->bars.parts = parts;
	return plot->bars.row && plot->bars.value;
}

/* The values of a new row. */
static double *add(struct report_plot *plot, const char *name)
{
	const size_t row = plot->bars.rows++;

	((const char **)plot->bars.row)[row] = name ? name : "";
	return (double *)plot->bars.value + row * plot->bars.parts;
}

/* ---- pies --------------------------------------------------------------- */

/* The shape of a pie's row: rows of one shape follow each other. */
static bool same_shape(const struct assay_row *a, const struct assay_row *b)
{
	for (size_t i = 0; i < a->fields && i < b->fields; i++) {
		const struct assay_field *x = &a->field[i], *y = &b->field[i];

		if (!strcmp(x->name, "file") || !strcmp(x->name, "pie"))
			return true;
		if (x->kind != y->kind || x->count != y->count ||
		    (x->kind == ASSAY_FIELD_TEXT && strcmp(x->text, y->text)))
			return false;
	}
	return true;
}

static const char *pie_name(const struct assay_row *row)
{
	const char *name = row_text(row, "hypothesis");

	return *name ? name : row_text(row, "pie");
}

/* "elements 1024", "size 4 MiB": the first number of the row. */
static char *pie_shape(struct figures *f, const struct assay_row *row)
{
	for (size_t i = 0; i < row->fields; i++) {
		const struct assay_field *field = &row->field[i];
		char text[40];

		if (field->kind != ASSAY_FIELD_COUNT)
			continue;
		if (!strcmp(field->name, "size") ||
		    !strcmp(field->name, "bytes"))
			text_bytes(text, sizeof(text), field->count);
		else
			text_groups(text, sizeof(text), field->count);
		return figures_text(f, "%s %s", field->name, text);
	}
	return figures_text(f, "%s", row_text(row, "run"));
}

/* A pie of which a part is absent is none. */
static bool has_shares(const struct assay_row *row)
{
	double sum = 0;

	for (int i = 0; i < LEVELS; i++)
		sum += fmax(number(row, level_fields[i]), 0) +
		       0 * number(row, level_fields[i]);
	return sum > 0;
}

/* How far the pies of the shape are from its first one, the true one. */
static double spread(const struct run_file *run, size_t from, size_t end)
{
	const struct assay_row *truth = &run->rows.row[from];
	double most = -1;

	for (size_t i = from + 1; i < end; i++)
		for (int k = 0; k < LEVELS; k++) {
			const double far = fabs(
				number(&run->rows.row[i], level_fields[k]) -
				number(truth, level_fields[k])) /
				number(truth, "total");

			most = far > most ? far : most;
		}
	return most;
}

static size_t shape_end(const struct run_file *run, size_t from)
{
	const struct assay_row *row = run->rows.row;
	size_t end = from + 1;

	while (end < run->rows.rows && is(&row[end], "pie") &&
	       same_shape(&row[from], &row[end]))
		end++;
	return end;
}

/* A part below 0 takes no room; the name says so. */
static const char *doubt(const struct assay_row *row)
{
	for (int i = 0; i < LEVELS; i++)
		if (number(row, level_fields[i]) < 0)
			return " (a part below 0)";
	return "";
}

static void pies_of(struct figures *f, const struct run_file *run, size_t from,
		    size_t end)
{
	struct report_plot plot = { .kind = PLOT_PIES, .y_unit = "accesses" };

	if (!begin(f, &plot, PIES, levels, LEVELS))
		return;
	for (size_t i = from; i < end && plot.bars.rows < PIES; i++) {
		const struct assay_row *row = &run->rows.row[i];
		double *value;

		if (!has_shares(row))
			continue;
		value = add(&plot, figures_text(f, "%s%s", pie_name(row),
						doubt(row)));
		for (int k = 0; k < LEVELS; k++)
			value[k] = number(row, level_fields[k]);
	}
	plot.title = figures_text(f, "Who served the accesses, by hypothesis, "
				  "at %s", pie_shape(f, &run->rows.row[from]));
	if (plot.bars.rows > 1)
		figures_add(f, FIGURE_pies, &plot);
}

/* The shapes at which the hypotheses differ most, in their order. */
static void pies(struct figures *f, const struct run_file *run)
{
	double best[SHAPES] = { 0 };

	for (size_t i = 0; i < run->rows.rows; i++) {
		size_t end;
		double far;

		if (!is(&run->rows.row[i], "pie"))
			continue;
		end = shape_end(run, i);
		far = spread(run, i, end);
		for (int k = 0; k < SHAPES; k++)
			if (far > best[k]) {
				const double swap = best[k];

				best[k] = far;
				far = swap;
			}
		i = end - 1;
	}
	for (size_t i = 0, shown = 0; i < run->rows.rows; i++) {
		size_t end;

		if (!is(&run->rows.row[i], "pie"))
			continue;
		end = shape_end(run, i);
		if (shown < SHAPES && best[0] > 0 &&
		    spread(run, i, end) >= best[SHAPES - 1] &&
		    spread(run, i, end) > 0 && ++shown)
			pies_of(f, run, i, end);
		i = end - 1;
	}
}

/* ---- points of a recipe ------------------------------------------------- */

static bool wanted(const struct run_file *run, const char *event)
{
	bool any = false;

	for (size_t i = 0; i < run->rows.rows; i++) {
		if (!is(&run->rows.row[i], "plot"))
			continue;
		any = true;
		if (!strcmp(row_text(&run->rows.row[i], "event"), event))
			return true;
	}
	return !any;
}

static void points_series(struct figures *f, const struct run_file *run,
			  const struct assay_row *first, size_t field,
			  struct report_series *out)
{
	double *x = figures_own(f, POINTS, sizeof(*x));
	double *y = figures_own(f, POINTS, sizeof(*y));
	size_t n = 0;

	for (size_t i = 0; x && y && i < run->rows.rows && n < POINTS; i++) {
		const struct assay_row *row = &run->rows.row[i];

		if (!is(row, "point") || strcmp(row_text(row, "run"),
						row_text(first, "run")))
			continue;
		x[n] = number(row, first->field[1].name);
		y[n++] = number(row, first->field[field].name);
	}
	*out = (struct report_series){
		figures_text(f, "%s", first->field[field].name), x, y, n,
		PLOT_LINE
	};
}

/* Of the first run, whose second field is the size. */
static void points(struct figures *f, const struct run_file *run)
{
	const struct assay_row *first = run_file_row(run, "point");
	struct report_series *series = figures_own(f, SERIES, sizeof(*series));
	struct report_plot plot = { .series = series, .y_unit = "per unit" };

	if (!first || !series || first->fields < 3)
		return;
	for (size_t i = 2; i < first->fields && plot.series_count < SERIES; i++)
		if (wanted(run, first->field[i].name))
			points_series(f, run, first, i,
				      &series[plot.series_count++]);
	plot.x_unit = !strcmp(first->field[1].name, "bytes") ? "bytes" :
		      figures_text(f, "%s", first->field[1].name);
	plot.title = figures_text(f, "Events of %s, by %s",
				  row_text(first, "run"),
				  first->field[1].name);
	figures_add(f, FIGURE_points, &plot);
}

/* ---- changes ------------------------------------------------------------ */

static void change(struct figures *f, const struct run_file *run)
{
	static const char *const parts[] = { "before", "after" };
	struct report_plot plot = {
		.kind = PLOT_BARS, .y_unit = "% of before",
		.title = "Before and after: what changed most",
	};

	if (!begin(f, &plot, CHANGES, parts, 2))
		return;
	for (size_t i = 0; i < run->rows.rows && plot.bars.rows < CHANGES;
	     i++) {
		const struct assay_row *row = &run->rows.row[i];
		const double old = number(row, "old"), new = number(row, "new");
		const char *of = row_text(row, "of");
		double *value;

		if (!is(row, "change") || !(old > 0) || !isfinite(new) ||
		    !strcmp(row_text(row, "state"), "same"))
			continue;
		value = add(&plot, figures_text(f, "%s%s%s", row_text(row,
			"quantity"), *of ? " " : "", of));
		value[0] = 100;
		value[1] = 100 * new / old;
	}
	figures_add(f, FIGURE_change, &plot);
}

/* ---- lines of code ------------------------------------------------------ */

static bool is_total(const struct assay_row *row)
{
	return !strcmp(row_text(row, "function"), "total") ||
	       !strcmp(row_text(row, "object"), "total") ||
	       !strcmp(row_text(row, "data"), "total");
}

static char *line_name(struct figures *f, const struct assay_row *row)
{
	const char *line = row_text(row, "line");
	const char *slash = strrchr(line, '/');
	const char *name = *row_text(row, "function") ?
			   row_text(row, "function") : row_text(row, "data");

	return *line ? figures_text(f, "%s %s", slash ? slash + 1 : line, name)
		     : figures_text(f, "%s", name);
}

/* Rows are sorted by what they cost: "share" is that of each. */
static void lines(struct figures *f, const struct run_file *run)
{
	static const char *const parts[] = { "share" };
	const struct assay_row *model = run_file_row(run, "model");
	struct report_plot plot = { .kind = PLOT_BARS, .y_unit = "%" };

	if (!begin(f, &plot, LINES, parts, 1))
		return;
	for (size_t i = 0; i < run->rows.rows && plot.bars.rows < LINES; i++) {
		const struct assay_row *row = &run->rows.row[i];
		const double share = number(row, "share");

		if (is(row, "blame") && !is_total(row) && share > 0.001)
			*add(&plot, line_name(f, row)) = 100 * share;
	}
	plot.title = figures_text(f, "Code that costs most: share of %s", model
				  ? row_text(model, "sorted_by") : "the count");
	figures_add(f, FIGURE_lines, &plot);
}

/* ---- classes of events -------------------------------------------------- */

static void classes(struct figures *f, const struct run_file *run)
{
	static const char *const parts[] = { "events" };
	struct report_plot plot = {
		.kind = PLOT_BARS, .title = "Events by class",
		.y_unit = "events",
	};

	if (!begin(f, &plot, ASSAY_CLASSES, parts, 1))
		return;
	for (int c = 0; c < ASSAY_CLASSES; c++) {
		const char *name = assay_class_name((enum assay_class)c);
		double n = 0;

		for (size_t i = 0; i < run->rows.rows; i++) {
			const struct assay_row *row = &run->rows.row[i];

			n += (is(row, "event") &&
			      !strcmp(row_text(row, "verdict"), name)) ||
			     (is(row, "judged") &&
			      !strcmp(row_text(row, "class"), name));
		}
		if (n > 0)
			*add(&plot, name) = n;
	}
	figures_add(f, FIGURE_classes, &plot);
}

void figures_of_rows(struct figures *f, const struct run_file *run)
{
	pies(f, run);
	points(f, run);
	change(f, run);
	lines(f, run);
	classes(f, run);
}
