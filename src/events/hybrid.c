/* SPDX-License-Identifier: MIT */
/* The kinds of core in /sys, and one event per kind; see hybrid.h. */
#include "events/hybrid.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/sysfile.h"
#include "base/text.h"

static const char devices[] = "/sys/bus/event_source/devices";

struct search {
	struct hybrid *out;
	const char *sysroot;
};

/* Adds the PMU if it is a core PMU of a kind: only these have a file "cpus". */
static int read_core(void *ctx, const char *name)
{
	struct search *s = ctx;
	struct hybrid *out = s->out;
	char type[32], cpus[512], *end;
	unsigned long value;

	if (out->cores == HYBRID_CORES ||
	    sysfile_text(cpus, sizeof(cpus), s->sysroot, "%s/%s/cpus", devices,
			name) <= 0 ||
	    sysfile_text(type, sizeof(type), s->sysroot, "%s/%s/type", devices,
			name) <= 0)
		return 0;
	value = strtoul(type, &end, 10);
	if (*end || value > UINT32_MAX ||
	    cpulist_parse(&out->core[out->cores].cpus, cpus))
		return 0;
	out->core[out->cores].type = (uint32_t)value;
	text_copy(out->core[out->cores].name, ASSAY_NAME, name);
	out->cores++;
	return 0;
}

void hybrid_read(struct hybrid *out, const char *sysroot)
{
	struct search search = { out, sysroot };

	memset(out, 0, sizeof(*out));
	sysfile_visit(sysroot, devices, read_core, &search);
}

/* Does the event go to the PMU of whichever core runs the program? */
static bool of_any_core(const struct encoding *event)
{
	return event->family == ENCODING_HARDWARE ||
	       event->family == ENCODING_CACHE || event->family == ENCODING_RAW;
}

static void specialize(struct encoding *out, const struct encoding *event,
		       const struct hybrid *hybrid, unsigned kind)
{
	*out = *event;
	snprintf(out->name, sizeof(out->name), "%.20s/%.40s/",
		 hybrid->core[kind].name, event->name);
	if (event->family == ENCODING_RAW) {
		out->family = ENCODING_PMU;
		out->pmu_type = hybrid->core[kind].type;
	} else {
		/* perf_event_open(2): a generic event's PMU is in bits 63:32 */
		out->config |= (uint64_t)hybrid->core[kind].type << 32;
	}
}

static unsigned kind_of(const struct hybrid *hybrid,
			const struct encoding *event)
{
	for (unsigned k = 0; k < hybrid->cores; k++)
		if (event->family == ENCODING_PMU &&
		    event->pmu_type == hybrid->core[k].type)
			return k + 1;
	return 0;
}

static int append(struct group *group, unsigned char *core,
		  unsigned char *braces, const struct encoding *event,
		  unsigned kind, unsigned char brace, struct assay_error *err)
{
	if (group->events == ASSAY_EVENTS)
		return error_set(err, -ASSAY_ENOSPC, "too many events: at most "
				 "%d, and each counts once per kind of core",
				 ASSAY_EVENTS);
	group->event[group->events] = *event;
	core[group->events] = (unsigned char)kind;
	if (braces)
		braces[group->events] = brace;
	group->events++;
	return 0;
}

static int expand(const struct hybrid *hybrid, const struct group *old,
		  struct group *group, unsigned char *core,
		  const unsigned char *old_brace, unsigned char *brace,
		  struct assay_error *err)
{
	int rc = 0;

	for (unsigned e = 0; e < old->events && !rc; e++) {
		const struct encoding *event = &old->event[e];
		const unsigned char b = brace ? old_brace[e] : 0;
		struct encoding one;

		if (!of_any_core(event) || event->absent[0]) {
			rc = append(group, core, brace, event,
				    kind_of(hybrid, event), b, err);
			continue;
		}
		for (unsigned k = 0; k < hybrid->cores && !rc; k++) {
			specialize(&one, event, hybrid, k);
			rc = append(group, core, brace, &one, k + 1, b, err);
		}
	}
	return rc;
}

int hybrid_expand(const struct hybrid *hybrid, struct group *group,
		  unsigned char *core, unsigned char *brace,
		  struct assay_error *err)
{
	unsigned char old_brace[ASSAY_EVENTS];
	struct group *old;
	int rc;

	memset(core, 0, ASSAY_EVENTS);
	if (hybrid->cores < 2)
		return 0;
	old = malloc(sizeof(*old));
	if (!old)
		return error_memory(err);
	*old = *group;
	if (brace)
		memcpy(old_brace, brace, sizeof(old_brace));
	group->events = 0;
	rc = expand(hybrid, old, group, core, old_brace, brace, err);
	if (rc)
		*group = *old;
	free(old);
	return rc;
}
