/* SPDX-License-Identifier: MIT */
/*
 * Lines of JSON on the UART, one line open at a time. Each line ends with the
 * member "crc32", the checksum of all bytes before that member's comma, so that
 * the reader (src/store/uart.c) can tell damaged lines. docs/bare.md lists the
 * lines.
 */
#ifndef BARE_LINE_H
#define BARE_LINE_H

#include <stdint.h>

#include "assay/record.h"

/* Begins an object whose member "t" is type. */
void line_begin(const char *type);
void line_end(void);

/* A line with a record, as docs/record.md describes. */
void record_line(const struct assay_record *record);

/* A member and its value; text is escaped. */
void line_text(const char *key, const char *text);
void line_number(const char *key, uint64_t value);
void line_integer(const char *key, int64_t value);
void line_hex(const char *key, uint64_t value);

/* Opens and closes an object or array. key NULL: an element of an array. */
void line_open(const char *key, char bracket);
void line_close(char bracket);
/* A number as an element of an array. */
void line_element(uint64_t value);

#endif
