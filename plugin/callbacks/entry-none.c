/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where it is not known how generated code keeps the CPU's state. */
#include "plugin/callbacks/entry.h"

qemu_exec_fn *const entry_zeroed, *const entry_watched;
