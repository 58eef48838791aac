/* SPDX-License-Identifier: MIT */
/* Writing lines of JSON. One line is open at a time. */
#include "line.h"

#include <stdbool.h>
#include <stdio.h>

#include "board.h"

/* Beyond this, readers that use doubles would round. */
#define EXACT (UINT64_C(1) << 53)

static uint32_t crc;
static bool comma;

static void put(char c)
{
	crc ^= (unsigned char)c;
	for (int bit = 0; bit < 8; bit++)
		crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
	uart_put(c);
}

static void put_all(const char *text)
{
	while (*text)
		put(*text++);
}

static void put_text(const char *text)
{
	char code[8];

	put('"');
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		if (c == '"' || c == '\\') {
			put('\\');
			put(*text);
		} else if (c < 0x20 || c > 0x7e) {
			snprintf(code, sizeof(code), "\\u%04x", c);
			put_all(code);
		} else {
			put(*text);
		}
	}
	put('"');
}

static void put_key(const char *key)
{
	if (comma)
		put(',');
	comma = true;
	if (!key)
		return;
	put_text(key);
	put(':');
}

static void put_integer(int64_t value)
{
	bool quoted = value > (int64_t)EXACT || value < -(int64_t)EXACT;
	char digits[24];

	snprintf(digits, sizeof(digits), quoted ? "\"%ld\"" : "%ld", value);
	put_all(digits);
}

static void put_complete(uint64_t value)
{
	char digits[24];

	if (value <= INT64_MAX) {
		put_integer((int64_t)value);
		return;
	}
	snprintf(digits, sizeof(digits), "\"%lu\"", value);
	put_all(digits);
}

void line_begin(const char *type)
{
	crc = 0xffffffff;
	comma = false;
	put('{');
	line_text("t", type);
}

void line_end(void)
{
	char last[32];

	snprintf(last, sizeof(last), ",\"crc32\":\"%08x\"}\r\n", ~crc);
	put_all(last);
}

void line_text(const char *key, const char *text)
{
	put_key(key);
	put_text(text);
}

void line_complete(const char *key, uint64_t value)
{
	put_key(key);
	put_complete(value);
}

void line_integer(const char *key, int64_t value)
{
	put_key(key);
	put_integer(value);
}

void line_hex(const char *key, uint64_t value)
{
	char digits[24];

	snprintf(digits, sizeof(digits), "0x%lx", value);
	line_text(key, digits);
}

void line_open(const char *key, char bracket)
{
	put_key(key);
	put(bracket);
	comma = false;
}

void line_close(char bracket)
{
	put(bracket);
	comma = true;
}

void line_element(uint64_t value)
{
	line_complete(NULL, value);
}
