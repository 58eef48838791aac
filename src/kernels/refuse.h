/* SPDX-License-Identifier: MIT */
/* -ASSAY_ERANGE with a fixed sentence, where no printf is to be had. */
#ifndef KERNELS_REFUSE_H
#define KERNELS_REFUSE_H

#include <stddef.h>

#include "assay/error.h"

static inline int kernel_refuse(struct assay_error *err, const char *sentence)
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

#endif
