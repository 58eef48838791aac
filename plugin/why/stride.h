/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The most frequent strides of an instruction. */
#ifndef PLUGIN_WHY_STRIDE_H
#define PLUGIN_WHY_STRIDE_H

#include "store/programs/tally.h"

/* Space-saving (Metwally et al., 2005): a stride that finds no room takes the
 * place, and the count, of the rarest. */
void stride_add(struct tally_stride stride[TALLY_STRIDES], int64_t bytes);

#endif
