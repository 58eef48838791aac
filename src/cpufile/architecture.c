/* SPDX-License-Identifier: MIT */
/* Events that mean the same on all CPUs of an architecture. */
#include "cpufile/architecture.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static const struct known_event {
	const char *vendor, *name;
	uint64_t code;
	const char *counts, *means;
} known[] = {
#define EVENT(vendor, name, code, counts, means) \
	{ vendor, name, code, counts, means },
#include "cpufile/architecture.def"
#undef EVENT
};
#define KNOWN (sizeof(known) / sizeof(*known))

const char *architecture_counts(const struct cpu_match *match, uint64_t code)
{
	for (size_t i = 0; i < KNOWN; i++)
		if (known[i].code == code &&
		    !strcmp(known[i].vendor, match->vendor))
			return known[i].counts;
	return NULL;
}

int architecture_list(struct listed *out, const struct cpu_match *match,
		      struct assay_error *err)
{
	struct listed list = {
		.pool = pool_new(), .event = calloc(KNOWN, sizeof(*list.event)),
		.table = "", .file = "",
	};

	if (!list.pool || !list.event) {
		listed_free(&list);
		return error_memory(err);
	}
	for (size_t i = 0; i < KNOWN; i++)
		if (!strcmp(known[i].vendor, match->vendor))
			list.event[list.events++] = (struct listed_event){
				.name = known[i].name, .alias = "",
				.text = known[i].means, .topic = true,
				.code = known[i].code,
			};
	*out = list;
	return 0;
}
