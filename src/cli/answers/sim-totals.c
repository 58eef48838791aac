/* SPDX-License-Identifier: MIT */
/* assay sim's totals: what each level of the hierarchy did; and what was not
 * simulated. */
#include "base/text.h"
#include "cli/answers/sim-answer.h"
#include "cli/results.h"

/* A level's quantities in the table; ASSAY_QUANTITIES: the level has none. */
static const struct level {
	const char *name;
	enum assay_quantity reads, read_misses, writes, write_misses;
	enum assay_quantity writebacks;
} levels[] = {
	{ "L1I", ASSAY_Q_l1i_fetches, ASSAY_Q_l1i_refills, ASSAY_QUANTITIES,
	  ASSAY_QUANTITIES, ASSAY_QUANTITIES },
	{ "L1D", ASSAY_Q_l1d_reads, ASSAY_Q_l1d_read_misses,
	  ASSAY_Q_l1d_writes, ASSAY_Q_l1d_write_misses,
	  ASSAY_Q_l1d_writebacks },
	{ "L2", ASSAY_Q_l2_reads, ASSAY_Q_l2_read_misses, ASSAY_Q_l2_writes,
	  ASSAY_Q_l2_write_misses, ASSAY_Q_l2_evict_dirty },
	{ "L3", ASSAY_Q_l3_reads, ASSAY_Q_l3_read_misses, ASSAY_Q_l3_writes,
	  ASSAY_Q_l3_write_misses, ASSAY_Q_l3_writebacks },
	{ "memory", ASSAY_Q_dram_reads, ASSAY_QUANTITIES, ASSAY_Q_dram_writes,
	  ASSAY_QUANTITIES, ASSAY_QUANTITIES },
};

static const enum assay_quantity others[] = {
	ASSAY_Q_instructions, ASSAY_Q_loads, ASSAY_Q_stores, ASSAY_Q_branches,
	ASSAY_Q_mispredicts, ASSAY_Q_dtlb_misses, ASSAY_Q_itlb_misses,
	ASSAY_Q_l2tlb_misses, ASSAY_Q_page_walks,
};

static void add_cell(struct assay_field *field, size_t *n, const char *name,
		     const struct assay_record *record, enum assay_quantity q)
{
	if (q == ASSAY_QUANTITIES)
		return;
	field[(*n)++] = value_field(name, record->truth.of[q]);
}

static bool unused(const struct assay_record *record, const struct level *l)
{
	const struct assay_value *of = record->truth.of;

	return of[l->reads].why ||
	       (!of[l->reads].number && !of[l->writes == ASSAY_QUANTITIES ?
					    l->reads : l->writes].number);
}

static int level_row(struct context *context,
		     const struct assay_record *record, const struct level *l)
{
	struct assay_field field[6];
	size_t n = 0;

	field[n++] = field_text("level", l->name);
	add_cell(field, &n, "reads", record, l->reads);
	add_cell(field, &n, "read misses", record, l->read_misses);
	add_cell(field, &n, "writes", record, l->writes);
	add_cell(field, &n, "write misses", record, l->write_misses);
	add_cell(field, &n, "write-backs", record, l->writebacks);
	return report_row(context->report,
			  &(struct assay_row){ "level", field, n });
}

static int other_row(struct context *context,
		     const struct assay_record *record, enum assay_quantity q)
{
	const struct assay_field field[] = {
		field_text("quantity", assay_quantity_name(q)),
		value_field("count", record->truth.of[q]),
	};

	return report_row(context->report,
			  &(struct assay_row){ "quantity", field, 2 });
}

int sim_totals(struct context *context, const struct assay_result *r)
{
	int rc = 0;

	page_head(context, r);
	for (size_t i = 0; i < sizeof(others) / sizeof(*others) && !rc; i++)
		rc = other_row(context, r->record, others[i]);
	for (size_t i = 0; i < sizeof(levels) / sizeof(*levels) && !rc; i++)
		if (!unused(r->record, &levels[i]))
			rc = level_row(context, r->record, &levels[i]);
	if (r->record->events)
		page_counts(context, r);
	page_pies(context, r);
	return rc;
}

int sim_started(struct context *context, const struct assay_row *row)
{
	const struct settings *s = &context->settings;
	const bool possible = row->field[1].count;
	char cpu[512];

	if (!report_has(context->report, REPORT_PROSE))
		return !report_has(context->report, REPORT_MIXED_ROWS) ? 0 :
		       report_row(context->report, row);
	report_note(context->report, possible ?
		    "What it runs first is simulated by:" :
		    "What it runs first, and is not simulated:");
	report_flush(context->report);
	text_shell(cpu, sizeof(cpu), s->cpu_name ? s->cpu_name : "");
	if (possible)
		report_say(report_file(context->report),
			   "assay sim%s%s%s -- ", s->cpu_name ? " --cpu " : "",
			   s->cpu_name ? cpu : "", s->plain ? " --plain" : "");
	report_say(report_file(context->report), "%s\n", row->field[0].text);
	return 0;
}
