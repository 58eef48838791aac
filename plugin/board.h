/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What runs on a board; its callbacks. */
#ifndef PLUGIN_BOARD_H
#define PLUGIN_BOARD_H

#include "plugin/callbacks/qemu.h"

void board_translated(qemu_plugin_id_t id, struct qemu_plugin_tb *tb);
void board_exit(qemu_plugin_id_t id, void *data);

#endif
