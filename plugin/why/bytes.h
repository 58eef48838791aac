/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which bytes of the lines in L1D were accessed since the lines came. */
#ifndef PLUGIN_WHY_BYTES_H
#define PLUGIN_WHY_BYTES_H

#include "plugin/why/lines.h"

struct bytes_line {
	uint32_t owner;		/* whose line it is; 0: nobody's yet */
	uint64_t used;		/* a bit for each byte, or grain of bytes */
};

struct bytes {
	struct lines lines;
	struct bytes_line *line;	/* by slot */
	unsigned line_shift, grain_shift;
};

/* false: no memory. */
bool bytes_build(struct bytes *b, uint32_t lines, unsigned line_shift);
void bytes_reset(struct bytes *b);
/* A line comes into L1D. */
void bytes_come(struct bytes *b, uint32_t number, uint32_t owner);
/* The line becomes the owner's, if it is nobody's. */
void bytes_own(struct bytes *b, uint32_t number, uint32_t owner);
/* Bytes from..end - 1 of a line are accessed. */
void bytes_use(struct bytes *b, uint32_t number, uint32_t from, uint32_t end);
/* A line leaves. Returns its owner, and how many of its bytes were used. */
uint32_t bytes_leave(struct bytes *b, uint32_t number, uint32_t *used);

#endif
