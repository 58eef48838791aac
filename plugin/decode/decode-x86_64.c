/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Intel SDM volume 2: prefixes, opcode maps, ModR/M. */
#include <string.h>

#include "plugin/decode/decode.h"

struct cursor {
	const unsigned char *at, *end;
	bool operand, repeat, lock, vex;	/* 66, F2 or F3, F0, VEX */
	bool wide;		/* VEX.L: 32 bytes */
	unsigned map;		/* of VEX and EVEX */
};

static bool is_prefix(unsigned char c)
{
	return strchr("\x66\x67\xf0\xf2\xf3\x2e\x36\x3e\x26\x64\x65", c) && c;
}

static void skip_prefixes(struct cursor *c)
{
	for (; c->at < c->end && is_prefix(*c->at); c->at++) {
		c->operand |= *c->at == 0x66;
		c->repeat |= *c->at == 0xf2 || *c->at == 0xf3;
		c->lock |= *c->at == 0xf0;
	}
	if (c->at < c->end && (*c->at & 0xf0) == 0x40)
		c->at++;
}

/* The byte n after the cursor, 0 if there is none. */
static unsigned peek(const struct cursor *c, int n)
{
	return c->end - c->at > n ? c->at[n] : 0;
}

static unsigned reg_field(const struct cursor *c, int n)
{
	return peek(c, n) >> 3 & 7;
}

static bool is_memory(const struct cursor *c, int n)
{
	return peek(c, n) < 0xc0;
}

/* Past a VEX or EVEX prefix, to the opcode of its map. */
static bool skip_vex(struct cursor *c)
{
	switch (peek(c, 0)) {
	case 0xc5:
		c->map = 1;
		c->wide = peek(c, 1) & 4;
		c->at += 2;
		return true;
	case 0xc4:
		c->map = peek(c, 1) & 31;
		c->wide = peek(c, 2) & 4;
		c->at += 3;
		return true;
	case 0x62:
		c->map = peek(c, 1) & 7;
		c->at += 4;
		return true;
	}
	return false;
}

static bool is_string(unsigned opcode)
{
	return (opcode >= 0xa4 && opcode <= 0xa7) ||
	       (opcode >= 0xaa && opcode <= 0xaf) ||
	       (opcode >= 0x6c && opcode <= 0x6f);
}

static enum flow one_byte_flow(const struct cursor *c)
{
	unsigned opcode = peek(c, 0);

	if ((opcode & 0xf0) == 0x70 || (opcode & 0xfc) == 0xe0 ||
	    opcode == 0xe9 || opcode == 0xeb)
		return FLOW_BRANCH;
	if (opcode == 0xe8)
		return FLOW_CALL;
	if ((opcode & 0xf6) == 0xc2)	/* near and far */
		return FLOW_RETURN;
	if (opcode == 0xff && (reg_field(c, 1) == 2 || reg_field(c, 1) == 3))
		return FLOW_INDIRECT_CALL;
	if (opcode == 0xff && (reg_field(c, 1) == 4 || reg_field(c, 1) == 5))
		return FLOW_JUMP;
	return c->repeat && is_string(opcode) ? FLOW_REPEAT : FLOW_NEXT;
}

/* Map 0F: the legacy one, and map 1 of VEX. */
static bool is_streaming(const struct cursor *c, int n)
{
	switch (peek(c, n)) {
	case 0x2b:		/* MOVNTPS, MOVNTPD */
	case 0xe7:		/* MOVNTQ, MOVNTDQ */
		return is_memory(c, n + 1);
	case 0xc3:		/* MOVNTI */
		return !c->vex && is_memory(c, n + 1);
	}
	return false;
}

static int two_byte_unseen(const struct cursor *c)
{
	unsigned field = reg_field(c, 2);

	if (!is_memory(c, 2))
		return -1;
	switch (peek(c, 1)) {
	case 0x0d:		/* PREFETCHW */
		return TALLY_PREFETCH;
	case 0x18:		/* PREFETCHh; 4 to 7 are hints for code */
		return field < 4 ? TALLY_PREFETCH : -1;
	case 0xae:		/* CLFLUSH; 66: CLFLUSHOPT and CLWB */
		if (c->repeat)
			return -1;
		return field == 7 || (field == 6 && c->operand) ? TALLY_FLUSH
								: -1;
	}
	return -1;
}

/* ---- accesses ----------------------------------------------------------- */

/* Of map 0F: does QEMU perform the access, if there is one, in one part? */
static bool is_single(const struct cursor *c)
{
	const unsigned opcode = peek(c, 1);

	switch (opcode) {
	case 0x10: case 0x11:			/* MOVSS, MOVSD */
		return c->repeat;
	case 0x12: case 0x13: case 0x16: case 0x17:	/* MOVLPS, MOVHPS */
	case 0x6e: case 0x7e:			/* MOVD, MOVQ */
	case 0xaf:				/* IMUL */
	case 0xb6: case 0xb7: case 0xbe: case 0xbf:	/* MOVZX, MOVSX */
	case 0xc3:				/* MOVNTI */
		return true;
	default:				/* CMOV; Jcc, SETcc */
		return (opcode & 0xf0) == 0x40 || (opcode & 0xe0) == 0x80;
	}
}

/* 16 bytes of SSE, 32 of AVX; FLD and FSTP of 10; CMPXCHG16B. Gathers and
 * string instructions are of single elements, side by side or not. */
static unsigned find_widest(const struct cursor *c)
{
	const unsigned opcode = peek(c, 0);

	if (c->vex)
		return c->map == 2 && opcode >= 0x90 && opcode <= 0x93 ? 0 :
		       c->wide ? 32 : 16;
	if (opcode == 0x0f)
		return is_single(c) ? 0 : 16;
	return opcode == 0xdb ? 10 : (opcode & 0xf8) == 0xd8 ? 16 : 0;
}

static bool is_atomic(const struct cursor *c)
{
	return !c->vex && (c->lock || ((peek(c, 0) & 0xfe) == 0x86 &&
				       is_memory(c, 1)));	/* XCHG */
}

struct decoded decode_x86_64(const unsigned char *p, size_t bytes)
{
	struct cursor c = { .at = p, .end = p + bytes };
	struct decoded out = { .flow = FLOW_NEXT, .unseen = -1 };

	skip_prefixes(&c);
	c.vex = skip_vex(&c);
	out.widest = find_widest(&c);
	out.atomic = is_atomic(&c) ? ATOMIC_BOTH : ATOMIC_NOT;
	if (c.vex) {
		out.streaming = c.map == 1 && is_streaming(&c, 0);
		return out;
	}
	if (peek(&c, 0) != 0x0f) {
		out.flow = one_byte_flow(&c);
		return out;
	}
	if ((peek(&c, 1) & 0xf0) == 0x80)
		out.flow = FLOW_BRANCH;
	out.unseen = two_byte_unseen(&c);
	out.streaming = is_streaming(&c, 1);
	return out;
}
