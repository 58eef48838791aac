/* SPDX-License-Identifier: MIT */
/* Pinning the calling thread to one CPU, and undoing the pinning. */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <string.h>

#include "base/text.h"
#include "env/env.h"

_Static_assert(sizeof(cpu_set_t) == sizeof(((struct env_affinity *)0)->mask),
	       "the mask holds a cpu_set_t");

static int pin_failed(int cpu, const cpu_set_t *allowed,
		      struct assay_error *err)
{
	const int saved = errno;
	int code;

	if (!CPU_ISSET(cpu, allowed))
		code = error_set(err, -ASSAY_ERANGE, "CPU %d is not among the "
				 "CPUs that this process may use, or is not "
				 "there", cpu);
	else
		code = error_set(err, -ASSAY_EPERM, "cannot run on CPU %d: %s",
				 cpu, strerror(saved));
	if (err)
		err->sys_errno = saved;
	return code;
}

int env_pin(int cpu, struct env_affinity *old, struct assay_error *err)
{
	cpu_set_t allowed, one;

	CPU_ZERO(&allowed);
	CPU_ZERO(&one);
	if (cpu < 0 || cpu >= CPU_SETSIZE)
		return error_set(err, -ASSAY_ERANGE,
				 "CPU %d: must be 0 to %d", cpu,
				 CPU_SETSIZE - 1);
	if (sched_getaffinity(0, sizeof(allowed), &allowed))
		return error_set(err, -ASSAY_EPERM,
				 "cannot read the CPU affinity: %s",
				 strerror(errno));
	CPU_SET(cpu, &one);
	if (sched_setaffinity(0, sizeof(one), &one))
		return pin_failed(cpu, &allowed, err);
	memcpy(old->mask, &allowed, sizeof(old->mask));
	old->changed = true;
	return 0;
}

void env_unpin(const struct env_affinity *old)
{
	cpu_set_t mask;

	if (!old->changed)
		return;
	memcpy(&mask, old->mask, sizeof(mask));
	sched_setaffinity(0, sizeof(mask), &mask);
}
