/* SPDX-License-Identifier: MIT */
/*
 * Traces: streams of accesses from files and pipes, and into them. Reading
 * needs bounded memory whatever the trace says, and loses nothing silently:
 * what a format holds and the stream cannot carry is counted and named.
 * docs/trace-format.md describes the formats.
 *
 * 1. An instruction is a FETCH and a RETIRE of 1; PC comes before its first
 *    load, store or branch.
 * 2. Sizes that are no power of two become the window of one that touches
 *    the same lines of 16 to 64 bytes (stream.c).
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
	TRACE_ANY = TRACE_FORMATS	/* by its mark, name or first line */
};
#undef TRACE_ID
/* The formats' names; NULL-terminated. */
extern const char *const trace_formats[TRACE_FORMATS + 1];

enum trace_flag {
	TRACE_MARKED = 1 << 0,	/* how a file begins decides, not its name */
	/* what the format has no place for */
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
	uint64_t records;	/* that the sink got, PC records left out */
	unsigned notes;
	struct trace_note note[TRACE_NOTES];
};

/* Asked for each piece that is read: is this enough? */
struct trace_stop {
	bool (*stopped)(void *ctx);	/* NULL: never */
	void *ctx;
};

/*
 * Feeds the whole trace at path ("-": stdin) into the sink. Returns 0;
 * -ASSAY_ESTOP if it was stopped before its end (stop may be NULL: never);
 * as error_read(); -ASSAY_EPARSE with "file:line:col: error: ..." (text
 * formats) or "file: byte N: error: ..."; -ASSAY_EINVAL if the format is not
 * known; -ASSAY_ENOMEM. What was read before a mistake has been fed.
 */
int trace_read(const char *path, enum trace_format format,
	       const struct access_sink *sink, const struct trace_stop *stop,
	       struct trace_summary *out, struct assay_error *err);

/* TRACE_ANY for NULL; -ASSAY_EINVAL with the known names. */
int trace_format_find(enum trace_format *out, const char *name,
		      struct assay_error *err);

/*
 * Writes the own format. Everything fed into the sink is written; pass marks
 * too. The sink never skips passes. trace_writer_close() writes the end and
 * tells about any failure on the way: 0, -ASSAY_EIO or -ASSAY_ENOMEM; it frees
 * the writer in every case.
 */
struct trace_writer;
int trace_writer_open(struct trace_writer **out, const char *path,
		      struct assay_error *err);
const struct access_sink *trace_writer_sink(struct trace_writer *writer);
int trace_writer_close(struct trace_writer *writer, struct assay_error *err);

#endif
