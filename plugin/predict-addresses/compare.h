/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Are addresses that are known ahead the same as QEMU's? */
#ifndef PLUGIN_PREDICT_ADDRESSES_COMPARE_H
#define PLUGIN_PREDICT_ADDRESSES_COMPARE_H

#include "plugin/callbacks/qemu.h"
#include "plugin/predict-addresses/plan.h"

qemu_mem_fn compare_access;
/* Enough of them were, for that plan. */
bool compare_done(const struct plan *plan);

#endif
