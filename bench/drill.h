/* SPDX-License-Identifier: MIT */
/* The fault drill's parts; what it does is told in drill.c. */
#ifndef BENCH_DRILL_H
#define BENCH_DRILL_H

#include <time.h>

#include "analysis/fit/fit.h"
#include "verify/panel.h"
#include "run/target.h"
#include "counters/fault.h"

enum { REPEATS = 2, MOST_SHAPES = 256, MISSES_SHOWN = 20 };

/* Simulated once: a CPU on a page map. */
struct base {
	struct target target;
	unsigned seed;
	size_t shapes;
	struct {
		char kernel[24], text[160];
		uint64_t signal[REPEATS][SIGNALS];
	} shape[MOST_SHAPES];
	struct panel clean;
};

/* Through the judge of intervals. */
struct interval_score {
	unsigned planted, found;	/* events that lie; those that fail */
	unsigned clean, accused;	/* events that do not, and that fail */
};

/* Nothing but numbers: it is kept as it is. */
struct score {
	unsigned drawn[FAULTS], shown[FAULTS], tied[FAULTS];
	unsigned confusion[FAULTS][FIT_KINDS];
	unsigned named, missed, accused;
	unsigned free_panels, free_runs, free_events, free_accused;
	unsigned lent, lent_missed;
	unsigned classes[FAULTS][ASSAY_CLASSES];	/* with margins 0 */
	struct interval_score exact, noisy;
};
enum { SCORES = sizeof(struct score) / sizeof(unsigned) };

struct drill {
	struct assay *assay;
	struct base *base;
	uint64_t seed, state;
	unsigned sets, maps, complete, cpus;
	const char *const *cpu;
	struct score score;
	unsigned parts, done, resumed;
	const char *file;
	bool quiet;
	time_t start;
};

/* drill-draw.c */
uint64_t draw(struct drill *drill, uint64_t below);
const struct cpu_event *draw_event(struct drill *drill);
/*
 * Page map n of a CPU, and the kernels' seed. The first ones are those that
 * verify has of itself.
 */
void draw_map(struct drill *drill, unsigned n, char *map, size_t room);
bool accuses(enum assay_class class_);

/* drill-plant.c: page map n of a CPU, judged without faults and with some. */
int drill_plant(struct drill *drill, const char *cpu, unsigned n);
/* Do the faults of the panel change any count of event e? */
bool drill_changed(const struct drill *drill, const struct panel *panel,
		   size_t e);
/* drill-intervals.c: a panel with the faults of `set`, judged by intervals. */
int drill_intervals(struct drill *drill, const struct panel *panel,
		    const struct fault_set *set);
/* drill-complete.c: verify without a fault; and with counters lent away. */
int drill_free(struct drill *drill, const char *cpu, unsigned n);
int drill_lent(struct drill *drill, const char *cpu);

#endif
