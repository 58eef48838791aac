/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Programs that are run and not simulated. */
#ifndef PLUGIN_CHILDREN_NOT_SIMULATED_H
#define PLUGIN_CHILDREN_NOT_SIMULATED_H

#include <stdint.h>

#include "plugin/session.h"

/* Names one in the tally, and whether it can be simulated by itself. */
void not_simulated_note(uint64_t path, uint64_t arguments, enum tally_exec why);

#endif
