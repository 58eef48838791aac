/* SPDX-License-Identifier: MIT */
/* What the rows of `assay topo` come to, in a sentence or two. */
#ifndef CLI_COMMANDS_TOPO_ANSWER_H
#define CLI_COMMANDS_TOPO_ANSWER_H

#include "cli/kept-rows.h"

/*
 * Sizes of caches and who disagrees about them; after a measurement, which
 * sizes timing confirms and which not, and which traits are not believed.
 */
void topo_answer(char *out, size_t room, const struct kept_rows *kept);

#endif
