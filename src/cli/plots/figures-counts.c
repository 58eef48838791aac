/* SPDX-License-Identifier: MIT */
/*
 * Pictures of single records, one bar each: instructions per cycle, and misses
 * per access of a cache. The events are known by their names: instructions and
 * cycles of perf and of Arm, and "X_REFILL" or "X_MISS" beside "X".
 */
#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "cli/plots/figures.h"

enum { RUNS = 24, PAIRS = 6 };

static double value(const struct assay_record *r, unsigned event)
{
	const struct assay_value v = assay_record_value(r, event);

	return v.why ? NAN : v.number;
}

const char *const figure_instructions[] = {
	"INST_RETIRED", "instructions", "instructions:u", "INST_RETIRED.ANY",
	NULL
};
const char *const figure_cycles[] = {
	"CPU_CYCLES", "cycles", "cycles:u", "cpu-cycles",
	"CPU_CLK_UNHALTED.THREAD", NULL
};

double figure_count(const struct assay_record *r, const char *const *name)
{
	for (; *name; name++) {
		const int e = assay_record_find(r, *name);

		if (e >= 0 && !isnan(value(r, (unsigned)e)))
			return value(r, (unsigned)e);
	}
	return NAN;
}

/* Has another record another value of the option? */
static bool differs(const struct run_file *run,
		    const struct assay_shape_value *v)
{
	for (size_t i = 0; i < run->records; i++) {
		const struct assay_shape *shape = &run->record[i]->shape;
		const int k = assay_shape_find(shape, v->name);

		if (k >= 0 && (shape->option[k].value != v->value ||
			       strcmp(shape->option[k].word, v->word)))
			return true;
	}
	return false;
}

/* What tells the record from the others; a program's name and arguments. */
static char *record_name(struct figures *f, const struct run_file *run,
			 size_t i)
{
	const struct assay_record *r = run->record[i];
	struct assay_shape part = r->shape;
	char shape[300];

	if (!strcmp(r->shape.kernel, "program"))
		return figures_text(f, "%s", r->settings.options);
	part.options = 0;
	for (unsigned k = 0; k < r->shape.options; k++)
		if (differs(run, &r->shape.option[k]))
			part.option[part.options++] = r->shape.option[k];
	shape_text(shape, sizeof(shape), &part);
	return figures_text(f, "%s %s", r->shape.kernel, shape);
}

static void ipc(struct figures *f, const struct run_file *run)
{
	static const char *const parts[] = { "instructions per cycle" };
	const char **row = figures_own(f, RUNS, sizeof(*row));
	double *ratio = figures_own(f, RUNS, sizeof(*ratio));
	struct report_plot plot = {
		.kind = PLOT_BARS, .title = "Instructions per cycle",
		.bars = { row, 0, parts, 1, ratio },
	};

	for (size_t i = 0; row && ratio && i < run->records &&
	     plot.bars.rows < RUNS; i++) {
		const struct assay_record *r = run->record[i];
		const double is = figure_count(r, figure_instructions) /
				  figure_count(r, figure_cycles);

		if (!isfinite(is))
			continue;
		ratio[plot.bars.rows] = is;
		row[plot.bars.rows++] = record_name(f, run, i);
	}
	figures_add(f, FIGURE_ipc, &plot);
}

/* "L1D_CACHE_REFILL_LD" without "_REFILL" is the event of its lookups. */
static int lookups_of(const struct assay_record *r, const char *misses)
{
	static const char *const part[] = { "_REFILL", "_MISS", "MIS_" };
	char name[ASSAY_NAME];

	for (size_t i = 0; i < sizeof(part) / sizeof(*part); i++) {
		const char *at = strstr(misses, part[i]);
		int found;

		if (!at)
			continue;
		snprintf(name, sizeof(name), "%.*s%s", (int)(at - misses),
			 misses, at + strlen(part[i]));
		found = assay_record_find(r, name);
		if (found >= 0)
			return found;
	}
	return strcasecmp(misses, "cache-misses") ? -1 :
	       assay_record_find(r, "cache-references");
}

static double miss_ratio(const struct assay_record *r, const char *misses)
{
	const int miss = assay_record_find(r, misses);
	const int lookup = miss < 0 ? -1 : lookups_of(r, misses);

	return lookup < 0 ? NAN : value(r, (unsigned)miss) /
				  value(r, (unsigned)lookup);
}

/* The events of misses that the first record has. */
static size_t find_pairs(struct figures *f, const struct assay_record *r,
			 const char **part)
{
	size_t n = 0;

	for (unsigned e = 0; e < r->events && n < PAIRS; e++)
		if (lookups_of(r, r->event[e].name) >= 0)
			part[n++] = figures_text(f, "%s", r->event[e].name);
	return n;
}

static void misses(struct figures *f, const struct run_file *run)
{
	const char **part = figures_own(f, PAIRS, sizeof(*part));
	const char **row = figures_own(f, RUNS, sizeof(*row));
	double *ratio = figures_own(f, RUNS * PAIRS, sizeof(*ratio));
	struct report_plot plot = {
		.kind = PLOT_BARS, .y_unit = "% of the lookups",
		.title = "Misses per access of a cache",
		.bars = { row, 0, part, 0, ratio },
	};

	if (!part || !row || !ratio || !run->records)
		return;
	plot.bars.parts = find_pairs(f, run->record[0], part);
	for (size_t i = 0; i < run->records && plot.bars.rows < RUNS; i++) {
		double *to = ratio + plot.bars.rows * plot.bars.parts;
		bool any = false;

		for (size_t k = 0; k < plot.bars.parts; k++) {
			to[k] = 100 * miss_ratio(run->record[i], part[k]);
			any |= isfinite(to[k]);
		}
		if (any)
			row[plot.bars.rows++] = record_name(f, run, i);
	}
	if (plot.bars.parts)
		figures_add(f, FIGURE_misses, &plot);
}

void figures_of_counts(struct figures *f, const struct run_file *run)
{
	ipc(f, run);
	misses(f, run);
}
