/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which lines each instruction has missed: an exact set, up to a limit. */
#ifndef PLUGIN_WHY_FOOTPRINT_H
#define PLUGIN_WHY_FOOTPRINT_H

#include <stdbool.h>
#include <stdint.h>

/* 64 neighbouring lines of one owner; key 0: empty. */
struct footprint_entry {
	uint64_t key, lines;
};

struct footprint {
	struct footprint_entry *entry;
	uint32_t room, used;	/* room: a power of two */
};

enum footprint_answer { FOOTPRINT_OLD, FOOTPRINT_NEW, FOOTPRINT_FULL };

/* false: no memory. */
bool footprint_build(struct footprint *f);
void footprint_reset(struct footprint *f);
/* Adds a line to those of an owner (above 0). */
enum footprint_answer footprint_add(struct footprint *f, uint32_t owner,
				    uint32_t number);

#endif
