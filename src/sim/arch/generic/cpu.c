/* SPDX-License-Identifier: MIT */
/* Machines with no vector engine of their own. */
#include "sim/engine.h"

const struct engine *engine_best(void)
{
	return &engine_portable;
}
