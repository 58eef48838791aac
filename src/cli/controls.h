/* SPDX-License-Identifier: MIT */
/* A command that runs while the machine's settings are changed. */
#ifndef CLI_CONTROLS_H
#define CLI_CONTROLS_H

#include "cli/context.h"

/*
 * Runs the command. One that has control_options among its options finds and
 * undoes what a killed run left, and has its settings for the time of the run.
 */
int controls_run(struct context *context);

#endif
