/* SPDX-License-Identifier: MIT */
/* The kernels as rows, for assay_list(). */
#ifndef API_KERNEL_INFO_H
#define API_KERNEL_INFO_H

#include "assay.h"

/*
 * name NULL: a "kernel" row for each kernel. Otherwise the "kernel" row of the
 * kernel `name`, a row for each of its options ("option"), and its closed forms
 * ("term", "holds"). Returns what fn returned, or -ASSAY_ENOENT with the
 * nearest name.
 */
int kernel_info(const char *name, assay_row_fn *fn, void *ctx,
		struct assay_error *err);

#endif
