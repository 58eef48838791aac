/* SPDX-License-Identifier: MIT */
/*
 * The codes of all events that tables have for a CPU, for many questions: one
 * question to the tables takes as long as reading them.
 */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "events/table.h"

struct named_code {
	char *name;		/* as entry_normal_name() writes it; owned */
	uint64_t code;
	bool coded;		/* the code is all: no register, no other PMU */
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
	*c = (struct named_code){ strdup(normal), e->config,
				  e->coded && !*e->terms, all->n };
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
		      uint64_t *code, bool *coded)
{
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
	if (low == all->n || strcmp(all->of[low].name, normal) != 0)
		return false;
	*code = all->of[low].code;
	*coded = all->of[low].coded;
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
