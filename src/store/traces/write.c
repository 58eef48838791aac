/* SPDX-License-Identifier: MIT */
/* Writing the own trace format (assay.h). */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "base/text.h"
#include "store/traces/assay.h"
#include "store/traces/trace.h"

enum { PACKED = ZSTD_COMPRESSBOUND(TRACE_RAW), LEVEL = 1 };

struct trace_writer {
	struct access_sink sink;
	FILE *file;
	char *path;
	int failed;		/* the first failure; nothing is written after */
	int failed_errno;
	ZSTD_CCtx *zstd;
	uint64_t total;
	uint32_t records;	/* in the block */
	uint64_t record[TRACE_BLOCK];
	uint64_t last[TRACE_LAST];
	unsigned char raw[TRACE_RAW];
	unsigned char packed[TRACE_HEAD + PACKED];
};

static void write_bytes(struct trace_writer *w, const void *data, size_t bytes)
{
	if (w->failed)
		return;
	errno = 0;
	if (fwrite(data, 1, bytes, w->file) == bytes)
		return;
	w->failed = -ASSAY_EIO;
	w->failed_errno = errno;
}

static unsigned char *put_number(unsigned char *out, uint64_t delta)
{
	/* The operand has 48 bits: so has the difference, and a sign. */
	int64_t d = (int64_t)(delta << (64 - ACCESS_OPERAND_BITS)) >>
		    (64 - ACCESS_OPERAND_BITS);
	uint64_t value = (uint64_t)d << 1 ^ (uint64_t)(d >> 63);

	for (; value >= 0x80; value >>= 7)
		*out++ = (unsigned char)(value | 0x80);
	*out++ = (unsigned char)value;
	return out;
}

static size_t fold(struct trace_writer *w)
{
	unsigned char *out = w->raw + 2 * (size_t)w->records;

	memset(w->last, 0, sizeof(w->last));
	for (uint32_t i = 0; i < w->records; i++) {
		unsigned tag = trace_tag(w->record[i]);
		uint64_t operand = access_operand(w->record[i]);
		uint64_t *last = &w->last[trace_slot(tag)];

		w->raw[2 * i] = (unsigned char)tag;
		w->raw[2 * i + 1] = (unsigned char)(tag >> 8);
		out = put_number(out, operand - *last);
		*last = operand;
	}
	return (size_t)(out - w->raw);
}

static void write_block(struct trace_writer *w)
{
	size_t bytes;

	if (!w->records)
		return;
	bytes = ZSTD_compress2(w->zstd, w->packed + TRACE_HEAD, PACKED, w->raw,
			       fold(w));
	if (ZSTD_isError(bytes)) {
		w->failed = w->failed ? w->failed : -ASSAY_ENOMEM;
		return;
	}
	trace_put32(w->packed, w->records);
	trace_put32(w->packed + 4, (uint32_t)bytes);
	write_bytes(w, w->packed, TRACE_HEAD + bytes);
	w->total += w->records;
	w->records = 0;
}

static void put(struct trace_writer *w, uint64_t record)
{
	if (w->failed)
		return;
	w->record[w->records++] = record;
	if (w->records == TRACE_BLOCK)
		write_block(w);
}

static void feed(void *ctx, const uint64_t *record, size_t records)
{
	for (size_t i = 0; i < records; i++)
		put(ctx, record[i]);
}

static uint64_t pass(void *ctx, uint64_t left)
{
	put(ctx, (uint64_t)TRACE_PASS << 60 | (left & ACCESS_OPERAND_MASK));
	return 0;
}

static void write_header(struct trace_writer *w)
{
	unsigned char header[TRACE_HEADER] = { 0 };

	memcpy(header, TRACE_MAGIC, 8);
	trace_put32(header + 8, TRACE_VERSION);
	write_bytes(w, header, sizeof(header));
}

static void write_end(struct trace_writer *w)
{
	unsigned char end[TRACE_HEAD + 8] = { 0 };

	trace_put32(end + 4, 8);
	trace_put32(end + 8, (uint32_t)w->total);
	trace_put32(end + 12, (uint32_t)(w->total >> 32));
	write_bytes(w, end, sizeof(end));
}

static void free_writer(struct trace_writer *w)
{
	ZSTD_freeCCtx(w->zstd);
	free(w->path);
	free(w);
}

static struct trace_writer *new_writer(const char *path)
{
	struct trace_writer *w = calloc(1, sizeof(*w));

	if (!w)
		return NULL;
	w->sink = (struct access_sink){
		.ctx = w, .feed = feed, .pass = pass,
	};
	w->path = strdup(path);
	w->zstd = ZSTD_createCCtx();
	if (w->path && w->zstd) {
		ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_compressionLevel, LEVEL);
		ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_checksumFlag, 1);
		return w;
	}
	free_writer(w);
	return NULL;
}

int trace_writer_open(struct trace_writer **out, const char *path,
		      struct assay_error *err)
{
	struct trace_writer *w = new_writer(path);

	if (!w)
		return error_set(err, -ASSAY_ENOMEM, "out of memory");
	w->file = strcmp(path, "-") == 0 ? stdout : fopen(path, "wb");
	if (!w->file) {
		error_write(err, path);
		free_writer(w);
		return -ASSAY_EIO;
	}
	write_header(w);
	*out = w;
	return 0;
}

const struct access_sink *trace_writer_sink(struct trace_writer *writer)
{
	return &writer->sink;
}

int trace_writer_close(struct trace_writer *writer, struct assay_error *err)
{
	struct trace_writer *w = writer;
	int rc;

	write_block(w);
	write_end(w);
	errno = 0;
	if ((w->file == stdout ? fflush(w->file) : fclose(w->file)) != 0 &&
	    !w->failed) {
		w->failed = -ASSAY_EIO;
		w->failed_errno = errno;
	}
	rc = w->failed;
	errno = w->failed_errno;
	if (rc == -ASSAY_EIO)
		error_write(err, w->path);
	else if (rc < 0)
		error_set(err, rc, "no memory to compress '%.300s'", w->path);
	free_writer(w);
	return rc;
}
