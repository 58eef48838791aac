/* SPDX-License-Identifier: MIT */
/*
 * Records from whatever file: assay's own, the log of an image's serial line, a
 * table of counts, or the counts of another tool. The content says which, or the
 * caller does.
 */
#ifndef RUN_IMPORT_H
#define RUN_IMPORT_H

#include "store/foreign/foreign.h"
#include "store/places.h"
#include "store/uart.h"
#include "tables/table.h"

#define IMPORT_BYTES (1u << 30)	/* larger files are refused */

/* "uart", "records", "csv", and the words of formats.def; NULL-terminated. */
extern const char *const import_formats[];

/* A line that was not used, or was damaged; valid during the call. */
struct import_mark {
	const char *what;	/* "noise", "damaged", "fault", "error",
				 * "unused" */
	unsigned line;		/* from 1 */
	const char *why, *text;
};
typedef void import_fn(void *ctx, const struct import_mark *mark);

struct import_source {
	const char *path;	/* "-": stdin */
	const char *from;	/* of import_formats; NULL: by the content */
	const char *data_dir;	/* for records by name, or NULL */
	struct table_reading table;	/* of "csv"; a map: the file is one */
	struct places *places;	/* gets the rows by line of "records"; or
				 * NULL. For places_fini() */
	import_fn *fn;		/* or NULL */
	void *ctx;
};

struct imported {
	const char *format;	/* of import_formats */
	const char *lost;	/* what the format does not say, or NULL */
	struct store store;
	unsigned lines, unused;
	struct uart_log log;	/* of "uart"; its store is empty */
};

/*
 * Reads the file. Returns 0 with records for store_fini(); as store_read();
 * -ASSAY_EINVAL for a file of unknown content.
 */
int import_read(struct imported *out, const struct import_source *source,
		struct assay_error *err);

#endif
