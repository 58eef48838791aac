/* SPDX-License-Identifier: MIT */
/* The parts of assay fleet. */
#ifndef CLI_FLEET_FLEET_H
#define CLI_FLEET_FLEET_H

#include "cli/context.h"

/* Each returns the exit code. */
int fleet_run(struct context *context);		/* run */
int fleet_compare(struct context *context);	/* check */

#endif
