/* SPDX-License-Identifier: MIT */
/* The words and limits that the writer and the reader of records share. */
#ifndef STORE_SCHEMA_H
#define STORE_SCHEMA_H

#include <stdint.h>

#include "assay/shape.h"

/* Whole numbers up to here are JSON numbers, larger ones are strings. */
#define SCHEMA_EXACT (UINT64_C(1) << 53)

#define SCHEMA_LINE_BYTES (16u << 20)	/* one line at most */
#define SCHEMA_REPEATS 65536u		/* repetitions in one record */
#define SCHEMA_RECORDS 65536u		/* records in one file */
#define SCHEMA_REASON_BYTES 1024u	/* of one reason, with its end */
#define SCHEMA_REASONS 256u		/* different reasons in one record */

enum { SCHEMA_KINDS = ASSAY_OPTION_REAL + 1 };
/* The words of enum assay_option_kind; NULL-terminated. */
extern const char *const schema_kinds[SCHEMA_KINDS + 1];

/* Stands where a writer gave no reason. */
extern const char schema_no_reason[];

#endif
