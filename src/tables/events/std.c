/* SPDX-License-Identifier: MIT */
/* The entries of a Linux architecture's own files, by name. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "tables/events/reading.h"

struct std_events {
	struct entry *entry;
	size_t entries, room;
};

struct std_events *std_events_new(void)
{
	return calloc(1, sizeof(struct std_events));
}

void std_events_free(struct std_events *std)
{
	for (size_t i = 0; std && i < std->entries; i++) {
		free((char *)std->entry[i].name);
		free((char *)std->entry[i].text);
		free((char *)std->entry[i].formula);
	}
	if (std)
		free(std->entry);
	free(std);
}

int std_events_keep(void *ctx, const struct entry *entry)
{
	struct std_events *std = ctx;
	struct entry e = *entry;

	if (std->entries == std->room) {
		const size_t more = std->room ? std->room * 2 : 256;

		if (!array_resize(&std->entry, more, sizeof(e)))
			return -ASSAY_ENOMEM;
		std->room = more;
	}
	e.name = strdup(entry->name);
	e.text = strdup(entry->text);
	e.formula = strdup(entry->formula);
	e.file = e.table = e.alias = e.code.unit = e.code.counters = "";
	e.code.options = e.group = "";
	std->entry[std->entries++] = e;
	return e.name && e.text && e.formula ? 0 : -ASSAY_ENOMEM;
}

/* jevents.py lets the last of several definitions win. */
const struct entry *std_events_find(const struct std_events *std,
				    const char *name)
{
	for (size_t i = std ? std->entries : 0; i-- > 0;)
		if (!strcasecmp(std->entry[i].name, name))
			return &std->entry[i];
	return NULL;
}
