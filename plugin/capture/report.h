/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rule 9 of session.h: what QEMU reports. */
#ifndef PLUGIN_CAPTURE_REPORT_H
#define PLUGIN_CAPTURE_REPORT_H

#include "plugin/callbacks/qemu.h"

/* Callbacks; report.c has what their data is. */
qemu_exec_fn report_block;
qemu_mem_fn report_access, report_access_first, report_access_odd;

#endif
