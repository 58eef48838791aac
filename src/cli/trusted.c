/* SPDX-License-Identifier: MIT */
/* What certificates say of the events that were asked for. */
#include "cli/trusted.h"

#include <stdio.h>
#include <string.h>

static void note_event(struct context *context,
		       const struct assay_trust *trust, const char *event)
{
	struct assay_trusted t;

	assay_trust_of(trust, event, &t);
	if (t.mark != ASSAY_MARK_VERIFIED)
		report_note(context->report, "%s: %s: %s", event,
			    assay_mark_name(t.mark), t.sentence);
}

static void note_events(struct context *context,
			const struct assay_trust *trust)
{
	const char *list = context->settings.events;
	char event[128];

	report_flush(context->report);
	report_note(context->report, "%s", assay_trust_about(trust));
	for (; *list; list += *list == ',') {
		size_t n = strcspn(list, ",");

		snprintf(event, sizeof(event), "%.*s", (int)n, list);
		if (*event)
			note_event(context, trust, event);
		list += n;
	}
}

void trusted_note(struct context *context)
{
	const struct settings *s = &context->settings;
	struct assay_trust *trust;

	if (!s->events || !report_has(context->report, REPORT_PROSE) ||
	    assay_trust_open(&trust, context->assay, s->on, NULL) < 0)
		return;
	if (assay_trust_path(trust))
		note_events(context, trust);
	assay_trust_close(trust);
}
