/* SPDX-License-Identifier: MIT */
/* Prints the tour: points that agree, the numbers, and further commands. */
#include "cli/tour/tour.h"

#include <math.h>
#include <stdio.h>
#include <unistd.h>

#include "base/text.h"
#include "cli/rows.h"

#define ELEMENT_BYTES 64
#define LEAST 0.001		/* less, and ratios of less, are noise */
#define NEAR 0.01

/* In messages; as groups of columns, for people and for programs. */
static const struct { const char *text, *people, *group; int decimals; }
values[TOUR_VALUES] = {
	{ "L1D misses", "L1D misses / load", "l1d_miss_ratio", 3 },
	{ "L2 misses", "L2 misses / load", "l2_misses_per_access", 3 },
	{ "cycles", "cycles / load", "cycles_per_access", 1 },
};

/* Why a published value is not reached; see docs/models.md. */
static const struct { uint64_t from, to; enum tour_value v; const char *why; }
reasons[] = {
	{ 32, 32, TOUR_CYCLES, "successive walks of a list this short overlap, "
	  "which the cycle model does not know" },
	{ 32768, 65536, TOUR_L2_MISSES, "the model without prefetchers misses "
	  "more than the core" },
	{ 32768, 65536, TOUR_CYCLES, "these misses cost cycles" },
};

enum tour_place tour_place(const struct tour_point *p, enum tour_value v)
{
	const struct assay_value published = p->published.value[v];
	const double low = p->low.value[v].number;
	const double high = p->high.value[v].number;
	double off;

	if (published.why || p->low.value[v].why)
		return TOUR_UNKNOWN;
	off = fmax(low - published.number, published.number - high);
	if (off <= 0)
		return TOUR_INSIDE;
	return off <= LEAST || off <= NEAR * published.number ? TOUR_NEAR :
	       TOUR_OUTSIDE;
}

