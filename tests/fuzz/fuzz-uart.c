/* SPDX-License-Identifier: MIT */
/*
 * A UART log of any bytes: what is whole becomes records that can be written,
 * the rest is told by line, and a whole line after it is always taken.
 */
#define _GNU_SOURCE	/* memfd_create */
#include "fuzz.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "store/uart.h"

/* A line of an image; its checksum is in it. */
static const char complete[] =
	"\n{\"t\":\"end\",\"status\":0,\"records\":7,\"crc32\":\"%08x\"}\n";

struct seen {
	unsigned marks, last;
};

static void take_mark(void *ctx, const struct uart_mark *mark)
{
	struct seen *seen = ctx;

	need(mark->line >= 1 && mark->line >= seen->last);
	need(mark->why && *mark->why && mark->text);
	for (const char *c = mark->text; *c; c++)
		need(*c >= ' ' && *c <= '~');
	seen->last = mark->line;
	seen->marks++;
}

static void read_bytes(struct uart_log *out, struct seen *seen,
		       const uint8_t *data, size_t bytes, const char *more)
{
	int fd = memfd_create("log", 0);
	size_t extra = strlen(more);
	char path[32];

	need(fd >= 0);
	need(write(fd, data, bytes) == (ssize_t)bytes);
	need(write(fd, more, extra) == (ssize_t)extra);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	*seen = (struct seen){ 0, 0 };
	need(uart_read(out, path, take_mark, seen, NULL) == 0);
	need(seen->last <= out->lines);
	need(seen->marks == out->damaged + out->noise + out->faults +
			    out->errors);
	need(!out->store.records ||
	     uart_is_text((const char *)data, bytes) ||
	     uart_is_text(more, extra));
	close(fd);
}

static uint32_t crc_of(const char *text, size_t bytes)
{
	uint32_t crc = 0xffffffff;

	for (size_t i = 0; i < bytes; i++) {
		crc ^= (unsigned char)text[i];
		for (int bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
	}
	return ~crc;
}

static void write_all(const struct uart_log *log)
{
	FILE *out = fopen("/dev/null", "w");

	need(out);
	for (size_t i = 0; i < log->store.records; i++)
		need(store_write(out, log->store.record[i], NULL) == 0);
	fclose(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	const size_t covered = (size_t)(strstr(complete, ",\"crc32") - complete) - 1;
	struct uart_log log, more;
	char line[sizeof(complete) + 8];
	struct seen seen;

	read_bytes(&log, &seen, data, bytes, "");
	write_all(&log);
	snprintf(line, sizeof(line), complete, crc_of(complete + 1, covered));
	read_bytes(&more, &seen, data, bytes, line);
	need(more.ended && more.status == 0 && more.promised == 7);
	need(more.store.records == log.store.records);
	uart_fini(&log);
	uart_fini(&more);
	return 0;
}
