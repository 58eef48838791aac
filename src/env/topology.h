/* SPDX-License-Identifier: MIT */
/* hwloc's view of this machine; only topology.c includes hwloc. */
#ifndef ENV_TOPOLOGY_H
#define ENV_TOPOLOGY_H

#include "base/geometry.h"

/* Fills the caches that hwloc sees above the first processing unit. */
void topology_caches(struct geometry *out);

#endif
