/* SPDX-License-Identifier: MIT */
/* Lists for people: the answer first, and what is not asked for left out. */
#ifndef CLI_COMMANDS_LISTED_H
#define CLI_COMMANDS_LISTED_H

#include "cli/context.h"
#include "cli/kept-rows.h"

/* One CPU: in a few lines, with -v every fact. */
void show_cpu(struct context *context, const struct kept_rows *kept);

/* Events: those that can be counted, and how many cannot, and why; with --all
 * all of them. */
void show_events(struct context *context, const struct kept_rows *kept);

#endif
