/* SPDX-License-Identifier: MIT */
/* Comparing one result after the other, whatever they come from. */
#ifndef API_VERIFY_H
#define API_VERIFY_H

#include "api/judge.h"

struct verify;

/* Takes a judged result in; hands out its rows. `run` is its run. */
int verify_take(struct verify *v, const struct run *run,
		const struct assay_result *result);

/*
 * Every record of a file, at the shape that it has. on: "replay:FILE".
 * A record of another kernel or ISA than this program knows is passed over.
 */
int verify_saved(struct assay *assay, struct verify *v, const char *on,
		 struct assay_error *err);

#endif
