/* SPDX-License-Identifier: MIT */
/* All names of a target, and the one that was probably meant. */
#include <ctype.h>
#include <string.h>

#include "base/text.h"
#include "events/names.h"

typedef int source_names_fn(const struct events_target *target,
			    event_name_fn *fn, void *ctx);

static source_names_fn *const perf_sources[] = {
	generic_names, model_names, raw_names, pmu_names, vendor_names,
	tracepoint_names,
};

int names_walk(const struct events_target *target, event_name_fn *fn,
	       void *ctx)
{
	int rc = 0;

	if (target->target == EVENTS_SIM)
		return model_names(target, fn, ctx);
	if (target->target == EVENTS_NAMES)
		return 0;
	for (size_t i = 0; i < sizeof(perf_sources) / sizeof(perf_sources[0]);
	     i++) {
		rc = perf_sources[i](target, fn, ctx);
		if (rc)
			break;
	}
	return rc;
}

struct nearest {
	char wanted[ASSAY_NAME];
	char best[ASSAY_NAME];
	unsigned distance;
};

static void plain(char out[ASSAY_NAME], const char *name)
{
	size_t i;

	for (i = 0; name[i] && i < ASSAY_NAME - 1; i++)
		out[i] = name[i] == '.' ? ':' :
			 (char)tolower((unsigned char)name[i]);
	out[i] = '\0';
}

static void consider(struct nearest *n, const char *name)
{
	const size_t a = strlen(n->wanted), b = strlen(name);
	char candidate[ASSAY_NAME];
	unsigned distance;

	/* The difference in length is a lower bound of the distance. */
	if (b >= ASSAY_NAME || (a > b ? a - b : b - a) >= n->distance)
		return;
	plain(candidate, name);
	distance = text_distance(n->wanted, candidate);
	if (distance < n->distance) {
		n->distance = distance;
		text_copy(n->best, sizeof(n->best), name);
	}
}

/* "PMU/EVENT/" can also be asked for as "EVENT". */
static int compare(void *ctx, const struct event_name *name)
{
	const char *slash = strchr(name->name, '/');
	struct nearest *n = ctx;
	char bare[ASSAY_NAME];

	consider(n, name->name);
	if (slash && !strchr(n->wanted, '/')) {
		text_copy(bare, sizeof(bare), slash + 1);
		bare[strcspn(bare, "/")] = '\0';
		consider(n, bare);
	}
	return 0;
}

bool names_nearest(char out[ASSAY_NAME], const char *name,
		   const struct events_target *target)
{
	const size_t length = strlen(name);
	struct nearest n = { .distance = length < 4 ? 2 :
					 length < 10 ? 3 : 4 };

	plain(n.wanted, name);
	names_walk(target, compare, &n);
	if (target->target == EVENTS_PERF)
		vendor_table_names(name, compare, &n);
	if (!n.best[0])
		return false;
	text_copy(out, ASSAY_NAME, n.best);
	return true;
}
