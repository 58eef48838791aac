/* SPDX-License-Identifier: MIT */
/* One kernel with its options filled in. A plain value: copy it freely. */
#ifndef ASSAY_SHAPE_H
#define ASSAY_SHAPE_H

#include <stdint.h>

#include "assay/export.h"

#define ASSAY_SHAPE_OPTIONS 16
#define ASSAY_NAME 256	/* bytes of a name, with its NUL */

enum assay_option_kind {
	ASSAY_OPTION_COUNT,	/* whole number; K M G suffixes are powers of
				 * 1024 */
	ASSAY_OPTION_BYTES,	/* the same, shown as KiB, MiB ... */
	ASSAY_OPTION_CHOICE,	/* one word of a list; value = its index */
	ASSAY_OPTION_FLAG,	/* on or off; value = 1 or 0 */
	ASSAY_OPTION_REAL,	/* a decimal; value = millionths */
};

struct assay_shape_value {
	char name[24];
	enum assay_option_kind kind;
	int64_t value;
	char word[24];		/* CHOICE: the word itself */
};

struct assay_shape {
	char kernel[24];
	unsigned options;
	struct assay_shape_value option[ASSAY_SHAPE_OPTIONS];
};

/* The value of an option; the shape must have it (asserted). */
ASSAY_API int64_t assay_shape_get(const struct assay_shape *shape,
				  const char *name);

/* Index of the option in the shape, or -1. */
ASSAY_API int assay_shape_find(const struct assay_shape *shape,
			       const char *name);

#endif
