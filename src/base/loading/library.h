/* SPDX-License-Identifier: MIT */
/* Saying which library is missing (load.h loads them). */
#ifndef BASE_LIBRARY_H
#define BASE_LIBRARY_H

#include <stdbool.h>

#include "assay/error.h"
#include "base/loading/load.h"

struct library_row {
	const char *file, *package, *need;
	const char *brief;	/* "[FILE is not here: PACKAGE]" */
};

/* By enum library. */
extern const struct library_row libraries[];

/*
 * 0 if the library can be used; else -ASSAY_EUNAVAIL with the library's name,
 * what needs it, and the package. Loads the library: to be called before its
 * first use, or where its function failed.
 */
int library_need(enum library library, struct assay_error *err);
bool library_is_here(enum library library);
/* How to get libraries: "apt install PACKAGES" */
void library_cure(char *out, size_t room, const char *packages);
/* Adds the same as a further line, if the library is missing. */
void library_hint(enum library library, struct assay_error *err);

#endif
