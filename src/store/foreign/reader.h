/* SPDX-License-Identifier: MIT */
/*
 * What the readers of all foreign formats share: the scanner, the builder of
 * records, and the list of lines that a reader did not use. Functions that
 * return int give 0, or an error as foreign_read() does.
 */
#ifndef STORE_FOREIGN_READER_H
#define STORE_FOREIGN_READER_H

#include "store/foreign/build.h"
#include "store/foreign/foreign.h"
#include "store/foreign/scan.h"

struct reader {
	struct scan scan;
	struct build build;
	foreign_fn *fn;		/* or NULL */
	void *ctx;
	unsigned unused;
};

/*
 * Per format: foreign_NAME_begins() tells whether a text is of that format,
 * foreign_NAME_read() gives the text's counts to the builder.
 */
#define FOREIGN_READER(id, name, ...) \
	bool foreign_##name##_begins(const char *text, size_t bytes); \
	int foreign_##name##_read(struct reader *reader);
FOREIGNS(FOREIGN_READER, , )
#undef FOREIGN_READER

/* The line that was scanned last is not used, for the reason `why`. */
void reader_unused(struct reader *reader, const char *why);

/* build_add() for the line that was scanned last; a name that no record can
 * hold makes the line unused. */
int reader_add(struct reader *reader, const char *place, const char *event,
	       unsigned repeat, const struct assay_count *count);

/* Does a line of the text begin so? */
bool reader_has_line(const char *text, const char *begin);

#endif
