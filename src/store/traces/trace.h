/* SPDX-License-Identifier: MIT */
/*
 * Traces: access records from files and pipes, and into files. Reading needs
 * bounded memory, whatever the trace holds. Everything in a trace that access
 * records cannot carry is counted in a note. docs/trace-format.md describes
 * the formats.
 *
 * 1. An instruction is a FETCH and a RETIRE of 1; PC comes before its first
 *    load, store or branch.
 * 2. A size that is no power of two is rounded down to one, at an address such
 *    that the access touches the same lines of 16 to 64 bytes (trace_window()).
 * 3. zstd-compressed input is decompressed, whatever the format.
 */
#ifndef STORE_TRACES_TRACE_H
#define STORE_TRACES_TRACE_H

#include <stdint.h>

#include "assay/error.h"
#include "base/access.h"
#include "store/traces/traces.def"

#define TRACE_ID(id, ...) TRACE_##id,
enum trace_format {
	TRACES(TRACE_ID, , )
	TRACE_FORMATS,
	TRACE_ANY = TRACE_FORMATS	/* find out: mark, name or first line */
};
#undef TRACE_ID
/* The formats' names; NULL-terminated. */
extern const char *const trace_formats[TRACE_FORMATS + 1];

enum trace_flag {
	TRACE_MARKED = 1 << 0,	/* a file's first bytes decide, not its name */
	/* what traces of the format do not contain */
	TRACE_NO_BRANCHES = 1 << 1,
	TRACE_NO_SIZES = 1 << 2,
	TRACE_MAY_LACK_FETCHES = 1 << 3,	/* a trace may have none */
};

#define TRACE_NOTES 8
struct trace_note {
	const char *what;	/* one phrase; static */
	uint64_t count;		/* > 0 */
};

struct trace_summary {
	enum trace_format format;
	unsigned flags;		/* enum trace_flag, of the format */
	uint64_t records;	/* fed into the sink, without PC records */
	unsigned notes;
	struct trace_note note[TRACE_NOTES];
};

/* Called before each read of the file: true stops the reading. */
struct trace_stop {
	bool (*stopped)(void *ctx);	/* NULL: never */
	void *ctx;
};

/*
 * Feeds the trace at path ("-": stdin) into the sink. Returns 0; -ASSAY_ESTOP
 * if stop (may be NULL: never) ended the reading; as error_read();
 * -ASSAY_EPARSE with "file:line:col: error: ..." (text formats) or "file: byte
 * N: error: ..."; -ASSAY_EINVAL if the format is not known; -ASSAY_ENOMEM. The
 * records before an error have been fed, and *out is unchanged.
 */
int trace_read(const char *path, enum trace_format format,
	       const struct access_sink *sink, const struct trace_stop *stop,
	       struct trace_summary *out, struct assay_error *err);

/* The format of that name (NULL: TRACE_ANY). Returns 0 or -ASSAY_EINVAL. */
int trace_format_find(enum trace_format *out, const char *name,
		      struct assay_error *err);

/*
 * Writes assay's own format: everything that is fed into the writer's sink, and
 * pass ends. The sink never skips passes. trace_writer_close() writes the end,
 * returns 0 or the first failure since the opening (-ASSAY_EIO, -ASSAY_ENOMEM),
 * and frees the writer in every case.
 */
struct trace_writer;
int trace_writer_open(struct trace_writer **out, const char *path,
		      struct assay_error *err);
const struct access_sink *trace_writer_sink(struct trace_writer *writer);
int trace_writer_close(struct trace_writer *writer, struct assay_error *err);

#endif
