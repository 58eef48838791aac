/* SPDX-License-Identifier: MIT */
/* The clock: one that no time daemon slews. */
#include <time.h>

#include "env/env.h"

uint64_t env_now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC_RAW, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}
