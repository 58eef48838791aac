/* SPDX-License-Identifier: MIT */
/*
 * Errors: a small negative code for the program, one sentence for the person.
 *
 * Every function that can fail returns 0 or a negative enum assay_code and
 * takes a caller-owned struct assay_error * (may be NULL) as its last
 * parameter. Outputs are untouched on failure.
 */
#ifndef ASSAY_ERROR_H
#define ASSAY_ERROR_H

#include "assay/export.h"

enum assay_code {
	ASSAY_OK = 0,
#define X(name, number, text) ASSAY_##name = (number),
#include "assay/errors.def"
#undef X
};

#define ASSAY_ERROR_TEXT 1024

struct assay_error {
	int code;		/* 0 or -ASSAY_E... */
	int sys_errno;		/* errno behind it, or 0 */
	char text[ASSAY_ERROR_TEXT];	/* cause first, no full stop; may hold
					 * further lines (source line, caret,
					 * "did you mean ...?") */
};

/* The meaning of 0 or -ASSAY_E..., in one phrase; never NULL. */
ASSAY_API const char *assay_code_text(int code);

#endif
