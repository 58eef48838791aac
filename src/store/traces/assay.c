/* SPDX-License-Identifier: MIT */
/* Reading and writing assay's own trace format. See assay.h and trace.h. */
#include "store/traces/assay.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "base/loading/library.h"
#include "base/text.h"
#include "store/traces/stream.h"
#include "store/traces/trace.h"

struct block {
	struct trace_stream *s;
	uint64_t records;	/* in all blocks so far */
	uint64_t skip;		/* passes that the sink has accounted for */
	uint64_t left;		/* passes that follow the last pass end */
	uint64_t last[TRACE_LAST];
	ZSTD_DCtx *zstd;
	unsigned char raw[TRACE_RAW];
};

static int wrong(const struct trace_stream *s, const char *what)
{
	return trace_input_error(&s->in, s->in.offset, "%s", what);
}

/* Reads a number and moves *p behind it. False: the number does not end. */
static bool number(const unsigned char **p, const unsigned char *end,
		   uint64_t *out)
{
	uint64_t value = 0;

	for (int shift = 0; *p < end && shift < 7 * TRACE_NUMBER; shift += 7) {
		unsigned char c = *(*p)++;

		value |= (uint64_t)(c & 0x7f) << shift;
		if (c < 0x80) {
			*out = value >> 1 ^ -(value & 1);
			return true;
		}
	}
	return false;
}

/* What is wrong with a record; NULL: nothing. */
static const char *bad_record(unsigned kind, uint64_t operand)
{
	if (kind > ACCESS_PC && kind != TRACE_PASS)
		return "a record of an unknown kind";
	if (kind == ACCESS_BRANCH && !operand)
		return "a branch that runs 0 times";
	return NULL;
}

static void add_record(struct block *b, unsigned kind, uint64_t record)
{
	struct trace_stream *s = b->s;

	if (kind != TRACE_PASS) {
		if (b->skip)
			return;
		access_put(&s->out, record);
		s->summary->records += kind != ACCESS_PC;
		return;
	}
	b->left = access_operand(record);
	if (b->skip)
		b->skip--;
	else
		b->skip = access_pass(&s->out, b->left);
}

static int unfold(struct block *b, uint32_t records, size_t bytes)
{
	const unsigned char *end = b->raw + bytes;
	const unsigned char *tags = b->raw, *p = b->raw + 2 * (size_t)records;
	const char *why = NULL;
	uint64_t delta;

	memset(b->last, 0, sizeof(b->last));
	for (uint32_t i = 0; i < records && !why; i++) {
		unsigned tag = tags[2 * i] | (unsigned)tags[2 * i + 1] << 8;
		uint64_t *last = &b->last[trace_slot(tag)];

		if (!number(&p, end, &delta))
			return wrong(b->s, "the block's numbers do not fit "
				     "its records");
		*last = (*last + delta) & ACCESS_OPERAND_MASK;
		why = bad_record(tag >> 12, *last);
		if (!why)
			add_record(b, tag >> 12, *last |
				   (uint64_t)tag << ACCESS_OPERAND_BITS);
	}
	if (!why && p != end)
		why = "the block holds more than its records";
	return why ? wrong(b->s, why) : 0;
}

static int truncated(const struct trace_stream *s)
{
	return trace_input_error(&s->in, s->in.offset +
				 trace_input_left(&s->in),
				 "the trace ends too early: it was cut off "
				 "while being written or copied");
}

static int read_block(struct block *b, uint32_t records, uint32_t bytes)
{
	struct trace_input *in = &b->s->in;
	size_t raw;
	int rc;

	if (records > TRACE_BLOCK || bytes > ZSTD_COMPRESSBOUND(TRACE_RAW))
		return wrong(b->s, "a block larger than any may be");
	rc = trace_input_need(in, TRACE_HEAD + (size_t)bytes);
	if (rc <= 0)
		return rc < 0 ? rc : truncated(b->s);
	raw = ZSTD_decompressDCtx(b->zstd, b->raw, sizeof(b->raw),
				  trace_input_data(in) + TRACE_HEAD, bytes);
	if (ZSTD_isError(raw))
		return trace_input_error(in, in->offset, "the block is "
					 "damaged: %s", ZSTD_getErrorName(raw));
	b->records += records;
	rc = unfold(b, records, raw);
	if (rc == 0)
		trace_input_skip(in, TRACE_HEAD + bytes);
	return rc;
}

