/* SPDX-License-Identifier: MIT */
/* Which events of a vendor's list a new CPU file gets. */
#ifndef CPUFILE_TOPICS_H
#define CPUFILE_TOPICS_H

#include <stdbool.h>

/* Does an event of that name count what people quote of caches, TLBs,
 * branches, instructions or time? */
bool topic_of(const char *name);

#endif
