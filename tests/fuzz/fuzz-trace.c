/* SPDX-License-Identifier: MIT */
/*
 * A trace of any bytes is refused with its place, or becomes records that the
 * simulator can take, which are written, read and equal again. The first byte
 * says the format; '5' makes a valid frame of the rest, a raw block of the own
 * format, so that mutations get past the checksum; '6' compresses the rest, of
 * the format that the next byte says.
 */
#define _GNU_SOURCE	/* memfd_create */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zstd.h>

#include "store/traces/assay.h"
#include "store/traces/trace.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

static void need(int true_or_bug)
{
	if (!true_or_bug)
		abort();
}

/* A sum of all that was fed, and a copy for the writer. */
struct seen {
	uint64_t hash;
	const struct access_sink *copy;
	uint64_t skip;
};

static void mix(struct seen *s, uint64_t word)
{
	s->hash = (s->hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
	s->hash ^= s->hash >> 29;
}

static void feed(void *ctx, const uint64_t *record, size_t records)
{
	struct seen *s = ctx;

	for (size_t i = 0; i < records; i++) {
		need(access_kind(record[i]) <= ACCESS_PC);
		need(access_kind(record[i]) != ACCESS_BRANCH ||
		     access_operand(record[i]));
		mix(s, record[i]);
	}
	if (s->copy)
		s->copy->feed(s->copy->ctx, record, records);
}

static uint64_t pass(void *ctx, uint64_t left)
{
	struct seen *s = ctx;

	mix(s, left);
	if (s->copy)
		s->copy->pass(s->copy->ctx, left);
	return s->skip < left ? s->skip : left;
}

static int file_of(char *path, const void *data, size_t bytes)
{
	int fd = memfd_create("fuzz", 0);

	need(fd >= 0 && write(fd, data, bytes) == (ssize_t)bytes);
	sprintf(path, "/proc/self/fd/%d", fd);
	return fd;
}

static int read_all(const char *path, enum trace_format format,
		    struct seen *seen, struct assay_error *err)
{
	const struct access_sink sink = {
		.ctx = seen, .feed = feed, .pass = pass,
	};
	struct trace_summary summary;

	return trace_read(path, format, &sink, NULL, &summary, err);
}

/* Reads, writes what was read, and reads that. */
static void try(const void *data, size_t bytes, enum trace_format format)
{
	char from[40], to[40];
	int fd = file_of(from, data, bytes), copy = file_of(to, "", 0);
	struct seen first = { .hash = 1 }, second = { .hash = 1 };
	struct assay_error err = { 0 };
	struct trace_writer *writer;
	int rc;

	need(trace_writer_open(&writer, to, NULL) == 0);
	first.copy = trace_writer_sink(writer);
	rc = read_all(from, format, &first, &err);
	need(trace_writer_close(writer, NULL) == 0);
	need(rc <= 0 && (rc == 0) == !*err.text);
	if (rc == -ASSAY_EPARSE)
		need(!strncmp(err.text, from, strlen(from)) &&
		     strstr(err.text, ": error: "));
	if (rc == 0) {
		need(read_all(to, TRACE_ANY, &second, NULL) == 0);
		need(first.hash == second.hash);
	}
	second.skip = 3;
	read_all(from, format, &second, NULL);
	close(fd);
	close(copy);
}

/* data: 2 bytes of records, then a raw block. */
static void try_block(const uint8_t *data, size_t bytes)
{
	size_t room = ZSTD_compressBound(bytes) + 64, packed;
	unsigned char *out = malloc(room), *end;
	uint32_t records;

	need(out != NULL);
	if (bytes < 2 || bytes > TRACE_RAW) {
		free(out);
		return;
	}
	records = data[0] | (uint32_t)data[1] << 8;
	memcpy(out, TRACE_MAGIC, 8);
	trace_put32(out + 8, TRACE_VERSION);
	trace_put32(out + 12, 0);
	packed = ZSTD_compress(out + 24, room - 48, data + 2, bytes - 2, 1);
	need(!ZSTD_isError(packed));
	trace_put32(out + 16, records);
	trace_put32(out + 20, (uint32_t)packed);
	end = out + 24 + packed;
	memset(end, 0, 16);
	trace_put32(end + 4, 8);
	trace_put32(end + 8, records);
	try(out, 24 + packed + 16, TRACE_ASSAY);
	free(out);
}

static enum trace_format format_of(uint8_t byte)
{
	return (enum trace_format)(byte % (TRACE_FORMATS + 1));
}

/* data: the format's byte, then what is compressed. */
static void try_packed(const uint8_t *data, size_t bytes)
{
	const size_t room = ZSTD_compressBound(bytes);
	unsigned char *out = malloc(room);
	size_t packed;

	need(out != NULL);
	packed = bytes ? ZSTD_compress(out, room, data + 1, bytes - 1, 1) : 0;
	need(!ZSTD_isError(packed));
	if (bytes)
		try(out, packed, format_of(data[0]));
	free(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	if (!bytes)
		return 0;
	if (data[0] == '5')
		try_block(data + 1, bytes - 1);
	else if (data[0] == '6')
		try_packed(data + 1, bytes - 1);
	else
		try(data + 1, bytes - 1, format_of(data[0]));
	return 0;
}