static struct assay_field decimal(const char *name, struct assay_value value,
				  int decimals)
{
	if (value.why)
		return value_field(name, value);
	return real_field(name, value.number, decimals);
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

static struct assay_field size_field(const char *name,
				     const struct tour_point *p)
{
	struct assay_field field = field_count(name, p->elements *
					       ELEMENT_BYTES);

	field.flags = ASSAY_FIELD_BYTES;
	return field;
}

#define NAME 64

/* "group|what": columns of one group. */
static const char *grouped(char out[NAME], const char *group, const char *what)
{
	snprintf(out, NAME, "%s|%s", group, what);
	return out;
}

static void show_people(struct report *report, const struct tour_point *p)
{
	static const char *const column[] = { "low", "high", "publ." };
	struct assay_field field[2 + 3 * TOUR_VALUES];
	char name[3 * TOUR_VALUES][NAME];
	size_t n = 0;

	field[n++] = size_field("size", p);
	for (int v = 0; v < TOUR_VALUES; v++) {
		const struct assay_value value[] = {
			p->low.value[v], p->high.value[v],
			p->published.value[v],
		};

		for (int k = 0; k < 3; k++, n++)
			field[n] = decimal(grouped(name[n - 1],
						   values[v].people, column[k]),
					   value[k], values[v].decimals);
	}
	field[n++] = decimal("ns here", p->ns, 1);
	report_row(report, &(struct assay_row){ "tour", field, n });
}

static void show_program(struct report *report, const struct tour_point *p)
{
	static const char *const places[] = { "yes", "near", "no", "unknown" };
	struct assay_field field[5 + 6 * TOUR_VALUES];
	char name[6 * TOUR_VALUES][NAME];
	size_t n = 0, k = 0;

	field[n++] = field_count("elements", p->elements);
	field[n++] = size_field("bytes", p);
	for (int v = 0; v < TOUR_VALUES; v++) {
		const char *group = values[v].group;

		field[n++] = decimal(grouped(name[k++], group, "sim"),
				     p->sim.value[v], 3);
		field[n++] = decimal(grouped(name[k++], group, "published"),
				     p->published.value[v], 3);
		field[n++] = decimal(grouped(name[k++], group, "ratio"),
				     ratio(p->sim.value[v],
					   p->published.value[v]), 2);
	}
	field[n++] = decimal("ns_per_access_here", p->ns, 2);
	field[n++] = field_count("page_maps", p->page_maps);
	for (int v = 0; v < TOUR_VALUES; v++) {
		const char *group = values[v].group;

		field[n++] = decimal(grouped(name[k++], group, "sim_low"),
				     p->low.value[v], 3);
		field[n++] = decimal(grouped(name[k++], group, "sim_high"),
				     p->high.value[v], 3);
		field[n++] = field_text(grouped(name[k++], group, "in_range"),
					places[tour_place(p, v)]);
	}
	report_row(report, &(struct assay_row){ "tour", field, n });
}

/* ---- in words ----------------------------------------------------------- */

static size_t count_places(const struct tour *tour, enum tour_place place)
{
	size_t n = 0;

	for (size_t i = 0; i < tour->points; i++)
		for (int v = 0; v < TOUR_VALUES; v++)
			n += tour_place(&tour->point[i], v) == place;
	return n;
}

static void note_answer(struct report *report, const struct tour *tour)
{
	const size_t inside = count_places(tour, TOUR_INSIDE);
	const size_t near = count_places(tour, TOUR_NEAR);
	const size_t outside = count_places(tour, TOUR_OUTSIDE);

	report_note(report, "%zu of %zu published counts of a pointer chase on "
		    "a Cortex-A72 lie in or near the range of its simulation "
		    "with several page maps (%zu in it, %zu within 1 %% or "
		    "0.001 of it); %zu do not.", inside + near,
		    inside + near + outside, inside, near, outside);
}

static const char *reason_of(const struct tour_point *p, enum tour_value v)
{
	for (size_t i = 0; i < sizeof(reasons) / sizeof(*reasons); i++)
		if (reasons[i].v == v && p->elements >= reasons[i].from &&
		    p->elements <= reasons[i].to)
			return reasons[i].why;
	return "why is not known";
}

static void show_outside(struct report *report, const struct tour_point *p,
			 enum tour_value v)
{
	const struct assay_field field[] = {
		size_field("outside", p),
		field_text("what", values[v].text),
		decimal("low", p->low.value[v], values[v].decimals),
		decimal("high", p->high.value[v], values[v].decimals),
		decimal("publ.", p->published.value[v], values[v].decimals),
		field_text("why", reason_of(p, v)),
	};

	report_row(report, &(struct assay_row){ "outside", field, 6 });
}

static void show_all_outside(struct report *report, const struct tour *tour)
{
	for (size_t i = 0; i < tour->points; i++)
		for (int v = 0; v < TOUR_VALUES; v++)
			if (tour_place(&tour->point[i], v) == TOUR_OUTSIDE)
				show_outside(report, &tour->point[i], v);
	report_flush(report);
}

static void note_columns(struct report *report, const struct tour *tour)
{
	unsigned maps = 0;

	for (size_t i = 0; i < tour->points; i++)
		if (tour->point[i].page_maps > maps)
			maps = tour->point[i].page_maps;
	report_note(report, "\nPer load of a list of 64-byte elements in "
		    "random order. low, high: simulated, the least and the "
		    "most of up to %u page maps. publ.: counted on a Raspberry "
		    "Pi 4. ns here: this machine. Where low and high differ, "
		    "the page map decides how many pages fall into the same "
		    "sets of a cache and evict each other; on the real machine "
		    "each run has such a map, too.", maps);
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

/* The A72's caches from its CPU file, and this machine's caches. */
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
		{ "cycles simulated, page map 1", x, y[0], tour->points, PLOT_LINE },
		{ "cycles published", x, y[1], tour->points, PLOT_LINE },
		{ "ns here", x, y[2], tour->points, PLOT_LINE },
	};
	const struct report_plot plot = {
		.title = "per access, by size of the list",
		.x_unit = "bytes", .y_unit = "", .series = series,
		.series_count = 3, .mark = mark, .marks = find_marks(mark),
	};

	for (size_t i = 0; i < tour->points; i++) {
		const struct tour_point *p = &tour->point[i];

		x[i] = (double)(p->elements * ELEMENT_BYTES);
		y[0][i] = number_or_nan(p->sim.value[TOUR_CYCLES]);
		y[1][i] = number_or_nan(p->published.value[TOUR_CYCLES]);
		y[2][i] = number_or_nan(p->ns);
	}
	report_plot(report, &plot);
}

static void show_for_people(struct context *context, const struct tour *tour)
{
	struct report *report = context->report;

	note_answer(report, tour);
	note_columns(report, tour);
	for (size_t i = 0; i < tour->points; i++)
		show_people(report, &tour->point[i]);
	report_flush(report);
	show_all_outside(report, tour);
	if (context->settings.verbose)
		show_plot(report, tour);
	report_note(report, "\nnext:\n"
		    "  assay tour -v                             the same with "
		    "a plot\n"
		    "  assay doctor                              what this "
		    "machine can count, and why\n"
		    "  assay judge arm-pies --on sim:cortex-a76  which of the "
		    "formulas is right?\n");
}

void tour_show(struct context *context, const struct tour *tour)
{
	if (report_has(context->report, REPORT_PROSE)) {
		show_for_people(context, tour);
		return;
	}
	for (size_t i = 0; i < tour->points; i++)
		show_program(context->report, &tour->point[i]);
	report_flush(context->report);
}
