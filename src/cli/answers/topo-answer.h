/* SPDX-License-Identifier: MIT */
/* What the rows of `assay topo` come to, in a sentence or two. */
#ifndef CLI_ANSWERS_TOPO_ANSWER_H
#define CLI_ANSWERS_TOPO_ANSWER_H

#include "cli/answers/phrase.h"
#include "cli/kept-rows.h"

/*
 * Sizes of caches and who disagrees about them; after a measurement, which
 * sizes timing confirms and which not, and which traits are not believed.
 */
void topo_answer(const struct kept_rows *kept, struct phrase *out);

#endif
