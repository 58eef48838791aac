/* SPDX-License-Identifier: MIT */
/* libpfm4 for the files of this room that read its tables. */
#ifndef EVENTS_VENDOR_H
#define EVENTS_VENDOR_H

#include <perfmon/pfmlib.h>
#include <stdbool.h>

#include "events/code.h"

/* Loads libpfm4, with the tables of all CPUs; false: there is no library. */
bool vendor_ready(void);

/* The PMU of that number; false: libpfm4 has none. */
bool vendor_pmu(pfm_pmu_info_t *out, int pmu);

/* The layout of the codes of a core PMU's table. */
enum code_layout vendor_layout(const char *table);

#endif
