/* SPDX-License-Identifier: MIT */
/* Reading a trace's bytes from files, pipes and zstd streams. See input.h. */
#include "store/traces/input.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "base/loading/library.h"
#include "base/text.h"

enum { PACKED = 64 << 10, DATA = 2 * TRACE_WINDOW };

int trace_input_error(const struct trace_input *in, uint64_t offset,
		      const char *format, ...)
{
	char why[400];
	va_list args;

	va_start(args, format);
	vsnprintf(why, sizeof(why), format, args);
	va_end(args);
	return error_set(in->err, -ASSAY_EPARSE, "%.300s: byte %" PRIu64
			 ": error: %s", in->name, offset, why);
}

/* Reads up to room bytes; *got is 0 at the end of the file. */
static int read_file(struct trace_input *in, unsigned char *to, size_t room,
		     size_t *got)
{
	if (in->stop.stopped && in->stop.stopped(in->stop.ctx))
		return error_set(in->err, -ASSAY_ESTOP, "stopped");
	errno = 0;
	*got = fread(to, 1, room, in->file);
	if (!*got && ferror(in->file))
		return error_read(in->err, in->name);
	return 0;
}

/* The offset behind all bytes in data. */
static uint64_t here(const struct trace_input *in)
{
	return in->offset + trace_input_left(in);
}

/* Reads more compressed bytes. Returns 1; 0 at the end of the last frame. */
static int refill(struct trace_input *in)
{
	int rc = read_file(in, in->packed, PACKED, &in->packed_bytes);

	in->packed_at = 0;
	if (rc < 0 || in->packed_bytes)
		return rc < 0 ? rc : 1;
	return in->open_frame ? trace_input_error(in, here(in), "the "
					"compressed data ends too early") : 0;
}

static int not_unpacked(const struct trace_input *in, size_t code)
{
	if (ZSTD_getErrorCode(code) == ZSTD_error_frameParameter_windowTooLarge)
		return error_set(in->err, -ASSAY_EINVAL, "'%.300s' is packed "
				 "with a window of more than 128 MiB: unpack "
				 "it into a pipe (zstd -dc --long=31 FILE | "
				 "assay sim --trace - --format ...)", in->name);
	return trace_input_error(in, here(in), "the compressed data is "
				 "damaged: %s", ZSTD_getErrorName(code));
}

/* Decompresses until there is output, or the input has ended. */
static int unpack(struct trace_input *in, size_t *got)
{
	ZSTD_outBuffer out = { in->data + in->bytes, DATA - in->bytes, 0 };
	int more = 1;

	while (!out.pos && more > 0) {
		ZSTD_inBuffer from = { in->packed, in->packed_bytes,
				       in->packed_at };
		size_t rest;

		if (!in->open_frame && from.pos == from.size) {
			more = refill(in);
			continue;
		}
		rest = ZSTD_decompressStream(in->stream, &out, &from);
		if (ZSTD_isError(rest))
			return not_unpacked(in, rest);
		in->packed_at = from.pos;
		in->open_frame = rest != 0;
		if (!out.pos && from.pos == from.size)
			more = refill(in);
	}
	*got = out.pos;
	return more < 0 ? more : 0;
}

int trace_input_need(struct trace_input *in, size_t n)
{
	size_t got;
	int rc;

	while (trace_input_left(in) < n && !in->end) {
		if (DATA - in->bytes < TRACE_WINDOW) {
			memmove(in->data, in->data + in->at,
				trace_input_left(in));
			in->bytes -= in->at;
			in->at = 0;
		}
		rc = in->stream ? unpack(in, &got) :
		     read_file(in, in->data + in->bytes, DATA - in->bytes,
			       &got);
		if (rc < 0)
			return rc;
		in->bytes += got;
		in->end = !got;
	}
	return trace_input_left(in) >= n;
}

/* A zstd frame of data; or a skippable frame, with which pzstd begins. */
static bool is_zstd(const unsigned char *data)
{
	static const unsigned char magic[] = { 0x28, 0xb5, 0x2f, 0xfd };
	static const unsigned char skip[] = { 0x2a, 0x4d, 0x18 };

	return memcmp(data, magic, sizeof(magic)) == 0 ||
	       (data[0] >> 4 == 5 && memcmp(data + 1, skip, sizeof(skip)) == 0);
}

/* If the trace is a zstd stream, makes the bytes in data compressed ones. */
static int start_zstd(struct trace_input *in)
{
	int rc = trace_input_need(in, 4);

	if (rc <= 0 || !is_zstd(in->data))
		return rc < 0 ? rc : 0;
	rc = library_need(LIBRARY_ZSTD, in->err);
	if (rc)
		return rc;
	in->packed = malloc(in->bytes > PACKED ? in->bytes : PACKED);
	in->stream = ZSTD_createDStream();
	if (!in->packed || !in->stream)
		return error_set(in->err, -ASSAY_ENOMEM, "out of memory");
	memcpy(in->packed, in->data, in->bytes);
	in->packed_bytes = in->bytes;
	in->bytes = 0;
	return 0;
}

static const struct { unsigned char magic[6]; size_t bytes; const char *name; }
packers[] = {
	{ { 0xfd, '7', 'z', 'X', 'Z', 0 }, 6, "xz" },
	{ { 0x1f, 0x8b }, 2, "gzip" },
	{ { 'B', 'Z', 'h' }, 3, "bzip2" },
};

/* -ASSAY_EINVAL for the formats of packers, which must be unpacked before. */
static int refuse_packed(struct trace_input *in)
{
	for (size_t i = 0; i < sizeof(packers) / sizeof(*packers); i++) {
		if (trace_input_left(in) < packers[i].bytes ||
		    memcmp(in->data, packers[i].magic, packers[i].bytes) != 0)
			continue;
		return error_set(in->err, -ASSAY_EINVAL,
				 "'%.300s' is compressed by %s: unpack it "
				 "into a pipe (%s -dc FILE | assay sim "
				 "--trace - --format ...)", in->name,
				 packers[i].name, packers[i].name);
	}
	return 0;
}

int trace_input_open(struct trace_input *in, const char *path,
		     struct assay_error *err)
{
	bool standard = strcmp(path, "-") == 0;
	int rc;

	*in = (struct trace_input){ .name = standard ? "<stdin>" : path,
				    .own = !standard, .err = err };
	in->file = standard ? stdin : fopen(path, "rb");
	if (!in->file)
		return error_read(in->err, in->name);
	in->data = malloc(DATA);
	rc = in->data ? start_zstd(in) :
	     error_set(err, -ASSAY_ENOMEM, "out of memory");
	if (rc == 0)
		rc = refuse_packed(in);
	if (rc < 0)
		trace_input_close(in);
	return rc;
}

void trace_input_close(struct trace_input *in)
{
	ZSTD_freeDStream(in->stream);
	free(in->packed);
	free(in->data);
	if (in->own && in->file)
		fclose(in->file);
	*in = (struct trace_input){ 0 };
}
