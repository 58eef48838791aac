/* SPDX-License-Identifier: MIT */
/* Finds the sibling of a CPU, and what the sibling's events say; see like.h. */
#include "cpufile/like.h"

#include <ctype.h>
#include <string.h>

#include "assay/record.h"
#include "base/text.h"
#include "cpufile/architecture.h"

/* ---- the sibling --------------------------------------------------------- */

struct search {
	const struct listed *list;
	const struct cpu_match *match;
	int best;
	char name[ASSAY_NAME];
};

static bool same_vendor(const struct cpu_match *a, const struct cpu_match *b)
{
	return a->implementer == b->implementer && !strcmp(a->vendor,
							    b->vendor);
}

static bool same_name(const struct cpu *cpu, const struct listed_event *e,
		      const struct cpu_event *event)
{
	return cpu_event_find(cpu, e->name) == event;
}

enum { NAMED = 4, SCALE = 1000 };	/* an equal name tells more than an
					 * equal code */

/* How much of the CPU's events the list has; those that the CPU is said not to
 * have count against it. 0: nothing. */
static int score_of(const struct cpu *cpu, const struct listed *list)
{
	int score = 0, events = 1;

	for (size_t i = 0; i < cpu->events; i++) {
		const struct cpu_event *event = &cpu->event[i];
		const struct listed_event *e = listed_find(list, event->code,
							   NULL);

		events += event->implemented;
		if (e)
			score += !event->implemented ? -1 :
				 same_name(cpu, e, event) ? NAMED : 1;
	}
	return score > 0 ? SCALE * score / events : 0;
}

static int consider(void *ctx, const struct cpu *cpu)
{
	struct search *s = ctx;
	int score;

	if (!same_vendor(&cpu->match, s->match))
		return 0;
	score = score_of(cpu, s->list);
	if (score <= s->best)
		return 0;
	s->best = score;
	text_copy(s->name, sizeof(s->name), cpu->name);
	return 0;
}

/* The list of one kind of core. False: there is none, or an error in *rc. */
static bool read_core(struct listed *out, const struct event_tables *tables,
		      const struct table_cpu *cpu, int core,
		      struct assay_error *err, int *rc)
{
	*rc = listed_read(out, tables, cpu, core < 0 ? NULL :
			  cpu_cores[core], err);
	if (*rc == -ASSAY_ENOENT || *rc == -ASSAY_EINVAL) {
		*rc = 0;
		return false;
	}
	return !*rc;
}

int listed_of(struct listed *out, const struct event_tables *tables,
	      const struct cpu *cpu, struct assay_error *err)
{
	const char *const names[] = { cpu->name, NULL };
	const struct table_cpu table = { names, &cpu->match };
	struct listed list;
	int rc = 0, best = -1;

	*out = (struct listed){ .table = "", .file = "" };
	for (int core = -1; core < CPU_CORES && tables && !rc; core++) {
		if ((core >= 0 && cpu->core &&
		     strcmp(cpu->core, cpu_core_pmus[core])) ||
		    !read_core(&list, tables, &table, core, err, &rc))
			continue;
		if (score_of(cpu, &list) <= best) {
			listed_free(&list);
			continue;
		}
		best = score_of(cpu, &list);
		listed_free(out);
		*out = list;
	}
	return rc;
}

int sibling_find(struct sibling *out, const struct listed *list,
		 const struct cpu_match *match, const char *name,
		 const struct event_tables *tables, const char *data_dir,
		 struct assay_error *err)
{
	struct search s = { .list = list, .match = match };
	int rc = name ? 0 : cpu_each(data_dir, consider, &s, err);

	*out = (struct sibling){ .listed = { .table = "", .file = "" } };
	if (!name && *s.name)
		name = s.name;
	if (rc || !name)
		return rc;
	rc = cpu_load(&out->cpu, name, data_dir, err);
	return rc ? rc : listed_of(&out->listed, tables, out->cpu, err);
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
	     same_name(sibling->cpu, e, event)))
		m = taken(event, twin && same_text(twin->text, e->text));
	if (counts && m.confidence == 'G') {
		m.counts = counts;
		m.confidence = 'R';
		m.source = "architecture";
	}
	return m;
}
