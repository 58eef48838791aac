/* SPDX-License-Identifier: MIT */
/* Entries kept in memory, for many questions: by name, and by code. */
#ifndef TABLES_EVENTS_KEPT_H
#define TABLES_EVENTS_KEPT_H

#include "tables/events/entry.h"

struct kept_entries;

/* NULL: no memory. */
struct kept_entries *kept_new(void);
void kept_free(struct kept_entries *kept);

/* An entry_fn: keeps a copy in the struct kept_entries. 0 or -ASSAY_ENOMEM. */
int kept_add(void *kept, const struct entry *entry);

/* Which entries; the caller compares names and codes once more. */
struct kept_query {
	const char *name;	/* or an alias, in any spelling; NULL: any */
	const uint64_t *code;	/* of this event select's low byte, or NULL */
};

/* Calls fn for these entries in the order in which they were added. Returns
 * fn's first non-zero result, or -ASSAY_ENOMEM. */
int kept_each(struct kept_entries *kept, const struct kept_query *query,
	      entry_fn *fn, void *ctx);

#endif
