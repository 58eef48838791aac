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

/*
 * What opcodes access, by ranges of them, in order. What both loads and stores
 * and what QEMU performs in parts is OTHER.
 */
enum operand {
	NONE,		/* no memory */
	STACK,		/* always, once */
	MODRM,		/* once if ModR/M says so, else never */
	OTHER,		/* perhaps if ModR/M says so, else never */
	UNKNOWN,	/* perhaps */
	ALU, GROUP_80, GROUP_F6, GROUP_FF, SCALAR
};

struct range { unsigned char last, operand; };

static const struct range one_byte[] = {
	{ 0x3f, ALU },
	{ 0x4f, UNKNOWN },
	{ 0x5f, STACK },	/* PUSH, POP */
	{ 0x62, UNKNOWN },
	{ 0x63, MODRM },	/* MOVSXD */
	{ 0x67, UNKNOWN },
	{ 0x68, STACK }, { 0x69, MODRM }, { 0x6a, STACK }, { 0x6b, MODRM },
	{ 0x6f, UNKNOWN },
	{ 0x7f, NONE },		/* Jcc */
	{ 0x81, GROUP_80 }, { 0x82, UNKNOWN }, { 0x83, GROUP_80 },
	{ 0x85, MODRM },	/* TEST */
	{ 0x87, OTHER },	/* XCHG */
	{ 0x8b, MODRM },	/* MOV */
	{ 0x8c, OTHER },
	{ 0x8d, NONE },		/* LEA */
	{ 0x8f, UNKNOWN },
	{ 0x99, NONE }, { 0x9b, UNKNOWN }, { 0x9d, STACK },
	{ 0xa7, UNKNOWN },
	{ 0xa9, NONE }, { 0xaf, UNKNOWN },
	{ 0xbf, NONE },		/* MOV of a constant */
	{ 0xc1, OTHER },
	{ 0xc3, STACK },	/* RET */
	{ 0xc5, UNKNOWN },
	{ 0xc7, MODRM },	/* MOV of a constant */
	{ 0xc8, UNKNOWN },
	{ 0xc9, STACK },	/* LEAVE */
	{ 0xcf, UNKNOWN }, { 0xd3, OTHER }, { 0xe7, UNKNOWN },
	{ 0xe8, STACK },	/* CALL */
	{ 0xe9, NONE }, { 0xea, UNKNOWN }, { 0xeb, NONE },
	{ 0xf5, UNKNOWN }, { 0xf7, GROUP_F6 }, { 0xfd, UNKNOWN },
	{ 0xfe, OTHER }, { 0xff, GROUP_FF },
};

static const struct range two_bytes[] = {
	{ 0x0f, UNKNOWN },
	{ 0x11, SCALAR },	/* MOVSS, MOVSD */
	{ 0x13, MODRM },	/* MOVLPS, MOVLPD */
	{ 0x15, OTHER },
	{ 0x17, MODRM },	/* MOVHPS, MOVHPD */
	{ 0x1d, UNKNOWN },
	{ 0x1f, NONE },		/* NOP, ENDBR64 */
	{ 0x27, UNKNOWN }, { 0x2f, OTHER }, { 0x3f, UNKNOWN },
	{ 0x4f, MODRM },	/* CMOV loads in any case */
	{ 0x6d, OTHER },
	{ 0x6e, MODRM },	/* MOVD, MOVQ */
	{ 0x76, OTHER }, { 0x7d, UNKNOWN },
	{ 0x7e, MODRM },
	{ 0x7f, OTHER },
	{ 0x8f, NONE },		/* Jcc */
	{ 0x9f, MODRM },	/* SETcc */
	{ 0xae, UNKNOWN },
	{ 0xaf, MODRM },	/* IMUL */
	{ 0xb5, UNKNOWN },
	{ 0xb7, MODRM },	/* MOVZX */
	{ 0xbd, UNKNOWN },
	{ 0xbf, MODRM },	/* MOVSX */
	{ 0xc1, UNKNOWN },
	{ 0xc2, OTHER },
	{ 0xc3, MODRM },	/* MOVNTI */
	{ 0xc7, UNKNOWN },
	{ 0xcf, NONE },		/* BSWAP */
	{ 0xd6, OTHER },
	{ 0xd7, NONE },		/* PMOVMSKB */
	{ 0xef, OTHER }, { 0xf0, UNKNOWN }, { 0xf6, OTHER },
	{ 0xf7, UNKNOWN },	/* MASKMOVDQU */
	{ 0xfe, OTHER }, { 0xff, UNKNOWN },
};

/* 00 to 3F: eight times the same; only CMP does not write its operand. */
static enum operand alu(unsigned opcode)
{
	if ((opcode & 7) >= 6)
		return UNKNOWN;
	if ((opcode & 7) >= 4)
		return NONE;
	return (opcode & 7) >= 2 || opcode >= 0x38 ? MODRM : OTHER;
}

/* Those that a field of ModR/M or a prefix decides about. */
static enum operand narrow(enum operand operand, const struct cursor *c, int n)
{
	const unsigned field = reg_field(c, n + 1);

	switch (operand) {
	case ALU:
		return alu(peek(c, n));
	case GROUP_80:				/* CMP */
		return field == 7 ? MODRM : OTHER;
	case GROUP_F6:				/* not NOT and NEG */
		return field == 2 || field == 3 ? OTHER : MODRM;
	case GROUP_FF:				/* JMP */
		return field == 4 ? MODRM : is_memory(c, n + 1) ? OTHER :
		       field == 2 || field == 6 ? STACK : NONE;
	case SCALAR:
		return c->repeat && !c->vex ? MODRM : OTHER;
	default:
		return operand;
	}
}

static enum touch touch_of(const struct range *r, const struct cursor *c,
			   int n)
{
	while (peek(c, n) > r->last)
		r++;
	switch (narrow((enum operand)r->operand, c, n)) {
	case NONE:
		return TOUCH_NEVER;
	case STACK:
		return TOUCH_ONCE;
	case MODRM:
		return is_memory(c, n + 1) ? TOUCH_ONCE : TOUCH_NEVER;
	case OTHER:
		return is_memory(c, n + 1) ? TOUCH_PERHAPS : TOUCH_NEVER;
	default:
		return TOUCH_PERHAPS;
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
		return 16;
	return opcode == 0xdb ? 10 : (opcode & 0xf8) == 0xd8 ? 16 : 0;
}

static enum touch find_touch(const struct cursor *c)
{
	if (c->lock || (c->vex && c->map != 1))
		return TOUCH_PERHAPS;
	if (c->vex)
		return touch_of(two_bytes, c, 0) == TOUCH_NEVER ?
		       TOUCH_NEVER : TOUCH_PERHAPS;
	if (peek(c, 0) == 0x0f)
		return touch_of(two_bytes, c, 1);
	return touch_of(one_byte, c, 0);
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
	out.touch = find_touch(&c);
	out.widest = out.touch == TOUCH_PERHAPS ? find_widest(&c) : 0;
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
