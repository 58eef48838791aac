/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which callbacks a block gets when QEMU translates it. */
#ifndef PLUGIN_CALLBACKS_WATCH_H
#define PLUGIN_CALLBACKS_WATCH_H

struct block;
struct qemu_plugin_tb;

void watch_block(struct qemu_plugin_tb *tb, struct block *b);

#endif
