/* SPDX-License-Identifier: MIT */
/* Reading the own trace format (assay.h). */
#include "store/traces/assay.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "base/text.h"
#include "store/traces/stream.h"

struct block {
	struct trace_stream *s;
	uint64_t records;	/* in all blocks so far */
	uint64_t skip;		/* passes that the sink accounted for itself */
	uint64_t left;		/* passes to come, as the last mark says */
	uint64_t last[TRACE_LAST];
	ZSTD_DCtx *zstd;
	unsigned char raw[TRACE_RAW];
};

static int wrong(const struct trace_stream *s, const char *what)
{
	return trace_input_error(&s->in, s->in.offset, "%s", what);
}

/* One number; moves *p. false: it does not end where it must. */
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

/* What makes a record that no writer writes; NULL: nothing. */
static const char *bad_record(unsigned kind, uint64_t operand)
{
	if (kind > ACCESS_PC && kind != TRACE_PASS)
		return "a record of an unknown kind";
	if (kind == ACCESS_BRANCH && !operand)
		return "a branch that runs 0 times";
	return NULL;
}

static void take(struct block *b, unsigned kind, uint64_t record)
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
			take(b, tag >> 12, (uint64_t)tag << ACCESS_OPERAND_BITS
					   | *last);
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

static int block(struct block *b, uint32_t records, uint32_t bytes)
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
		trace_input_take(in, TRACE_HEAD + bytes);
	return rc;
}

static int end(const struct block *b, uint32_t bytes)
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

static int header(struct trace_stream *s)
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
	trace_input_take(&s->in, TRACE_HEADER);
	return 0;
}

static int blocks(struct block *b)
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
			return end(b, trace_get32(p + 4));
		rc = block(b, trace_get32(p), trace_get32(p + 4));
	} while (rc == 0);
	return rc;
}

int trace_assay_read(struct trace_stream *s)
{
	struct block *b;
	int rc = header(s);

	if (rc < 0)
		return rc;
	b = calloc(1, sizeof(*b));
	if (b)
		b->zstd = ZSTD_createDCtx();
	if (b && b->zstd) {
		b->s = s;
		rc = blocks(b);
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
