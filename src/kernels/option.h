/* SPDX-License-Identifier: MIT */
/*
 * The options of a shape by position. kernel_defaults() puts them in the order
 * of the kernel's option rows; shapes from elsewhere go through kernel_check()
 * first. A run() reads them this way because a search by name would be counted.
 */
#ifndef KERNELS_OPTION_H
#define KERNELS_OPTION_H

#include "assay/shape.h"

static inline int64_t option_value(const struct assay_shape *shape,
				   unsigned index)
{
	return shape->option[index].value;
}

#endif
