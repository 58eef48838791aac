/* SPDX-License-Identifier: MIT */
/*
 * Deriving a quantity: finds the events, runs kernels in which the events'
 * causes vary, and passes the counts to analysis/derive.
 */
#include "hypotheses/derive.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/formulas.h"
#include "run/run.h"
#include "run/saved.h"
#include "base/record.h"
#include "base/row.h"
#include "base/text.h"

/*
 * Each cause of each event is large in some run and small in another. In a
 * large last level, only the first pass loads from memory. Cold shapes start
 * with empty caches, which only the software PMU can provide.
 */
static const struct {
	const char *kernel;
	struct assay_setting setting[3];
	size_t settings;
	bool cold;
} plan[] = {
	{ "chase", { { "elements", "64..65536" }, { "passes", "3" },
		     { "order", "shuffled,linear" } }, 3, false },
	{ "random", { { "bytes", "8K..32M" }, { "accesses", "40000" } }, 2,
	  false },
	{ "stride", { { "bytes", "16K..4M" }, { "op", "load,store" },
		      { "offsets", "2" } }, 3, false },
	{ "stream", { { "ints", "4K..1M" } }, 1, false },
	{ "pages", { { "pages", "16,64,512,4096" } }, 1, false },
	{ "matmul", { { "n", "16,48,80" },
		      { "order", "textbook,interchange" } }, 2, false },
	{ "branch", { { "chars", "10000,40000" },
		      { "pattern", "random,ones" } }, 2, false },
	{ "icode", { { "lines", "64,512,2048,8192" } }, 1, false },
	{ "callret", { { "depth", "4,64" } }, 1, false },
	{ "flush", { { "lines", "3,64" }, { "iterations", "50" } }, 2, false },
	{ "chase", { { "elements", "1K,16K,64K" }, { "passes", "1,2" },
		     { "order", "shuffled" } }, 3, true },
	{ "stride", { { "bytes", "64K,512K,4M" }, { "op", "load,store" },
		      { "offsets", "1" } }, 3, true },
	{ "stream", { { "ints", "16K,256K" } }, 1, true },
	{ "matmul", { { "n", "48,80" } }, 1, true },
};

enum { PLAN = sizeof(plan) / sizeof(*plan) };

static bool is_model(const char *on)
{
	return strncmp(on, "sim:", 4) == 0;
}

/* ---- guessed caches ------------------------------------------------------- */

/* The levels whose sizes a quantity depends on: 0, 1, up to 2, or all 3. */
static int levels_of(int quantity)
{
	const char *name = quantity < 0 ? "" : assay_quantity_name(quantity);

	if (quantity != ASSAY_Q_cycles &&
	    (quantity < ASSAY_Q_served_l1 || quantity > ASSAY_Q_rfos ||
	     quantity == ASSAY_Q_split_lines))
		return 0;
	return !strncmp(name, "l1", 2) || strstr(name, "_l1") ? 1 :
	       !strncmp(name, "l2", 2) || strstr(name, "_l2") ? 2 : 3;
}

/* ---- events ------------------------------------------------------------- */

/*
 * The events given by the user; else all of the CPU file, formulas or records.
 */
static void find_events(struct facts *t, const struct run *run)
{
	const struct cpu *cpu = run->target.cpu;
	const struct store *saved = &run->target.saved;
	const char *list = t->how->events;
	char name[ASSAY_NAME];

	*t->guessed = '\0';
	if (cpu)
		cpu_guessed_caches(cpu, levels_of(t->quantity), t->guessed,
				   sizeof(t->guessed));
	while (text_item(&list, name, sizeof(name)))
		derive_add_event(t, name);
	if (list)
		return;
	for (size_t i = 0; cpu && i < cpu->events; i++)
		if (cpu->event[i].present)
			derive_add_event(t, cpu->event[i].name);
	for (size_t i = 0; i < saved->records; i++)
		for (unsigned e = 0; e < saved->record[i]->events; e++)
			derive_add_event(t, saved->record[i]->event[e].name);
	for (unsigned f = 0; !cpu && !saved->records && f < run->files; f++)
		for (size_t e = 0; e < run->file[f]->events; e++)
			derive_add_event(t, run->file[f]->event[e]);
}

