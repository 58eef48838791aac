/* SPDX-License-Identifier: MIT */
/*
 * assay's own trace format. All numbers are little-endian.
 *
 *   header  8 bytes magic, u32 version, u32 0
 *   block   u32 records (1 .. TRACE_BLOCK), u32 bytes, then a zstd frame of
 *           that many bytes: a u16 tag per record, then a number per record
 *   end     u32 0, u32 8, u64 records in all blocks; nothing follows
 *
 * A tag is the upper half-word of a record (base/access.h). The number is the
 * operand minus the operand of the block's previous record of the same kind and
 * site (0 if there is none). Numbers are zigzag-encoded (0, -1, 1, -2 ...
 * become 0, 1, 2, 3 ...) in groups of 7 bits, lowest first, with bit 7 set in
 * all groups but the last.
 *
 * Kind TRACE_PASS is the end of a pass. Its operand is the number of passes
 * with the same records that follow, each with its own end.
 */
#ifndef STORE_TRACES_ASSAY_H
#define STORE_TRACES_ASSAY_H

#include <stddef.h>
#include <stdint.h>

#include "base/access.h"

#define TRACE_MAGIC "\x89" "AST\r\n\x1a\n"
#define TRACE_VERSION 1u
#define TRACE_BLOCK 16384u
#define TRACE_PASS 15u

enum {
	TRACE_HEADER = 16, TRACE_HEAD = 8,
	TRACE_NUMBER = 7,	/* bytes of a number at most */
	TRACE_RAW = TRACE_BLOCK * (2 + TRACE_NUMBER),
	TRACE_LAST = 1 << 12,	/* kinds x sites */
};

static inline unsigned trace_tag(uint64_t record)
{
	return record >> ACCESS_OPERAND_BITS;
}

/* The index of the previous operand of the same kind and site. */
static inline unsigned trace_slot(unsigned tag)
{
	return (tag >> 4 & 0xf00) | (tag & 0xff);
}

static inline void trace_put32(unsigned char *out, uint32_t value)
{
	for (int i = 0; i < 4; i++)
		out[i] = (unsigned char)(value >> 8 * i);
}

static inline uint32_t trace_get32(const unsigned char *p)
{
	return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 |
	       (uint32_t)p[3] << 24;
}

#endif
