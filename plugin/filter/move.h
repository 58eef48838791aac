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

/* The program's address again. One that found no place below is its own. */
static inline uint64_t moved_back(uint64_t address)
{
	const uint64_t place = address >> GIB;

	return place >= LOW_GIBS ? address :
	       session.gib[place] << GIB | (address & ((1u << GIB) - 1));
}

#endif
