/* SPDX-License-Identifier: MIT */
/* Deriving pies, metrics and comparisons from one record. */
#include "run/metrics.h"

#include <stdio.h>
#include <string.h>

#include "analysis/verdict.h"
#include "run/core-clock.h"
#include "base/text.h"
#include "kernels/expect.h"

enum { CODE_LINES = 2 };	/* cache lines of a loop in assembly, at most */

static void add_pie(struct derived_metrics *m, const struct pie *pie,
		    const char *file, const char *name, const char *title)
{
	struct assay_pie *out;

	if (m->result.pies == METRICS_PIES)
		return;
	out = &m->pie[m->result.pies++];
	*out = (struct assay_pie){
		.file = file, .name = name, .title = title,
		.l1 = pie->part[PIE_L1], .l2 = pie->part[PIE_L2],
		.l3 = pie->part[PIE_L3], .dram = pie->part[PIE_DRAM],
		.total = pie->part[PIE_TOTAL], .residual = pie->residual,
		.consistent = pie->consistent,
	};
}

void metrics_add_pie(struct derived_metrics *m, const struct assay_pie *pie)
{
	if (m->result.pies < METRICS_PIES)
		m->pie[m->result.pies++] = *pie;
}

static void add_pies(struct derived_metrics *m, const struct run *run,
		     const struct assay_record *record)
{
	struct pie pie;

	true_pie(record, &pie);
	if (!record->truth.of[ASSAY_Q_loads].why) {
		add_pie(m, &pie, "", "true",
			"what the software PMU knows to be true");
		m->pie[0].truth = true;
	}
	for (unsigned f = 0; f < run->asked; f++) {
		const struct formula_file *file = run->file[f];

		for (size_t h = 0; h < file->hypotheses; h++) {
			const struct hypothesis *one = &file->hypothesis[h];

			hypothesis_pie(file, one, record, &pie);
			add_pie(m, &pie, file->name, one->name, one->title);
		}
	}
}

static void add_metrics(struct derived_metrics *m, const struct run *run,
			const struct assay_record *record)
{
	for (unsigned f = 0; f < run->asked; f++) {
		const struct formula_file *file = run->file[f];

		for (size_t i = 0; i < file->formulas; i++) {
			if (m->result.metrics == METRICS_VALUES)
				return;
			m->metric[m->result.metrics++] = (struct assay_metric){
				.file = file->name,
				.name = file->formula[i].name,
				.text = file->formula[i].text,
				.value = formula_value(file, &file->formula[i],
						       record),
				.warning = file->formula[i].warning,
			};
		}
	}
}

static void add_compared(struct derived_metrics *m,
			 const struct assay_expected *expected,
			 struct assay_value measured, const char *from,
			 const char *differs)
{
	static const enum assay_verdict verdicts[] = {
		[VERDICT_AGREES] = ASSAY_AGREES,
		[VERDICT_DISAGREES] = ASSAY_DISAGREES,
		[VERDICT_INCONCLUSIVE] = ASSAY_INCONCLUSIVE,
		[VERDICT_UNAVAILABLE] = ASSAY_UNAVAILABLE,
	};
	struct comparison comparison;

	if (m->result.compareds == METRICS_COMPARED)
		return;
	compare_quantity(expected, measured, &comparison);
	if (differs && comparison.verdict == VERDICT_DISAGREES)
		comparison.verdict = VERDICT_INCONCLUSIVE;
	m->compared[m->result.compareds++] = (struct assay_compared){
		.quantity = expected->quantity, .expected = expected,
		.measured = measured, .from = from, .differs = differs,
		.verdict = verdicts[comparison.verdict],
	};
}

/* Does the record have every event of the formula? */
static bool counted(const struct formula_file *file,
		    const struct formula *formula,
		    const struct assay_record *record)
{
	for (unsigned i = 0; i < formula->events; i++)
		if (assay_record_find(record,
				      file->event[formula->event[i]]) < 0)
			return false;
	return true;
}

/* The name of the measured side: the event if it is one alone. */
static const char *source(const struct formula_file *file,
			  const struct formula *formula)
{
	const int event = formula_is_event(formula);

	return event >= 0 ? file->event[event] : formula->text;
}

const char *metrics_pages_differ(const struct assay_record *record,
				 int quantity)
{
	if (quantity != (int)ASSAY_Q_page_faults || !*record->settings.pages ||
	    text_equal(record->settings.pages, "4K"))
		return NULL;
	return "predicted for pages of 4 KiB";
}

/* For one event that disagrees: bias and repeatability, over repetitions. */
static void add_remark(struct assay_compared *c, const struct formula *formula,
		       const struct formula_file *file,
		       const struct assay_record *record)
{
	int event = formula_is_event(formula);
	double value[256];
	struct bias bias;
	unsigned n = 0;

	if (c->verdict != ASSAY_DISAGREES || event < 0)
		return;
	event = assay_record_find(record, file->event[event]);
	for (unsigned r = 0; event >= 0 && r < record->repeats && n < 256;
	     r++) {
		const struct assay_count *count =
			&record->counts[r * record->events + (unsigned)event];

		if (count->state == ASSAY_COUNT_PRESENT)
			value[n++] = (double)count->value;
	}
	if (!n)
		return;
	bias_of(c->expected, value, n, &bias);
	bias_text(&bias, c->remark, sizeof(c->remark));
}

