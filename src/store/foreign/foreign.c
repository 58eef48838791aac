/* SPDX-License-Identifier: MIT */
/* Finding out the format of foreign counts, and reading them. */
#include "store/foreign/foreign.h"

#include <string.h>

#include "base/text.h"
#include "store/foreign/reader.h"

#define READER(id, name, from, words, lost) \
	{ from, foreign_##name##_begins, foreign_##name##_read, lost },
static const struct format {
	const char *name;
	bool (*begins)(const char *text, size_t bytes);
	int (*read)(struct reader *reader);
	const char *lost;
} formats[FOREIGN_FORMATS] = { FOREIGNS(READER, , ) };

enum foreign_format foreign_recognise(const char *text, size_t bytes)
{
	int i = 0;

	while (i < FOREIGN_FORMATS && !formats[i].begins(text, bytes))
		i++;
	return (enum foreign_format)i;
}

/* ---- the call ------------------------------------------------------------ */

static int make_records(struct reader *r, struct store *store)
{
	const int rc = build_records(&r->build, store);

	if (rc == -ASSAY_ERANGE)
		return error_set(r->scan.err, rc, "'%.200s' has more events, "
				 "places or times than records can hold",
				 r->scan.file);
	if (rc)
		return error_set(r->scan.err, rc, "out of memory");
	if (store->records)
		return 0;
	return error_set(r->scan.err, -ASSAY_EPARSE, "'%.200s' holds no "
			 "counts", r->scan.file);
}

int foreign_read(struct foreign *out, enum foreign_format format,
		 const char *name, const char *text, size_t bytes,
		 foreign_fn *fn, void *ctx, struct assay_error *err)
{
	struct reader r = {
		.scan = { .file = name, .text = text, .bytes = bytes,
			  .err = err },
		.fn = fn, .ctx = ctx,
	};
	struct store store = { 0 };
	int rc;

	build_open(&r.build, name, formats[format].name);
	rc = formats[format].read(&r);
	rc = rc ? rc : make_records(&r, &store);
	build_close(&r.build);
	scan_close(&r.scan);
	if (rc) {
		store_fini(&store);
		return rc;
	}
	*out = (struct foreign){
		.format = format, .store = store, .lines = r.scan.number,
		.unused = r.unused, .lost = formats[format].lost,
	};
	return 0;
}
