/* SPDX-License-Identifier: MIT */
/*
 * The codes of all events that tables have for a CPU, for many questions: one
 * question to the tables takes as long as reading them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "events/table.h"

struct named_code {
	char *name;		/* as entry_normal_name() writes it; owned */
	uint64_t config, config1;
	bool core;		/* else of another unit */
	char pmu[16];		/* the kind of core, "cpu_core"; "" */
	char source[8];		/* the first letters of its name */
	size_t order;		/* of two entries the first one counts */
};

struct event_codes {
	struct named_code *of;
	size_t n, room;
};

static int add(void *ctx, const struct table_event *e)
{
	struct event_codes *all = ctx;
	char normal[ENTRY_NAME];
	struct named_code *c;

	if (all->n == all->room) {
		const size_t room = all->room ? 2 * all->room : 1024;

		c = reallocarray(all->of, room, sizeof(*c));
		if (!c)
			return -ASSAY_ENOMEM;
		all->of = c;
		all->room = room;
	}
	entry_normal_name(normal, e->name, "");
	c = &all->of[all->n];
	*c = (struct named_code){
		.name = strdup(normal), .config = e->config,
		.config1 = e->config1, .core = e->coded, .order = all->n,
	};
	if (!strncmp(e->terms, "cpu_", 4))
		text_copy(c->pmu, sizeof(c->pmu), e->terms);
	c->pmu[strcspn(c->pmu, "/")] = '\0';
	snprintf(c->source, sizeof(c->source), "%.7s", e->source);
	if (!c->name)
		return -ASSAY_ENOMEM;
	all->n++;
	return 0;
}

static int by_name(const void *pa, const void *pb)
{
	const struct named_code *a = pa, *b = pb;
	const int rc = strcmp(a->name, b->name);

	return rc ? rc : a->order < b->order ? -1 : a->order > b->order;
}

int event_codes_new(struct event_codes **out,
		    const struct events_target *target,
		    struct assay_error *err)
{
	struct event_codes *all = calloc(1, sizeof(*all));
	int rc = all ? table_all(target, target->layout, add, all, err) :
		 -ASSAY_ENOMEM;

	if (rc) {
		event_codes_free(all);
		return rc == -ASSAY_ENOMEM ? error_memory(err) : rc;
	}
	if (all->n)
		qsort(all->of, all->n, sizeof(*all->of), by_name);
	*out = all;
	return 0;
}

bool event_codes_find(const struct event_codes *all, const char *name,
		      const char *pmu, struct encoding *out)
{
	const struct named_code *first = NULL;
	char normal[ENTRY_NAME];
	size_t low = 0, high = all->n;

	entry_normal_name(normal, name, "");
	while (low < high) {
		const size_t mid = low + (high - low) / 2;

		if (strcmp(all->of[mid].name, normal) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	for (size_t i = low; i < all->n && !strcmp(all->of[i].name, normal);
	     i++) {
		const struct named_code *c = &all->of[i];

		if (*pmu && *c->pmu && strcmp(pmu, c->pmu))
			continue;
		first = first ? first : c;
		if (!strcmp(first->source, c->source) &&
		    (c->config != first->config ||
		     c->config1 != first->config1))
			text_copy(out->absent, sizeof(out->absent),
				  "has a code for each kind of core");
	}
	if (!first)
		return false;
	out->config = first->config;
	out->config1 = first->config1;
	if (!first->core)
		text_copy(out->absent, sizeof(out->absent),
			  "is an event of a unit outside the cores");
	return true;
}

void event_codes_free(struct event_codes *all)
{
	for (size_t i = 0; all && i < all->n; i++)
		free(all->of[i].name);
	if (all)
		free(all->of);
	free(all);
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