static void compare_formula(struct derived_metrics *m,
			    const struct assay_expected *expected,
			    const struct formula_file *file,
			    const struct formula *formula,
			    const struct assay_record *record)
{
	size_t before = m->result.compareds;

	add_compared(m, expected, formula_value(file, formula, record),
		     source(file, formula), *formula->differs ?
		     formula->differs :
		     metrics_pages_differ(record, formula->quantity));
	if (m->result.compareds > before)
		add_remark(&m->compared[before], formula, file, record);
}

static void compare_row(struct derived_metrics *m, const struct run *run,
			const struct assay_expected *expected,
			const struct assay_record *record)
{
	struct assay_value truth = record->truth.of[expected->quantity];
	size_t before = m->result.compareds;

	if (!truth.why)
		add_compared(m, expected, truth, "truth", NULL);
	for (unsigned f = 0; f < run->files; f++) {
		const struct formula_file *file = run->file[f];

		for (size_t i = 0; i < file->formulas; i++) {
			const struct formula *formula = &file->formula[i];

			if (formula->quantity == (int)expected->quantity &&
			    counted(file, formula, record))
				compare_formula(m, expected, file, formula,
						record);
		}
	}
	if (m->result.compareds == before)
		add_compared(m, expected, (struct assay_value){
			.why = "no event that was asked for gives it" }, "",
			NULL);
}

static struct assay_value median_ns(const struct assay_record *record)
{
	static const char untimed[] = "not timed";
	uint64_t ns[256];
	unsigned n = 0;

	for (unsigned r = 0; r < record->repeats && n < 256; r++) {
		unsigned i = n++;

		for (; i && ns[i - 1] > record->ns[r]; i--)
			ns[i] = ns[i - 1];
		ns[i] = record->ns[r];
	}
	if (!n || !ns[n / 2])
		return (struct assay_value){ .why = untimed };
	return (struct assay_value){ .number = (double)ns[n / 2] };
}

static void add_times(struct derived_metrics *m,
		      const struct assay_record *record)
{
	struct assay_result *r = &m->result;

	r->ns = r->ns_per_access = r->cycles_per_access = median_ns(record);
	if (r->ns.why)
		return;
	r->ns_per_access.number /= r->accesses ? (double)r->accesses : 1;
	if (!r->accesses)
		r->ns_per_access.why = "this kernel makes no accesses";
	r->cycles_per_access = core_clock_cycles(record, r->ns_per_access);
}

/* The caches that a prediction assumes; NULL: not known, as in a replay. */
static const struct geometry *geometry(const struct run *run)
{
	const struct target *t = &run->target;

	return t->cpu ? &t->geometry : NULL;
}

/*
 * A bare-metal record has in its settings how many instructions of the counted
 * region do not belong to the kernel: "around=51".
 */
static void add_around(struct assay_expectation *e,
		       const struct assay_record *record)
{
	const char *noted = strstr(record->settings.options, "around=");
	unsigned long long around = 0;

	if (!noted || sscanf(noted, "around=%7llu", &around) != 1)
		return;
	for (unsigned i = 0; i < e->rows; i++)
		if (e->row[i].quantity == ASSAY_Q_instructions)
			expect_term(&e->row[i], "around", "constant",
				    (double)around, "between the loop and the "
				    "switching of the counters: counted with "
				    "the loop left out");
}

/*
 * Where the plugin fed the model, two things were simulated that a traced
 * kernel leaves out: the fetches of the loop's own code, and the return from
 * the loop.
 */
static void add_code(struct assay_expectation *e,
		     const struct assay_record *record)
{
	if (!strstr(record->settings.options, BARE_MODEL))
		return;
	for (unsigned i = 0; i < e->rows; i++) {
		struct assay_expected *row = &e->row[i];

		if (row->quantity == ASSAY_Q_l2_refills)
			expect_band(row, row->low, row->high + CODE_LINES,
				    "the loop's own code may be among the "
				    "lines that were replaced");
		if (row->quantity == ASSAY_Q_return_mispredicts)
			expect_band(row, row->low, row->high + 1,
				    "the call of the loop itself may be what "
				    "the return stack forgot");
	}
}

void metrics_derive(struct derived_metrics *out, const struct run *run,
		    const struct assay_shape *shape,
		    const struct assay_record *record)
{
	unsigned warmup = run_warmup(run);

	memset(out, 0, sizeof(*out));
	out->result = (struct assay_result){
		.record = record, .shape = shape,
		.expectation = &out->expectation,
		.accesses = run->kernel->accesses(shape),
		.ns.why = "not run", .ns_per_access.why = "not run",
		.cycles_per_access.why = "not run",
		.pie = out->pie, .metric = out->metric,
		.compared = out->compared, .total = run->sweep.shapes,
		.shows = run->kernel->shows, .shown = run->kernel->shown,
		.guessed = out->guessed,
	};
	if (run->target.provider == &sim_provider && run->target.cpu)
		cpu_guessed_caches(run->target.cpu, 3, out->guessed,
				   sizeof(out->guessed));
	if (record)
		warmup = record->settings.warmup;
	run->kernel->expect(shape, run->target.isa, geometry(run), warmup > 0,
			    &out->expectation);
	if (!record)
		return;
	add_around(&out->expectation, record);
	add_code(&out->expectation, record);
	add_times(out, record);
	add_pies(out, run, record);
	add_metrics(out, run, record);
	for (unsigned i = 0; i < out->expectation.rows; i++)
		compare_row(out, run, &out->expectation.row[i], record);
}
