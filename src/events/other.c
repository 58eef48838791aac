/* SPDX-License-Identifier: MIT */
/*
 * Names that exist, but not here: events of CPUs that this machine does not
 * have. They are no typing mistakes, and they are never counted.
 */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "events/source.h"

struct search {
	const char *name;
	struct encoding *out;
	int cpus;
	char first[ASSAY_NAME];
};

static int one_cpu(void *ctx, const struct cpu *cpu)
{
	struct search *s = ctx;

	if (!cpu_event_find(cpu, s->name))
		return 0;
	if (!s->cpus++)
		text_copy(s->first, sizeof(s->first), cpu->name);
	return 0;
}

static int one_table(void *ctx, const struct vendor_event *event)
{
	struct search *s = ctx;

	s->cpus++;
	text_copy(s->first, sizeof(s->first), event->cpu);
	return 1;
}

static void why(const struct search *s, const struct events_target *target)
{
	const struct cpu *cpu = events_cpu(target);
	char others[24] = "", text[256];

	if (s->cpus > 1)
		snprintf(others, sizeof(others), " and %d more",
			 s->cpus - 1);
	snprintf(text, sizeof(text), "an event of %.40s%s, "
		 "not of this machine's %.30s%s", s->first, others,
		 cpu ? cpu->name : "CPU",
		 pmu_core(target->sysroot) ? "" :
		 ", which has no hardware counters either");
	text_copy(s->out->absent, sizeof(s->out->absent), text);
}

int other_resolve(struct encoding *out, const char *name,
		  const struct events_target *target, struct assay_error *err)
{
	struct search search = { .name = name, .out = out };
	int rc;

	if (strchr(name, '/'))
		return NOT_MINE;
	rc = cpu_each(target->data_dir, one_cpu, &search, err);
	if (rc < 0)
		return rc;
	if (!search.cpus)
		vendor_find(name, one_table, &search);
	if (!search.cpus)
		return NOT_MINE;
	out->family = ENCODING_NAME;
	why(&search, target);
	return FOUND;
}