/* Refuses unknown names in the list of withheld events. */
static int check_withheld(const struct facts *t, const struct run *run,
			  struct assay_error *err)
{
	const char *list = run->target.cpu ? t->how->withhold : NULL;
	char name[ASSAY_NAME];

	while (text_item(&list, name, sizeof(name)))
		if (!cpu_event_find(run->target.cpu, name))
			return error_set(err, -ASSAY_ENOENT, "unknown event "
					 "'%.60s' on %s", name,
					 run->target.cpu->name);
	return 0;
}

/* Before anything is run: no event of the user's is unknown, and some event can
 * be counted; of all events, one that no software counts. */
static int check_events(const struct facts *t, struct run *run,
			struct assay_error *err)
{
	struct assay_error first = { .text = "no event is known" }, why;
	bool can = false;
	int rc = 0;

	if (!t->how->events && !run->target.cpu)
		rc = formulas_check_event(run, "cycles", &first);
	for (size_t i = 0; i < t->events && !rc; i++) {
		const int error = formulas_check_event(run, t->event[i], &why);

		if (error == -ASSAY_ENOENT && t->how->events) {
			*err = why;
			return error;
		}
		can |= !error;
		first = i ? first : why;
	}
	return can ? 0 : error_set(err, -ASSAY_EUNAVAIL, "nothing can be "
				   "counted: %s\ntry: --on sim:cortex-a72",
				   first.text);
}

/* ---- rows --------------------------------------------------------------- */

/* Numbers kernels in the order of their first use. */
static unsigned number_of(struct facts *t, const struct kernel *kernel)
{
	unsigned i = 0;

	while (i < t->kernels && t->seen[i] != kernel)
		i++;
	if (i == t->kernels && i < DERIVE_KERNELS)
		t->seen[t->kernels++] = kernel;
	return i;
}

static struct assay_value known_value(const struct assay_record *record,
				      const struct assay_expectation *e,
				      int quantity)
{
	const struct assay_expected *row = assay_expectation_find(e, quantity);
	struct assay_value v = record->truth.of[quantity];

	if (v.why && row && row->exact)
		v = plain_value(row->value);
	return v;
}

/*
 * Errors are relative to the quantity, but never to less than a hundredth of
 * the volume: all accesses, or a tenth of the instructions.
 */
static double volume_of(const struct assay_record *record,
			const struct assay_expectation *e, double right)
{
	struct assay_value loads = known_value(record, e, ASSAY_Q_loads);
	struct assay_value stores = known_value(record, e, ASSAY_Q_stores);
	struct assay_value inst = known_value(record, e, ASSAY_Q_instructions);
	double volume = (loads.why ? 0 : loads.number) +
			(stores.why ? 0 : stores.number);

	if (!inst.why)
		volume = fmax(volume, inst.number / 10);
	return fmax(fmax(volume, fabs(right)), 1);
}

/* Starts a row if the shape's quantity is known. */
static bool start_row(struct facts *t, const struct kernel *kernel,
		      unsigned index, const struct assay_shape *shape,
		      enum isa isa, const struct geometry *g,
		      const struct assay_record *record)
{
	struct assay_expectation *e = calloc(1, sizeof(*e));
	struct assay_value right;

	if (!e || t->rows == DERIVE_ROWS) {
		free(e);
		return false;
	}
	kernel->expect(shape, isa, g, record->settings.warmup > 0, e);
	right = known_value(record, e, t->quantity);
	if (!right.why) {
		t->right[t->rows] = right.number;
		t->volume[t->rows] = volume_of(record, e, right.number);
		t->scale[t->rows] = fmax(fabs(right.number),
					 t->volume[t->rows] / 100);
		t->kernel[t->rows] = index;
		saved_shape_text(t->shape[t->rows], sizeof(t->shape[0]),
				 kernel, shape);
	}
	free(e);
	return !right.why;
}

