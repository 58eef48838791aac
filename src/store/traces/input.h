/* SPDX-License-Identifier: MIT */
/*
 * The bytes of a trace and their offsets, through a window of fixed size. A
 * zstd stream is decompressed; offsets then count decompressed bytes.
 */
#ifndef STORE_TRACES_INPUT_H
#define STORE_TRACES_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "assay/error.h"
#include "store/traces/trace.h"

#define TRACE_WINDOW (256u << 10)	/* largest n of trace_input_need() */

struct trace_input {
	const char *name;	/* in messages */
	FILE *file;
	bool own;		/* file is closed by trace_input_close() */
	bool end;		/* the file has no more bytes */
	uint64_t offset;	/* of data[at], in the trace */
	unsigned char *data;	/* data[at] to data[bytes - 1] are unread */
	size_t at, bytes;
	void *stream;		/* ZSTD_DStream; NULL: not compressed */
	bool open_frame;	/* the zstd frame has not ended */
	unsigned char *packed;	/* compressed bytes, likewise */
	size_t packed_at, packed_bytes;
	struct trace_stop stop;
	struct assay_error *err;	/* for errors; or NULL */
};

/*
 * Opens a trace ("-": stdin). Returns 0, as error_read(), -ASSAY_EPARSE,
 * -ASSAY_EINVAL for another compression, or -ASSAY_ENOMEM. Only after 0 the
 * input must be closed.
 */
int trace_input_open(struct trace_input *in, const char *path,
		     struct assay_error *err);
void trace_input_close(struct trace_input *in);

/*
 * Reads until at least n (<= TRACE_WINDOW) unread bytes are in data. Returns 1;
 * 0 if the trace has fewer left, all of them then are in data; or an error, as
 * trace_read().
 */
int trace_input_need(struct trace_input *in, size_t n);

static inline const unsigned char *trace_input_data(
	const struct trace_input *in)
{
	return in->data + in->at;
}

static inline size_t trace_input_left(const struct trace_input *in)
{
	return in->bytes - in->at;
}

/* Marks n bytes as read. */
static inline void trace_input_skip(struct trace_input *in, size_t n)
{
	in->at += n;
	in->offset += n;
}

/* Sets "file: byte OFFSET: error: ..." and returns -ASSAY_EPARSE. */
int trace_input_error(const struct trace_input *in, uint64_t offset,
		      const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
