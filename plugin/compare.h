/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Are addresses that are known ahead the same as QEMU's? */
#ifndef PLUGIN_COMPARE_H
#define PLUGIN_COMPARE_H

#include "plan.h"
#include "qemu.h"

qemu_mem_fn compare_access;
/* Enough of them were, for that plan. */
bool compare_done(const struct plan *plan);

#endif
