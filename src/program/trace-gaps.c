/* SPDX-License-Identifier: MIT */
/*
 * Quantities that a trace format cannot express, such as branches. They become
 * absent in the record, with the reason, and so does an event whose terms are
 * all such quantities. A new format that lacks something needs a trace_flag in
 * trace.h and rows in trace_gap[].
 */
#include "program/program.h"

#include "store/traces/trace.h"
#include "base/text.h"

static const char no_branches[] = "traces of this format have no branches";
static const char no_sizes[] = "traces of this format have no sizes: each "
			       "access is in one line";
static const char no_fetches[] = "instructions are counted by their fetches, "
				 "and this trace has none";

static const struct trace_gap {
	enum assay_quantity quantity;	/* the signal has the same name */
	enum trace_flag flag;
	const char *why;
} trace_gap[] = {
	{ ASSAY_Q_branches, TRACE_NO_BRANCHES, no_branches },
	{ ASSAY_Q_branches_taken, TRACE_NO_BRANCHES, no_branches },
	{ ASSAY_Q_mispredicts, TRACE_NO_BRANCHES, no_branches },
	{ ASSAY_Q_returns, TRACE_NO_BRANCHES, no_branches },
	{ ASSAY_Q_return_mispredicts, TRACE_NO_BRANCHES, no_branches },
	{ ASSAY_Q_split_lines, TRACE_NO_SIZES, no_sizes },
	{ ASSAY_Q_instructions, TRACE_MAY_LACK_FETCHES, no_fetches },
};
enum { TRACE_GAPS = sizeof(trace_gap) / sizeof(*trace_gap) };

static bool applies(const struct trace_gap *gap, unsigned flags,
		    const struct assay_record *record)
{
	return flags & gap->flag && (gap->flag != TRACE_MAY_LACK_FETCHES ||
				     !record->truth.of[gap->quantity].number);
}

/* Why the format lacks a signal; NULL: the format has the signal. */
static const char *why_no(const char *signal, unsigned flags,
			  const struct assay_record *record)
{
	for (int i = 0; i < TRACE_GAPS; i++)
		if (text_equal(assay_quantity_name(trace_gap[i].quantity),
			       signal) && applies(&trace_gap[i], flags, record))
			return trace_gap[i].why;
	return NULL;
}

/* Why the format lacks all terms of an event; NULL: it has one of them. */
static const char *why_no_event(const struct assay_record_event *event,
				unsigned flags,
				const struct assay_record *record)
{
	const char *why = NULL;

	for (unsigned i = 0; i < event->terms; i++) {
		why = why_no(event->term[i].name, flags, record);
		if (!why)
			return NULL;
	}
	return why;
}

void trace_gaps_leave_out(struct assay_record *record, unsigned flags)
{
	for (unsigned e = 0; e < record->events; e++) {
		struct assay_record_event *event = &record->event[e];
		const char *why = why_no_event(event, flags, record);

		if (!why)
			continue;
		event->terms = 0;
		text_copy(event->why, sizeof(event->why), why);
		record->counts[e] = (struct assay_count){
			.state = ASSAY_COUNT_ABSENT, .why = event->why };
	}
	for (int i = 0; i < TRACE_GAPS; i++)
		if (applies(&trace_gap[i], flags, record))
			record->truth.of[trace_gap[i].quantity] =
				(struct assay_value){ .why = trace_gap[i].why };
}
