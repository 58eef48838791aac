/* SPDX-License-Identifier: MIT */
/* What a trace cannot tell, since its format has no place for it. */
#include "program/trace-gaps.h"

#include "base/text.h"

static const char no_branches[] = "traces of this format have no branches";
static const char no_sizes[] = "traces of this format have no sizes: each "
			       "access is in one line";
static const char no_fetches[] = "instructions are told by their fetches, and "
				 "this trace has none";

enum {
	DIN = 1 << TRACE_DIN, LACKEY = 1 << TRACE_LACKEY,
	CHAMPSIM = 1 << TRACE_CHAMPSIM
};

static const struct untold {
	enum assay_quantity quantity;
	const char *signal;	/* of the software PMU, the same */
	unsigned formats;
	bool if_none;		/* only if there are none */
	const char *why;
} untold[] = {
	{ ASSAY_Q_branches, "branches", DIN | LACKEY, false, no_branches },
	{ ASSAY_Q_branches_taken, "branches_taken", DIN | LACKEY, false,
	  no_branches },
	{ ASSAY_Q_mispredicts, "mispredicts", DIN | LACKEY, false,
	  no_branches },
	{ ASSAY_Q_returns, "returns", DIN | LACKEY, false, no_branches },
	{ ASSAY_Q_return_mispredicts, "return_mispredicts", DIN | LACKEY,
	  false, no_branches },
	{ ASSAY_Q_split_lines, "split_lines", DIN | CHAMPSIM, false,
	  no_sizes },
	{ ASSAY_Q_instructions, "instructions", DIN | LACKEY, true,
	  no_fetches },
};
enum { TRACE_GAPS = sizeof(untold) / sizeof(*untold) };

static bool applies(const struct untold *u, enum trace_format format,
		    const struct assay_record *record)
{
	return u->formats >> format & 1 &&
	       (!u->if_none || !record->truth.of[u->quantity].number);
}

/* NULL: the format tells it. */
static const char *why_no(const char *signal, enum trace_format format,
			  const struct assay_record *record)
{
	for (int i = 0; i < TRACE_GAPS; i++)
		if (text_equal(untold[i].signal, signal) &&
		    applies(&untold[i], format, record))
			return untold[i].why;
	return NULL;
}

static const char *why_no_event(const struct assay_record_event *event,
				enum trace_format format,
				const struct assay_record *record)
{
	const char *why = NULL;

	for (unsigned i = 0; i < event->terms; i++) {
		why = why_no(event->term[i].name, format, record);
		if (!why)
			return NULL;
	}
	return why;
}

void trace_gaps_leave_out(struct assay_record *record, enum trace_format format)
{
	for (unsigned e = 0; e < record->events; e++) {
		struct assay_record_event *event = &record->event[e];
		const char *why = why_no_event(event, format, record);

		if (!why)
			continue;
		event->terms = 0;
		text_copy(event->why, sizeof(event->why), why);
		record->counts[e] = (struct assay_count){
			.state = ASSAY_COUNT_ABSENT, .why = event->why };
	}
	for (int i = 0; i < TRACE_GAPS; i++)
		if (applies(&untold[i], format, record))
			record->truth.of[untold[i].quantity] =
				(struct assay_value){ .why = untold[i].why };
}
