/* SPDX-License-Identifier: MIT */
/* The kernels as rows. */
#ifndef API_KERNEL_INFO_H
#define API_KERNEL_INFO_H

#include "assay.h"

/*
 * Rows "kernel", one each; of the kernel of that name (not NULL) also its
 * options ("option") and its closed forms ("term", "holds"). Returns what fn
 * returned, or -ASSAY_ENOENT with a suggestion.
 */
int kernel_info(const char *name, assay_row_fn *fn, void *ctx,
		struct assay_error *err);

#endif
