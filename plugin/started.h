/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Programs that are run and not simulated. */
#ifndef PLUGIN_STARTED_H
#define PLUGIN_STARTED_H

#include <stdint.h>

/* Names one in the tally. */
void started_note(uint64_t path, uint64_t arguments);

#endif
