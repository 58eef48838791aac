/* SPDX-License-Identifier: MIT */
/*
 * A command as one of many ranks that srun, mpirun or another launcher started:
 * each rank writes a file of its own, and one rank of a node measures.
 */
#ifndef CLI_FLEET_RANKS_H
#define CLI_FLEET_RANKS_H

#include "cli/context.h"

/* --all-ranks: of commands whose ranks on one node would disturb each other. */
extern const struct option rank_options[];

/*
 * Reads the launcher's environment into context->ranks and expands the name of
 * -o. Without -o, several ranks get a name each. Returns 0; -ASSAY_EINVAL also
 * if all ranks would write one file; -ASSAY_ENOMEM.
 */
int ranks_open(struct context *context, struct assay_error *err);
/* The name of -o, or of a rank without -o, with its %h, %r ...: the ending of
 * this name chooses the format, and no node's name does. NULL: none. */
const char *ranks_pattern(const struct context *context);
/*
 * Runs the command (controls_run), unless another rank of this node measures.
 * Returns the exit code.
 */
int ranks_run(struct context *context);
void ranks_close(struct context *context);

#endif
