/* SPDX-License-Identifier: MIT */
/* The codes that tables have for the names of a CPU's events. */
#include <string.h>

#include "base/text.h"
#include "events/table.h"

/* A name in search of its code; of several entries the first one counts. */
struct wanted {
	char normal[ENTRY_NAME];
	const char *pmu;	/* the kind of core; "" */
	struct encoding *out;
	char source[8];		/* of the first entry, its first letters; "" */
};

static bool of_pmu(const struct table_event *e, const char *pmu)
{
	const size_t bytes = strcspn(e->terms, "/");

	return !*pmu || strncmp(e->terms, "cpu_", 4) ||
	       (strlen(pmu) == bytes && !strncmp(pmu, e->terms, bytes));
}

static int consider(void *ctx, const struct table_event *e)
{
	struct wanted *w = ctx;
	char normal[ENTRY_NAME];

	entry_normal_name(normal, e->name, "");
	if (strcmp(normal, w->normal) || !of_pmu(e, w->pmu))
		return 0;
	if (!*w->source) {
		text_copy(w->source, sizeof(w->source), e->source);
		w->out->config = e->config;
		w->out->config1 = e->config1;
		if (!e->coded)
			text_copy(w->out->absent, sizeof(w->out->absent),
				  "is an event of a unit outside the cores");
	} else if (!*w->out->absent &&
		   !strncmp(w->source, e->source, strlen(w->source)) &&
		   (e->config != w->out->config ||
		    e->config1 != w->out->config1)) {
		text_copy(w->out->absent, sizeof(w->out->absent),
			  "has a code for each kind of core");
	}
	return 0;
}

int events_table_code(struct encoding *out, const struct events_target *target,
		      const char *name, const char *pmu,
		      struct assay_error *err)
{
	struct wanted w = { .pmu = pmu, .out = out };
	int rc;

	entry_normal_name(w.normal, name, "");
	rc = table_own(target, name, consider, &w, err);
	return rc ? rc : *w.source ? FOUND : NOT_MINE;
}

bool events_table_cpu(enum code_layout *layout, const char *name,
		      struct tables_at_hand *hand)
{
	const char *const names[] = { name, NULL };
	const struct table_cpu cpu = { names, NULL };
	const char *pattern = table_known_pattern(&cpu);
	struct event_tables *tables;

	if (!pattern && !tables_at_hand(&tables, hand, NULL) && tables)
		pattern = event_tables_pattern(tables, &cpu);
	if (pattern && *pattern)
		*layout = !strncmp(pattern, "0x", 2) ? CODE_PMUV3 :
			  !strncmp(pattern, "AuthenticAMD", 12) ? CODE_AMD :
			  CODE_INTEL;
	return pattern != NULL;
}