/* Counts all events at one shape, in groups of a record's size. */
static int run_shape(struct facts *t, struct run *run, unsigned index,
		     const struct assay_shape *shape, struct assay_error *err)
{
	const struct geometry *g = run->target.cpu ? &run->target.geometry :
						     NULL;
	bool rowed = false;
	int rc = 0;

	for (unsigned from = 0; from < t->events && rc == 0;
	     from += ASSAY_EVENTS) {
		struct assay_record *record = NULL;

		run->group.events = 0;
		for (unsigned i = from;
		     i < t->events && i < from + ASSAY_EVENTS && rc == 0; i++)
			rc = formulas_add_event(run, t->event[i], err);
		if (rc == 0)
			rc = run_measure_sets(run, &t->event_sets, shape,
						&record, err);
		if (rc == 0 && !rowed)
			rowed = start_row(t, run->kernel, index, shape,
					  run->target.isa, g, record);
		if (rc == 0 && rowed)
			derive_add_counts(t, record, t->rows);
		record_free(record);
		if (!rowed)
			break;
	}
	t->rows += rowed;
	return rc;
}

static int run_kernel(struct facts *t, struct run *run, unsigned index,
		      struct assay_error *err)
{
	int rc = 0;

	for (unsigned i = 0; i < run->sweep.shapes && rc == 0; i++) {
		struct assay_shape shape;

		rc = sweep_shape(&run->sweep, i, &shape, err);
		if (rc == 0)
			rc = run_shape(t, run, index, &shape, err);
	}
	return rc;
}

/* Is the quantity known at some shape without counting, by the closed form? */
static bool is_known(const struct facts *t, struct run *run)
{
	struct assay_expectation *e = calloc(1, sizeof(*e));
	const struct assay_expected *row = NULL;
	struct assay_shape shape;

	for (unsigned i = 0; e && i < run->sweep.shapes; i++) {
		if (sweep_shape(&run->sweep, i, &shape, NULL))
			break;
		memset(e, 0, sizeof(*e));
		run->kernel->expect(&shape, run->target.isa, NULL, false, e);
		row = assay_expectation_find(e, t->quantity);
		if (row && row->exact)
			break;
		row = NULL;
	}
	free(e);
	return row;
}

/* On hardware no run can tell more than the closed forms do. */
static int check_known(struct facts *t, const char *on, struct assay_error *err)
{
	struct run *run = calloc(1, sizeof(*run));
	bool known = is_model(on) || !run;

	for (size_t i = 0; i < PLAN && !known; i++) {
		const struct assay_job job = {
			.kernel = plan[i].kernel, .on = on, .cpu = -1,
			.setting = plan[i].setting,
			.settings = plan[i].settings,
		};

		if (plan[i].cold || run_init(run, t->assay, &job, NULL))
			continue;
		known = is_known(t, run);
		run_fini(run);
	}
	free(run);
	return known ? 0 : error_set(err, -ASSAY_EUNAVAIL, "no kernel's closed "
				     "form says what %s is on hardware\n"
				     "try: --on sim:cortex-a72", t->name);
}

/* Runs one row of the plan; the first row also finds the events. */
static int run_part(struct facts *t, struct run *run, size_t part,
		    const char *on, struct assay_error *err)
{
	const struct assay_job job = {
		.kernel = plan[part].kernel, .on = on, .cpu = -1,
		.setting = plan[part].setting,
		.settings = plan[part].settings,
		.page_map = t->how->page_map,
		.stopped = t->how->stopped,
		.stopped_ctx = t->how->stopped_ctx,
		.repeats = is_model(on) ? 1 : 3,
		.warmup_given = plan[part].cold,
	};
	int rc = run_init(run, t->assay, &job, err);

	if (rc < 0)
		return rc;
	if (part == 0) {
		rc = check_withheld(t, run, err);
		find_events(t, run);
		if (rc == 0)
			rc = check_events(t, run, err);
		if (rc == 0)
			rc = check_known(t, on, err);
		if (rc == 0)
			rc = derive_allocate(t, err);
	}
	if (rc == 0)
		rc = run_kernel(t, run, number_of(t, run->kernel), err);
	run_fini(run);
	return rc;
}

