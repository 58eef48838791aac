/* SPDX-License-Identifier: MIT */
/* One event of a list, taken apart: its name and its modifiers. */
#ifndef EVENTS_ITEM_H
#define EVENTS_ITEM_H

#include "assay/error.h"
#include "base/encoding.h"

struct item {
	char complete[ASSAY_NAME];	/* as asked for */
	char name[ASSAY_NAME];	/* without modifiers */
	unsigned scope;		/* enum encoding_scope, 0: none given */
	unsigned precise;	/* how many p: of no effect on a count */
};

/*
 * Takes the next item off *list, which then points behind it; commas inside
 * slashes do not separate. Returns 1; 0 at the end; -ASSAY_EINVAL or
 * -ASSAY_ERANGE.
 */
int item_next(struct item *out, const char **list, struct assay_error *err);

#endif
