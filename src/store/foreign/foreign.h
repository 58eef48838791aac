/* SPDX-License-Identifier: MIT */
/*
 * Counts that other tools wrote, as records. The content of a file says its
 * format. A count that the tool scaled, averaged or rounded is an estimate in
 * the record, too; a count that is missing is absent, with the reason.
 * docs/foreign-counts.md describes the formats.
 */
#ifndef STORE_FOREIGN_H
#define STORE_FOREIGN_H

#include "store/foreign/formats.def"
#include "store/store.h"

#define FOREIGN_ID(id, ...) FOREIGN_##id,
enum foreign_format {
	FOREIGNS(FOREIGN_ID, , )
	FOREIGN_FORMATS,
	FOREIGN_NONE = FOREIGN_FORMATS
};
#undef FOREIGN_ID
/* A line that was not used; the texts are valid during the call. */
typedef void foreign_fn(void *ctx, unsigned line, const char *why,
			const char *text);

struct foreign {
	enum foreign_format format;
	struct store store;
	unsigned lines, unused;
	const char *lost;	/* what the format does not say; static */
};

/* The format that the text is of, or FOREIGN_NONE. */
enum foreign_format foreign_recognise(const char *text, size_t bytes);

/*
 * Reads a text of that format. fn may be NULL; `name` stands for the file in
 * messages and records. Returns 0 with at least one record for store_fini();
 * -ASSAY_EPARSE with file:line:col; -ASSAY_ENOMEM.
 */
int foreign_read(struct foreign *out, enum foreign_format format,
		 const char *name, const char *text, size_t bytes,
		 foreign_fn *fn, void *ctx, struct assay_error *err);

#endif
