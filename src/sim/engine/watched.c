/* SPDX-License-Identifier: MIT */
/* The engine for any CPU, which tells each lookup: see sim_watch. */
#define ENGINE_TELL(s, part, look, number) \
	(s)->watch((s)->watch_ctx, (enum sim_part)(part), (look), (number))
#ifndef ENGINE_ONE_LOOP
#define ENGINE_ONE_LOOP
#endif
#define engine_portable engine_watched
#include "sim/engine/portable.c"
