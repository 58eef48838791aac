/* SPDX-License-Identifier: MIT */
/*
 * What kernels do with their shapes: options by position, a refusal, and the
 * functions of a descriptor that has nothing to do there. Freestanding.
 *
 * kernel_defaults() puts the options in the order of the kernel's option rows;
 * shapes from elsewhere go through kernel_check() first. A run() reads options
 * by position because a search by name would be counted.
 */
#ifndef KERNELS_SHAPE_H
#define KERNELS_SHAPE_H

#include <stddef.h>

#include "assay/error.h"
#include "assay/shape.h"
#include "base/arena.h"

static inline int64_t option_value(const struct assay_shape *shape,
				   unsigned index)
{
	return shape->option[index].value;
}

/* An option that is a number and not negative. */
static inline uint64_t count_of(const struct assay_shape *shape,
				    unsigned index)
{
	return (uint64_t)shape->option[index].value;
}

/* Returns -ASSAY_ERANGE with a fixed sentence: printf is not freestanding. */
static inline int shape_refuse(struct assay_error *err, const char *sentence)
{
	size_t i;

	if (!err)
		return -ASSAY_ERANGE;
	for (i = 0; sentence[i] && i < ASSAY_ERROR_TEXT - 1; i++)
		err->text[i] = sentence[i];
	err->text[i] = '\0';
	err->code = -ASSAY_ERANGE;
	err->sys_errno = 0;
	return -ASSAY_ERANGE;
}

/* resolve: no option is derived, and none depends on another. */
static inline int plain_resolve(struct assay_shape *shape,
				struct assay_error *err)
{
	(void)shape, (void)err;
	return 0;
}

/* arena_bytes, accesses: none. */
static inline uint64_t plain_none(const struct assay_shape *shape)
{
	(void)shape;
	return 0;
}

/* prepare: the arena may hold anything. */
static inline void plain_prepare(const struct assay_shape *shape,
				 struct arena *arena)
{
	(void)shape, (void)arena;
}

#endif