static int read_end(const struct block *b, uint32_t bytes)
{
	struct trace_input *in = &b->s->in;
	const unsigned char *p;
	uint64_t records;
	int rc = trace_input_need(in, TRACE_HEAD + 8 + 1);

	if (rc < 0)
		return rc;
	if (trace_input_left(in) < TRACE_HEAD + 8)
		return truncated(b->s);
	p = trace_input_data(in) + TRACE_HEAD;
	records = trace_get32(p) | (uint64_t)trace_get32(p + 4) << 32;
	if (bytes != 8 || records != b->records)
		return trace_input_error(in, in->offset, "the end speaks of "
					 "%" PRIu64 " records, but there were "
					 "%" PRIu64, records, b->records);
	if (rc > 0)
		return trace_input_error(in, in->offset + TRACE_HEAD + 8,
					 "something follows the trace's end");
	if (b->skip || b->left)
		return wrong(b->s, "the last pass mark promises more passes "
			     "than there are");
	return 0;
}

static int read_header(struct trace_stream *s)
{
	const unsigned char *p;
	int rc = trace_input_need(&s->in, TRACE_HEADER);

	if (rc <= 0)
		return rc < 0 ? rc : truncated(s);
	p = trace_input_data(&s->in);
	if (memcmp(p, TRACE_MAGIC, 8) != 0)
		return wrong(s, "this is no trace of assay's own format");
	if (trace_get32(p + 8) != TRACE_VERSION || trace_get32(p + 12))
		return trace_input_error(&s->in, 8, "the trace has version "
					 "%" PRIu32 ", this assay reads "
					 "version %u", trace_get32(p + 8),
					 TRACE_VERSION);
	trace_input_skip(&s->in, TRACE_HEADER);
	return 0;
}

static int read_blocks(struct block *b)
{
	struct trace_input *in = &b->s->in;
	const unsigned char *p;
	int rc;

	do {
		rc = trace_input_need(in, TRACE_HEAD);
		if (rc <= 0)
			return rc < 0 ? rc : truncated(b->s);
		p = trace_input_data(in);
		if (!trace_get32(p))
			return read_end(b, trace_get32(p + 4));
		rc = read_block(b, trace_get32(p), trace_get32(p + 4));
	} while (rc == 0);
	return rc;
}

int trace_assay_read(struct trace_stream *s)
{
	struct block *b;
	int rc = read_header(s);

	rc = rc ? rc : library_need(LIBRARY_ZSTD, s->in.err);
	if (rc < 0)
		return rc;
	b = calloc(1, sizeof(*b));
	if (b)
		b->zstd = ZSTD_createDCtx();
	if (b && b->zstd) {
		b->s = s;
		rc = read_blocks(b);
	} else {
		rc = error_set(s->in.err, -ASSAY_ENOMEM, "out of memory");
	}
	if (b)
		ZSTD_freeDCtx(b->zstd);
	free(b);
	return rc;
}

bool trace_assay_begins(const unsigned char *data, size_t bytes)
{
	return bytes >= 8 && memcmp(data, TRACE_MAGIC, 8) == 0;
}

/* ---- writing ------------------------------------------------------------ */

enum { PACKED = ZSTD_COMPRESSBOUND(TRACE_RAW), LEVEL = 1 };

struct trace_writer {
	struct access_sink sink;
	FILE *file;
	char *path;
	int failed;		/* the first failure, after which nothing is
				 * written; or 0 */
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
	/* sign-extends the difference of two 48-bit operands */
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

	if (!w && library_need(LIBRARY_ZSTD, err))
		return -ASSAY_EUNAVAIL;
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
