/* SPDX-License-Identifier: MIT */
/* What a kernel puts into its descriptor where it has nothing to do. */
#ifndef KERNELS_PLAIN_H
#define KERNELS_PLAIN_H

#include "assay/error.h"
#include "assay/shape.h"
#include "base/arena.h"

/* resolve: no option is derived, and none depends on another. */
int plain_resolve(struct assay_shape *shape, struct assay_error *err);

/* arena_bytes, accesses: none. */
uint64_t plain_none(const struct assay_shape *shape);

/* prepare: nothing to fill. */
void plain_prepare(const struct assay_shape *shape, struct arena *arena);

#endif
