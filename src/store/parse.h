/* SPDX-License-Identifier: MIT */
/* One line of JSON -> one record. */
#ifndef STORE_PARSE_H
#define STORE_PARSE_H

#include "assay/record.h"
#include "store/node.h"

/*
 * Returns 0 and a record owned by the caller, or NULL if the line is of
 * another type; -ASSAY_EPARSE with file:line:col; -ASSAY_ENOMEM.
 */
int parse_line(struct assay_record **out, const struct line *line);

/*
 * The member `noise` of a record; *out stays as it is if there is none. Returns
 * 0 or -ASSAY_EPARSE with the place.
 */
int parse_noise(struct assay_noise *out, const struct node *root);

#endif
