/* SPDX-License-Identifier: MIT */
/* Pictures of kernels' records over the option that varies. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "cli/plots/figures.h"
#include "cli/plots/run-points.h"

enum { SERIES = 8 };

/* Series over x, under construction. */
struct curves {
	struct figures *figures;
	const struct run_points *points;
	struct report_series *series;
	size_t n;
	double *x;
};

static bool begin(struct curves *c, struct figures *f,
		  const struct run_points *points)
{
	*c = (struct curves){ f, points, NULL, 0, NULL };
	c->series = figures_own(f, SERIES, sizeof(*c->series));
	c->x = figures_own(f, points->points, sizeof(*c->x));
	for (size_t i = 0; c->x && i < points->points; i++)
		c->x[i] = points->point[i].x;
	return c->series && c->x;
}

/* The values of a new series, NaN; NULL: there is no room for one. */
static double *add(struct curves *c, const char *name, enum plot_look look)
{
	double *y = c->n < SERIES ? figures_own(c->figures, c->points->points,
						sizeof(*y)) : NULL;

	if (!y)
		return NULL;
	for (size_t i = 0; i < c->points->points; i++)
		y[i] = NAN;
	c->series[c->n++] = (struct report_series){
		name, c->x, y, c->points->points, look
	};
	return y;
}

/* Drops the last series if it has no value. */
static void drop_empty(struct curves *c, const double *y)
{
	for (size_t i = 0; i < c->points->points; i++)
		if (isfinite(y[i]))
			return;
	c->n--;
}

static void end(const struct curves *c, enum figure kind, const char *title,
		const char *y_unit)
{
	const struct run_points *p = c->points;
	const struct report_plot plot = {
		.title = title,
		.x_unit = p->x_bytes ? "bytes" : p->x_name,
		.y_unit = y_unit,
		.series = c->series, .series_count = c->n,
		.mark = p->mark, .marks = p->marks,
	};

	figures_add(c->figures, kind, &plot);
}

static const char *where(const struct run_points *points)
{
	return points->record->machine.cpu;
}

/* ---- latency ------------------------------------------------------------ */

/* Of simulators cycles per access are those of an event of cycles. */
static double counted_cycles(const struct run_point *p)
{
	return !isnan(p->cycles) ? p->cycles :
	       p->measured[ASSAY_Q_cycles] / p->accesses;
}

static double cycles_of(const struct run_point *p)
{
	return isnan(counted_cycles(p)) ? p->modelled : counted_cycles(p);
}

static void latency(struct figures *f, const struct run_points *points)
{
	const bool sim = !strcmp(points->record->provider, "sim");
	struct curves c;
	double *y;

	if (!begin(&c, f, points))
		return;
	for (int ns = 0; ns < 2; ns++) {
		y = add(&c, ns ? "measured, ns" : sim ? "simulated, cycles" :
			"measured, cycles", PLOT_LINE);
		for (size_t i = 0; y && i < points->points; i++)
			y[i] = ns ? points->point[i].ns :
				    counted_cycles(&points->point[i]);
		if (y)
			drop_empty(&c, y);
	}
	y = add(&c, "by the CPU file's costs, cycles", PLOT_LINE);
	for (size_t i = 0; y && i < points->points; i++)
		y[i] = sim && !isnan(counted_cycles(&points->point[i])) ? NAN :
		       points->point[i].modelled;	/* not twice */
	if (y)
		drop_empty(&c, y);
	end(&c, FIGURE_latency, figures_text(f, "Time per access of %s on %s",
					     points->record->shape.kernel,
					     where(points)), "per access");
}

/* ---- events ------------------------------------------------------------- */

static void events(struct figures *f, const struct run_points *points)
{
	const struct assay_record *record = points->record;
	struct curves c;

	if (!begin(&c, f, points))
		return;
	for (unsigned e = 0; e < record->events; e++) {
		double *y = add(&c, figures_text(f, "%s",
						 record->event[e].name),
				PLOT_LINE);

		for (size_t i = 0; y && i < points->points; i++)
			y[i] = points->point[i].event[e] /
			       points->point[i].accesses;
		if (y)
			drop_empty(&c, y);
	}
	end(&c, FIGURE_events, figures_text(f, "Events per access of %s on %s",
					    record->shape.kernel,
					    where(points)), "per access");
}

/* ---- counted beside calculated ------------------------------------------ */

static bool has_both(const struct run_points *points, int q)
{
	size_t both = 0;

	for (size_t i = 0; i < points->points; i++)
		both += !isnan(points->point[i].measured[q]) &&
			!isnan(points->point[i].predicted[q]) &&
			points->point[i].predicted[q] > 0;
	return both > 1;
}

