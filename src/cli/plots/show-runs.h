/* SPDX-License-Identifier: MIT */
/* What plot and report have in common. */
#ifndef CLI_PLOTS_SHOW_RUNS_H
#define CLI_PLOTS_SHOW_RUNS_H

#include "cli/plots/shown.h"

/* Reads all runs that the user named and hands them to `put`. Returns the exit
 * code. */
int show_runs(struct context *context, int (*put)(struct shown *shown));

extern const struct option figure_option[];

#endif
