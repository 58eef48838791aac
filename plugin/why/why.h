/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --why: the reasons of misses, per instruction. The simulator tells each of
 * its lookups (sim_watch), while one record after the other is fed; so a lookup
 * belongs to the instruction of the record that is being fed. Hits that the
 * filter only counts are told by records of their own, which the simulator does
 * not get: they change the order of the lines of a fully associative cache.
 */
#ifndef PLUGIN_WHY_WHY_H
#define PLUGIN_WHY_WHY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/access.h"
#include "base/geometry.h"

/* Watches the simulator. NULL, or why that cannot be. */
const char *why_build(const struct geometry *g);
/* All caches are empty, and the simulator is a new one. */
void why_reset(void);
/* Feeds a record of that site to the simulator. false: it was a hit, as below,
 * and the simulator did not get it. */
bool why_feed(uint64_t record, uint32_t site);

/* A kind of record that no trace has; its site: which access. */
enum { WHY_HIT = 14, WHY_STORE = 1, WHY_CODE = 2 };

static inline uint64_t why_hit(uint64_t record)
{
	return access_pack((enum access_kind)WHY_HIT,
			   access_log2_bytes(record),
			   access_kind(record) == ACCESS_LOAD ? 0 : WHY_STORE,
			   access_operand(record));
}

static inline uint64_t why_code_hit(uint64_t address)
{
	return access_pack((enum access_kind)WHY_HIT, 0, WHY_CODE, address);
}

#endif
