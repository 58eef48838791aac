/* SPDX-License-Identifier: MIT */
/* All names of a target, and the one that was probably meant. */
#ifndef EVENTS_NAMES_H
#define EVENTS_NAMES_H

#include "events/source.h"

int names_walk(const struct events_target *target, event_name_fn *fn,
	       void *ctx);

/*
 * The name nearest to a mistaken one; false if none is near. Case and the
 * difference between '.' and ':' do not matter.
 */
bool names_nearest(char out[ASSAY_NAME], const char *name,
		   const struct events_target *target);

#endif
