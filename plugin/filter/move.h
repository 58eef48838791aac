/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Programs' addresses to where the simulator is fast. */
#ifndef PLUGIN_FILTER_MOVE_H
#define PLUGIN_FILTER_MOVE_H

#include "plugin/filter/filter.h"
#include "plugin/session.h"

#define GIB 30
#define LOW_GIBS 16

void move_in(uint64_t gib);
filter_move move_of;

/* The record with its operand's GiB exchanged; see move_in(). */
static inline uint64_t moved(uint64_t record)
{
	const uint64_t *flip = &session.move[access_operand(record) >> GIB];

	if (__builtin_expect(!__atomic_load_n(flip, __ATOMIC_RELAXED), false))
		move_in(access_operand(record) >> GIB);
	return record ^ (__atomic_load_n(flip, __ATOMIC_RELAXED) - 1);
}

#endif
