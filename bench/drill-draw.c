/* SPDX-License-Identifier: MIT */
/* What is drawn for each part of the fault drill. */
#include "drill.h"

#include <stdio.h>

#include "cpus/cpu.h"

uint64_t draw(struct drill *d, uint64_t below)
{
	d->state += UINT64_C(0x9e3779b97f4a7c15);
	uint64_t x = d->state;

	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return (x ^ x >> 31) % below;
}

const struct cpu_event *draw_event(struct drill *d)
{
	const struct cpu *cpu = d->base->target.cpu;
	const struct cpu_event *e;

	do
		e = &cpu->event[draw(d, cpu->events)];
	while (!e->present);
	return e;
}

void draw_map(struct drill *d, unsigned n, char *map, size_t room)
{
	d->base->seed = n ? 1 + (unsigned)draw(d, 1000000) : 0;
	if (n)
		snprintf(map, room, "random:%llu",
			 (unsigned long long)draw(d, 1000000));
	else
		snprintf(map, room, "identity");
}

bool accuses(enum assay_class class_)
{
	return (assay_class_trust(class_) == 0 &&
		class_ != ASSAY_CLASS_KNOWN) ||
	       class_ == ASSAY_CLASS_INTERRUPTS;
}
