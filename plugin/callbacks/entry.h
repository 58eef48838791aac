/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Callbacks that also get the address of QEMU's state of the CPU. */
#ifndef PLUGIN_CALLBACKS_ENTRY_H
#define PLUGIN_CALLBACKS_ENTRY_H

#include "plugin/callbacks/qemu.h"

/* NULL: it is not known how generated code keeps the state on this machine. */
extern qemu_exec_fn *const entry_zeroed, *const entry_watched;
/* What entry_watched calls: regions_block(). What entry_zeroed calls: */
void zero_lines(unsigned vcpu, void *data, const uint64_t *state);

#endif
