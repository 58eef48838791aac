/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugin/why/stride.h"

void stride_add(struct tally_stride stride[TALLY_STRIDES], int64_t bytes)
{
	struct tally_stride *least = stride;

	for (struct tally_stride *s = stride; s < stride + TALLY_STRIDES;
	     s++) {
		if (s->bytes == bytes && s->count) {
			s->count++;
			return;
		}
		if (s->count < least->count)
			least = s;
	}
	least->bytes = bytes;
	least->over = least->count++;
}
