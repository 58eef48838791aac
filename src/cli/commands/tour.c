/* SPDX-License-Identifier: MIT */
/* Showing the tour: one table, one plot, and where to go from here. */
#include "cli/commands/tour.h"

#include <math.h>
#include <unistd.h>

#include "cli/rows.h"

#define ELEMENT_BYTES 64
#define LEAST 0.001		/* ratios of smaller numbers are noise */

/* Column names, for people and for programs. */
struct trio { const char *sim, *published, *ratio; };
static const struct trio trios[2][3] = {
	{ { "l1d_miss_ratio|sim", "l1d_miss_ratio|published",
	    "l1d_miss_ratio|ratio" },
	  { "l2_misses_per_access|sim", "l2_misses_per_access|published",
	    "l2_misses_per_access|ratio" },
	  { "cycles_per_access|sim", "cycles_per_access|published",
	    "cycles_per_access|ratio" } },
	{ { "L1D miss ratio|sim", "L1D miss ratio|publ.",
	    "L1D miss ratio|ratio" },
	  { "L2 misses / access|sim", "L2 misses / access|publ.",
	    "L2 misses / access|ratio" },
	  { "cycles / access|sim", "cycles / access|publ.",
	    "cycles / access|ratio" } },
};

static struct assay_field decimal(const char *name, struct assay_value value,
				  int decimals)
{
	if (value.why)
		return value_field(name, value, NULL);
	return real_field(name, value.number, decimals, NULL);
}

static struct assay_value ratio(struct assay_value sim,
				struct assay_value published)
{
	if (sim.why || published.why)
		return sim.why ? sim : published;
	if (fabs(published.number) < LEAST)
		return (struct assay_value){
			.why = "published as less than 0.001" };
	sim.number /= published.number;
	return sim;
}

static void add_trio(struct assay_field *out, const struct trio *names,
		     struct assay_value sim, struct assay_value published,
		     int decimals)
{
	out[0] = decimal(names->sim, sim, decimals);
	out[1] = decimal(names->published, published, decimals);
	out[2] = decimal(names->ratio, ratio(sim, published), 2);
}

static void show_row(struct report *report, const struct tour_point *p,
		     bool people)
{
	const struct trio *names = trios[people];
	struct assay_field field[12];
	size_t n = 0;

	if (!people)
		field[n++] = count_field("elements", p->elements, NULL);
	field[n] = count_field(people ? "size" : "bytes",
			       p->elements * ELEMENT_BYTES, NULL);
	field[n++].flags = ASSAY_FIELD_BYTES;
	add_trio(field + n, &names[0], p->sim.l1d_ratio,
		 p->published.l1d_ratio, 3);
	add_trio(field + n + 3, &names[1], p->sim.l2_misses,
		 p->published.l2_misses, 3);
	add_trio(field + n + 6, &names[2], p->sim.cycles,
		 p->published.cycles, 2);
	n += 9;
	field[n++] = decimal(people ? "ns here" : "ns_per_access_here",
			     p->ns, 2);
	report_row(report, &(struct assay_row){ "tour", field, n });
}

/* ---- the plot ----------------------------------------------------------- */

static double number_or_nan(struct assay_value value)
{
	return value.why ? NAN : value.number;
}

static size_t cache_mark(struct report_mark *out, const char *name, long bytes)
{
	if (bytes <= 0)
		return 0;
	*out = (struct report_mark){ (double)bytes, name };
	return 1;
}

/* The A72's caches as its CPU file has them, and those of this machine. */
static size_t find_marks(struct report_mark *mark)
{
	size_t n = 0;

	n += cache_mark(mark + n, "A72 L1D", 32 << 10);
	n += cache_mark(mark + n, "A72 L2", 1 << 20);
	n += cache_mark(mark + n, "L1D here",
			sysconf(_SC_LEVEL1_DCACHE_SIZE));
	n += cache_mark(mark + n, "L2 here", sysconf(_SC_LEVEL2_CACHE_SIZE));
	n += cache_mark(mark + n, "L3 here", sysconf(_SC_LEVEL3_CACHE_SIZE));
	return n;
}

static void show_plot(struct report *report, const struct tour *tour)
{
	double x[TOUR_POINTS], y[3][TOUR_POINTS];
	struct report_mark mark[5];
	const struct report_series series[] = {
		{ "cycles simulated", x, y[0], tour->points },
		{ "cycles published", x, y[1], tour->points },
		{ "ns here", x, y[2], tour->points },
	};
	const struct report_plot plot = {
		.title = "per access, by size of the list",
		.x_unit = "bytes", .y_unit = "", .series = series,
		.series_count = 3, .mark = mark, .marks = find_marks(mark),
	};

	for (size_t i = 0; i < tour->points; i++) {
		const struct tour_point *p = &tour->point[i];

		x[i] = (double)(p->elements * ELEMENT_BYTES);
		y[0][i] = number_or_nan(p->sim.cycles);
		y[1][i] = number_or_nan(p->published.cycles);
		y[2][i] = number_or_nan(p->ns);
	}
	report_plot(report, &plot);
}

void tour_show(struct context *context, const struct tour *tour)
{
	struct report *report = context->report;
	bool people = report_has(context->report, REPORT_PROSE);

	if (people)
		report_note(report, "A list of 64-byte elements in random "
			    "order, walked for 268 435 456 accesses. sim: "
			    "simulated counters of a Cortex-A72. publ.: what "
			    "was published for the real one (Raspberry Pi 4). "
			    "ratio: sim / publ. ns here: time per access on "
			    "this machine.");
	for (size_t i = 0; i < tour->points; i++)
		show_row(report, &tour->point[i], people);
	report_flush(report);
	if (!people)
		return;
	show_plot(report, tour);
	report_note(report, "\nnext:\n"
		    "  assay doctor\n"
		    "      what this machine can count, and why not the rest\n"
		    "  assay sweep random --on sim:cortex-a76 --bytes 4K..16M "
		    "--accesses 1M --formulas arm-pies\n"
		    "      five formulas for the same hits: which one tells "
		    "the truth?\n");
}
