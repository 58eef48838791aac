/* SPDX-License-Identifier: MIT */
/* Machines with no vector engine of their own. */
#include "sim/engine/engine.h"

const struct engine *engine_best(unsigned but)
{
	return but ? NULL : &engine_portable;
}
