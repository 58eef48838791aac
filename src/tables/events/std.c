/* SPDX-License-Identifier: MIT */
/* The entries of a Linux architecture's own files, by name. */
#include "base/text.h"
#include "tables/events/reading.h"

struct search {
	const char *name;
	const struct entry *found;
};

static int match(void *ctx, const struct entry *entry)
{
	struct search *s = ctx;

	if (text_equal(entry->name, s->name))
		s->found = entry;
	return 0;
}

/* jevents.py lets the last of several definitions win. */
const struct entry *std_event_find(struct kept_entries *std, const char *name)
{
	struct search s = { name, NULL };

	if (std)
		kept_each(std, &(struct kept_query){ name, NULL }, match, &s);
	return s.found;
}
