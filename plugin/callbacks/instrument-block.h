/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which callbacks a block gets when QEMU translates it. */
#ifndef PLUGIN_CALLBACKS_INSTRUMENT_BLOCK_H
#define PLUGIN_CALLBACKS_INSTRUMENT_BLOCK_H

struct block;
struct qemu_plugin_tb;

void instrument_block(struct qemu_plugin_tb *tb, const struct block *b);

#endif