static int run_plan(struct facts *t, const char *on, struct assay_error *err)
{
	struct run *run = calloc(1, sizeof(*run));
	int rc = run ? 0 : error_set(err, -ASSAY_ENOMEM, "out of memory");

	for (size_t i = 0; i < PLAN && rc == 0; i++)
		if (!plan[i].cold || is_model(on))
			rc = run_part(t, run, i, on, err);
	free(run);
	return rc;
}

static void add_saved(struct facts *t, const struct run *run,
		       const struct cpu *cpu)
{
	const struct store *saved = &run->target.saved;

	for (size_t i = 0; i < saved->records; i++) {
		const struct assay_record *record = saved->record[i];
		const struct kernel *kernel = kernel_find(record->shape.kernel);
		struct assay_shape shape;

		if (!kernel || !saved_shape(&shape, kernel, &record->shape) ||
		    !start_row(t, kernel, number_of(t, kernel), &shape,
			       run->target.isa, cpu ? &cpu->geometry : NULL,
			       record))
			continue;
		for (unsigned e = 0; e < t->events; e++)
			t->absent[e] |= assay_record_find(record,
							  t->event[e]) < 0;
		derive_add_counts(t, record, t->rows++);
	}
}

/* Does some record have each event of the user's? */
static int check_saved(const struct facts *t, const struct store *saved,
		       struct assay_error *err)
{
	for (size_t i = 0; i < t->events; i++) {
		bool there = !t->how->events;

		for (size_t r = 0; r < saved->records; r++)
			there |= assay_record_find(saved->record[r],
						   t->event[i]) >= 0;
		if (!there)
			return error_set(err, -ASSAY_ENOENT, "no record has "
					 "the event '%.60s'", t->event[i]);
	}
	return 0;
}

static int run_saved(struct facts *t, const char *on, struct assay_error *err)
{
	struct run *run = calloc(1, sizeof(*run));
	struct cpu *cpu = NULL;
	int rc = run ? target_init(&run->target, t->assay, on, NULL, false,
				   err) :
		 error_set(err, -ASSAY_ENOMEM, "out of memory");

	if (rc == 0) {
		cpu_load(&cpu, run->target.saved.record[0]->machine.cpu,
			 t->assay->data_dir, NULL);
		find_events(t, run);
		rc = check_saved(t, &run->target.saved, err);
		if (rc == 0)
			rc = derive_allocate(t, err);
		if (rc == 0)
			add_saved(t, run, cpu);
		cpu_free(cpu);
		target_fini(&run->target);
	}
	free(run);
	return rc;
}

/* Tables may name quantities that assay has no name for. */
static int find_quantity(struct facts *t, struct assay_error *err)
{
	t->name = t->how->quantity;
	t->quantity = assay_quantity_find(t->name);
	return t->quantity >= 0 || t->how->tables ? 0 :
	       quantity_unknown(t->name, err);
}

static int gather(struct facts *t, struct assay_error *err)
{
	const char *on = t->how->on ? t->how->on : "perf";

	t->event = calloc(DERIVE_COLUMNS, sizeof(*t->event));
	if (!t->event)
		return error_set(err, -ASSAY_ENOMEM, "out of memory");
	if (strncmp(on, "replay:", 7) == 0)
		return run_saved(t, on, err);
	return run_plan(t, on, err);
}

int assay_derive(struct assay *assay, const struct assay_deriving *how,
		 bool *derived, struct assay_error *err)
{
	struct facts *t = calloc(1, sizeof(*t));
	int rc = t ? 0 : error_set(err, -ASSAY_ENOMEM, "out of memory");

	if (rc < 0)
		return rc;
	t->assay = assay;
	t->how = how;
	rc = find_quantity(t, err);
	if (rc == 0 && how->tables)
		rc = derive_tables(t, derived, err);
	else if (rc == 0)
		rc = gather(t, err);
	if (rc == 0 && !how->tables)
		rc = derive_solve(t, derived, err);
	free(t->event);
	free(t->count);
	free(t->absent);
	free(t);
	return rc;
}
