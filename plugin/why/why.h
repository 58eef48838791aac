/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --why: the reasons of misses, per instruction. The simulator tells each of
 * its lookups (sim_watch), while one record after the other is fed, unfiltered;
 * so a lookup belongs to the instruction of the record that is being fed.
 */
#ifndef PLUGIN_WHY_WHY_H
#define PLUGIN_WHY_WHY_H

#include <stdint.h>

#include "base/geometry.h"

/* Watches the simulator. NULL, or why that cannot be. */
const char *why_build(const struct geometry *g);
/* All caches are empty, and the simulator is a new one. */
void why_reset(void);
/* Feeds a record of that site to the simulator. */
void why_feed(uint64_t record, uint32_t site);

#endif
