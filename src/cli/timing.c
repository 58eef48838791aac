/* SPDX-License-Identifier: MIT */
/* What the timing witness found, for people. */
#include "cli/results.h"
#include "cli/rows.h"

static struct assay_field span_field(const char *name,
				     const struct assay_span *span,
				     char *room, size_t bytes)
{
	if (!span->value.why)
		return real_field(name, span->value.number, 2, NULL);
	if (span->high <= 0)
		return value_field(name, span->value, NULL);
	snprintf(room, bytes, "%.2f .. %.2f", span->low, span->high);
	return field_text(name, room);
}

size_t timing_fields(const struct assay_timing *t, struct assay_field *field,
		     struct timing_text *text)
{
	const char *state = t->disturbed ? "disturbed" :
			    t->stable ? "stable" : "unstable";

	snprintf(text->clock, sizeof(text->clock), "%.2f", t->ghz);
	field[0] = span_field("per access|ns", &t->ns, text->ns,
			      sizeof(text->ns));
	field[1] = span_field("per access|cycles", &t->cycles, text->cycles,
			      sizeof(text->cycles));
	field[2] = field_text("GHz", text->clock);
	field[3] = real_field("sibling", t->sibling, 0, NULL);
	field[3].flags = ASSAY_FIELD_PERCENT;
	field[4] = count_field("rounds", t->rounds, NULL);
	field[5] = field_text("state", state);
	return 6;
}

/* chase and pages: a list, which --on time closes into a ring. */
static bool is_list(const struct assay_shape *shape)
{
	return assay_shape_find(shape, "passes") >= 0 &&
	       assay_shape_find(shape, "order") >= 0;
}

const char *pace_text(const struct assay_result *r)
{
	if (!is_list(r->shape))
		return "";
	if (r->timing)
		return "every load waits for the one before it, as the list is "
		       "closed into a ring: this is what a load of the chain "
		       "takes. Without --on time, walks of a short list "
		       "overlap and take less per access";
	return r->ns_per_access.why ? "" :
	       "a walk of the list does not wait for the walk before it, so "
	       "that short walks overlap on an out-of-order core: per access "
	       "they take less than a load's latency, which --on time "
	       "measures";
}

static void put_row(struct context *context, const char *what,
		    const struct assay_span *span, const char *unit)
{
	struct assay_field field[] = {
		field_text("time", what),
		value_field("per access", span->value, NULL),
		real_field("low", span->low, 3, NULL),
		real_field("high", span->high, 3, NULL),
		field_text("unit", unit),
	};

	if (!span->value.why)
		field[1] = real_field("per access", span->value.number, 3,
				      NULL);
	report_row(context->report,
		   &(struct assay_row){ "timing", field, 5 });
}

void page_timing(struct context *context, const struct assay_result *r)
{
	const struct assay_timing *t = r->timing;

	put_row(context, "wall, p25", &t->ns, "ns");
	put_row(context, "core, p25", &t->cycles, "cycles");
	report_flush(context->report);
	report_note(context->report, "\n%u chunks in %u rounds; %s%s%s",
		    t->samples, t->rounds, t->stable ? "stable" : "unstable",
		    *t->note && t->stable ? "; " : "",
		    t->stable ? t->note : "");
	if (*pace_text(r))
		report_note(context->report, "%s", pace_text(r));
}
