/* SPDX-License-Identifier: MIT */
/*
 * Lines of JSON on the UART. Each line ends with "crc32", the checksum of all
 * bytes of the line before that member's comma, so that the reader knows what
 * came through whole.
 */
#ifndef BARE_LINE_H
#define BARE_LINE_H

#include <stdint.h>

void line_begin(const char *type);
void line_end(void);

/* A member and its value; text is escaped. */
void line_text(const char *key, const char *text);
void line_complete(const char *key, uint64_t value);
void line_integer(const char *key, int64_t value);
void line_hex(const char *key, uint64_t value);

/* A member that is an object or an array: its bracket; key NULL: an element. */
void line_open(const char *key, char bracket);
void line_close(char bracket);
/* An element that is a number. */
void line_element(uint64_t value);

#endif