/* Counted or simulated points on the calculated line, for three quantities. */
static void calculated(struct figures *f, const struct run_points *points)
{
	struct curves c;

	if (!begin(&c, f, points))
		return;
	for (int q = 0; q < ASSAY_QUANTITIES && c.n < 6; q++) {
		const char *name = assay_quantity_name((enum assay_quantity)q);
		double *is, *said;

		if (!has_both(points, q) || q == ASSAY_Q_cycles)
			continue;
		said = add(&c, figures_text(f, "%s calculated", name),
			   PLOT_LINE);
		is = add(&c, figures_text(f, "%s %s", name, points->point[0].
					  simulated[q] ? "simulated" :
					  "counted"), PLOT_POINTS);
		for (size_t i = 0; is && said && i < points->points; i++) {
			is[i] = points->point[i].measured[q] /
				points->point[i].accesses;
			said[i] = points->point[i].predicted[q] /
				  points->point[i].accesses;
		}
	}
	end(&c, FIGURE_calculated, figures_text(f, "Counted beside calculated,"
						" %s on %s", points->record->
						shape.kernel, where(points)),
	    "per access");
}

/* ---- who served the accesses -------------------------------------------- */

static const char *const levels[] = { "L1", "L2", "L3", "DRAM" };

static char *size_text(struct figures *f, const struct run_points *points,
		       double x)
{
	char text[40];

	if (!points->x_bytes)
		return figures_text(f, "%s %.0f", points->x_name, x);
	text_about_bytes(text, sizeof(text), x);
	return figures_text(f, "%s", text);
}

static void served(struct figures *f, const struct run_points *points)
{
	const char **row = figures_own(f, points->points, sizeof(*row));
	double *value = figures_own(f, points->points * POINT_LEVELS,
				    sizeof(*value));
	struct report_plot plot = {
		.kind = PLOT_SHARES, .y_unit = "accesses",
		.bars = { .row = row, .part = levels, .parts = POINT_LEVELS,
			  .value = value },
	};

	for (size_t i = 0; row && value && i < points->points; i++) {
		const struct run_point *p = &points->point[i];

		if (isnan(p->served[0]))
			continue;
		row[plot.bars.rows] = size_text(f, points, p->x);
		memcpy(value + plot.bars.rows++ * POINT_LEVELS, p->served,
		       sizeof(p->served));
	}
	plot.title = figures_text(f, "Who served the accesses of %s on %s",
				  points->record->shape.kernel, where(points));
	figures_add(f, FIGURE_served, &plot);
}

/* ---- instructions per cycle --------------------------------------------- */

static void ipc(struct figures *f, const struct run_points *points)
{
	struct curves c;
	double *y = begin(&c, f, points) ? add(&c, "instructions per cycle",
					       PLOT_LINE) : NULL;

	for (size_t i = 0; y && i < points->points; i++)
		y[i] = points->point[i].measured[ASSAY_Q_instructions] /
		       points->point[i].measured[ASSAY_Q_cycles];
	if (y)
		drop_empty(&c, y);
	end(&c, FIGURE_ipc, figures_text(f, "Instructions per cycle of %s on "
					 "%s", points->record->shape.kernel,
					 where(points)), "");
}

void figures_of_points(struct figures *f, const struct run_points *points)
{
	if (!points->record || !points->x_name)
		return;
	latency(f, points);
	events(f, points);
	calculated(f, points);
	served(f, points);
	ipc(f, points);
}

/* ---- several runs ------------------------------------------------------- */

static bool all_known(const struct run_points *all, size_t n, bool cycles)
{
	for (size_t r = 0; r < n; r++) {
		size_t known = 0;

		for (size_t i = 0; i < all[r].points; i++)
			known += !isnan(cycles ? cycles_of(&all[r].point[i]) :
						 all[r].point[i].ns);
		if (!known || !all[r].x_name)
			return false;
	}
	return n > 1;
}

void figures_of_runs(struct figures *f, const struct run_points *all,
		     const char *const *name, size_t n)
{
	const bool cycles = all_known(all, n, true);
	struct curves c;
	struct report_series *series = figures_own(f, SERIES, sizeof(*series));
	size_t kept = 0;

	if (!series || (!cycles && !all_known(all, n, false)))
		return;
	for (size_t r = 0; r < n && kept < SERIES; r++) {
		double *y = begin(&c, f, &all[r]) ?
			    add(&c, name[r], PLOT_LINE) : NULL;

		for (size_t i = 0; y && i < all[r].points; i++)
			y[i] = cycles ? cycles_of(&all[r].point[i]) :
					all[r].point[i].ns;
		if (y)
			series[kept++] = c.series[0];
	}
	c.series = series;
	c.n = kept;
	c.points = all;
	end(&c, FIGURE_latency, "Time per access, run beside run",
	    cycles ? "core cycles" : "ns");
}
