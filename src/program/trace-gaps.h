/* SPDX-License-Identifier: MIT */
/* What a trace cannot tell, since its format has no place for it. */
#ifndef PROGRAM_TRACE_GAPS_H
#define PROGRAM_TRACE_GAPS_H

#include "assay/record.h"
#include "store/traces/trace.h"

/* Makes the truth absent that the trace's format cannot tell, with the reason,
 * and the counts of events that are made of nothing else. The record's events
 * and their terms are set. flags: enum trace_flag, of the format. */
void trace_gaps_leave_out(struct assay_record *record, unsigned flags);

#endif
