/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where it is not known how generated code keeps the CPU's state. */
#include "plugin/callbacks/fault.h"
#include "plugin/predict-addresses/entry.h"

qemu_exec_fn *const entry_block[ENTRIES], *const entry_compared,
	     *const entry_zeroed;

/* Nothing is found ahead. */
void fault_watch(void)
{
}
