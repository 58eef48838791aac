/* SPDX-License-Identifier: MIT */
/* Finds the sibling of a CPU, and what the sibling's events say; see like.h. */
#include "cpufile/like.h"

#include <ctype.h>
#include <string.h>

#include "cpufile/architecture.h"

/* ---- the sibling --------------------------------------------------------- */

int sibling_find(struct sibling *out, const struct nearest_to *to,
		 const char *name, struct assay_error *err)
{
	int rc = name ? 0 : nearest_find(&out->nearest, to, err);

	out->listed = (struct listed){ .table = "", .file = "" };
	if (!name && *out->nearest.name[0])
		name = out->nearest.name[0];
	if (rc || !name)
		return rc;
	rc = cpu_load(&out->cpu, name, to->data_dir, err);
	return rc ? rc : listed_of(&out->listed, to->tables, out->cpu, err);
}

void sibling_free(struct sibling *sibling)
{
	cpu_free(sibling->cpu);
	listed_free(&sibling->listed);
	*sibling = (struct sibling){ .cpu = NULL };
}

/* ---- one event ----------------------------------------------------------- */

/* Equal letters and digits, in any case. */
static bool same_text(const char *a, const char *b)
{
	for (;; a++, b++) {
		while (*a && !isalnum((unsigned char)*a))
			a++;
		while (*b && !isalnum((unsigned char)*b))
			b++;
		if (!*a || tolower((unsigned char)*a) !=
			   tolower((unsigned char)*b))
			return !*a && !*b;
	}
}

/* Arm defines what these numbers mean for all cores (Arm ARM, D13.11). */
static bool is_common(uint64_t code, const struct cpu_match *match)
{
	return match->implementer &&
	       (code < 0x40 || (code >= 0x4000 && code < 0x4040));
}

static bool is_document(char confidence)
{
	return confidence == 'D' || confidence == 'R';
}

static struct meaning taken(const struct cpu_event *event, bool sure)
{
	const bool deviates = *event->says_text;
	struct meaning m = {
		.counts = deviates ? event->says_text : event->counts_text,
		.why = event->present ? "" : event->absent,
		.confidence = 'G', .source = "like", .event = event,
	};

	if (!event->present)
		m.counts = "";
	if (sure && is_document(event->confidence) && !deviates)
		m.confidence = event->confidence;
	if (m.confidence == 'D')
		m.source = "table like";
	return m;
}

struct meaning meaning_of(const struct listed_event *e,
			  const struct sibling *sibling,
			  const struct cpu_match *match)
{
	const struct cpu_event *event = sibling->cpu ?
		cpu_event_coded(sibling->cpu, e->code) : NULL;
	const struct listed_event *twin =
		listed_find(&sibling->listed, e->code, e->name);
	const char *counts = architecture_counts(match, e->code);
	struct meaning m = { "", "no expression yet", 'G', "unknown", NULL };

	if (event && event->implemented &&
	    (twin || is_common(e->code, match) ||
	     cpu_event_find(sibling->cpu, e->name) == event))
		m = taken(event, twin && same_text(twin->text, e->text));
	if (counts && m.confidence == 'G') {
		m.counts = counts;
		m.confidence = 'R';
		m.source = "architecture";
	}
	return m;
}
