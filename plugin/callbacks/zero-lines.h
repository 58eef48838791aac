/* SPDX-License-Identifier: GPL-2.0-or-later */
/* DC ZVA of AArch64, whose stores QEMU does not report. */
#ifndef PLUGIN_CALLBACKS_ZERO_LINES_H
#define PLUGIN_CALLBACKS_ZERO_LINES_H

#include "plugin/decode/block.h"

/* Can the stores be found, if the instruction of that index is one? */
bool zero_possible(const struct block *b, uint32_t index);
/* If it is one: each execution calls fn for every line that it zeroes. */
void zero_instrument(struct qemu_plugin_tb *tb, uint32_t index, qemu_mem_fn *fn,
		void *data);

#endif
