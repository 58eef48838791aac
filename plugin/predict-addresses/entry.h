/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Callbacks that are told of a block, and add where QEMU keeps its state. */
#ifndef PLUGIN_PREDICT_ADDRESSES_ENTRY_H
#define PLUGIN_PREDICT_ADDRESSES_ENTRY_H

#include <stdint.h>

#include "plugin/callbacks/qemu.h"

/* What a block that is known ahead, and its code, look like: all that it
 * derives counts at once (rule 4 of plan.h), by one register each. */
enum { SHAPES = 5, SHAPE_ANY = SHAPES, ENTRIES };

/* entry-*.S: callbacks, which add QEMU's state; by shape, the number of
 * reaches. None is possible on this machine if the last is NULL. */
extern qemu_exec_fn *const entry_block[ENTRIES], *const entry_compared,
	     *const entry_zeroed;
typedef void state_fn(unsigned vcpu, void *data, const uint64_t *state);
state_fn raw_ahead_0, raw_ahead_1, raw_ahead_2, raw_ahead_3,
	 raw_ahead_4, raw_ahead_any, compare_block, zero_lines;

#endif
