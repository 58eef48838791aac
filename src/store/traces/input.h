/* SPDX-License-Identifier: MIT */
/*
 * Bytes of a trace, with their place, through a window of fixed size. A zstd
 * stream is decompressed on the way; places then count decompressed bytes.
 */
#ifndef STORE_TRACES_INPUT_H
#define STORE_TRACES_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "assay/error.h"
#include "store/traces/trace.h"

#define TRACE_WINDOW (256u << 10)	/* can be asked for at once */

struct trace_input {
	const char *name;	/* for people */
	FILE *file;
	bool own;		/* the file is closed at the end */
	bool end;		/* nothing more will come */
	uint64_t offset;	/* of data[at] */
	unsigned char *data;
	size_t at, bytes;
	/* zstd */
	void *stream;		/* ZSTD_DStream, or NULL */
	bool open_frame;
	unsigned char *packed;
	size_t packed_at, packed_bytes;
	struct trace_stop stop;
	struct assay_error *err;	/* for complaints; or NULL */
};

/* Returns 0, -ASSAY_EIO or -ASSAY_ENOMEM; to be closed only if 0. */
int trace_input_open(struct trace_input *in, const char *path,
		     struct assay_error *err);
void trace_input_close(struct trace_input *in);

/*
 * Makes at least n bytes (<= TRACE_WINDOW) stand at data + at, or all that is
 * left. Returns 1 if they do, 0 if fewer are left, or an error; -ASSAY_ESTOP.
 */
int trace_input_need(struct trace_input *in, size_t n);

static inline const unsigned char *trace_input_data(const struct trace_input *in)
{
	return in->data + in->at;
}

static inline size_t trace_input_left(const struct trace_input *in)
{
	return in->bytes - in->at;
}

static inline void trace_input_take(struct trace_input *in, size_t n)
{
	in->at += n;
	in->offset += n;
}

/* -ASSAY_EPARSE: "file: byte N: error: ..." at offset. */
int trace_input_error(const struct trace_input *in, uint64_t offset,
		      const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
