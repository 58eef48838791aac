/* SPDX-License-Identifier: MIT */
/*
 * One record <-> one line of JSON: the reader, and the words and limits that
 * the reader (parse.c) and the writer (emit.c) share. docs/record.md describes
 * the schema.
 */
#ifndef STORE_RECORD_LINE_H
#define STORE_RECORD_LINE_H

#include <stdint.h>

#include "assay/record.h"
#include "assay/shape.h"
#include "store/node.h"

/* Whole numbers up to this are JSON numbers, larger ones are strings. */
#define SCHEMA_EXACT (UINT64_C(1) << 53)

#define SCHEMA_LINE_BYTES (16u << 20)	/* of one line at most */
#define SCHEMA_REPEATS 65536u		/* repetitions of one record */
#define SCHEMA_RECORDS 65536u		/* records of one file */
#define SCHEMA_REASON_BYTES 1024u	/* of one reason, with its NUL */
#define SCHEMA_REASONS 256u		/* different reasons in one record */

enum { SCHEMA_KINDS = ASSAY_OPTION_REAL + 1 };
/* The words of enum assay_option_kind; NULL-terminated. */
extern const char *const schema_kinds[SCHEMA_KINDS + 1];

/* The reason of an absent value for which none was given. */
extern const char schema_no_reason[];

/*
 * Returns 0 with a record owned by the caller, or with NULL if the line has
 * another type; -ASSAY_EPARSE with file:line:col; -ASSAY_ENOMEM.
 */
int parse_line(struct assay_record **out, const struct line *line);
/* The member "shape" of a record's line. Returns as node_object(). */
int parse_shape(struct assay_shape *out, const struct node *root);

#endif
