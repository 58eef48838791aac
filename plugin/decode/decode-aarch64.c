/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arm ARM (DDI 0487), chapter C4: A64 instruction set encoding. */
#include <stdbool.h>

#include "plugin/decode/decode.h"

struct pattern { uint32_t mask, bits; int meaning; };

static const struct pattern flows[] = {
	{ 0xfc000000, 0x14000000, FLOW_BRANCH },	/* B */
	{ 0xfc000000, 0x94000000, FLOW_CALL },		/* BL */
	{ 0xff000000, 0x54000000, FLOW_BRANCH },	/* B.cond, BC.cond */
	{ 0x7e000000, 0x34000000, FLOW_BRANCH },	/* CBZ, CBNZ */
	{ 0x7e000000, 0x36000000, FLOW_BRANCH },	/* TBZ, TBNZ */
	/* with and without pointer authentication */
	{ 0xfefff000, 0xd61f0000, FLOW_JUMP },		/* BR */
	{ 0xfefff000, 0xd63f0000, FLOW_INDIRECT_CALL },	/* BLR */
	{ 0xfffff000, 0xd65f0000, FLOW_RETURN },	/* RET */
};

static const struct pattern unseens[] = {
	{ 0xffc00000, 0xf9800000, TALLY_PREFETCH },	/* PRFM immediate */
	{ 0xffe00c00, 0xf8800000, TALLY_PREFETCH },	/* PRFUM */
	{ 0xffe00c00, 0xf8a00800, TALLY_PREFETCH },	/* PRFM register */
	{ 0xff000000, 0xd8000000, TALLY_PREFETCH },	/* PRFM literal */
	{ 0xffffffe0, 0xd50b7520, TALLY_FLUSH },	/* IC IVAU */
	{ 0xffffffe0, 0xd50b7a20, TALLY_FLUSH },	/* DC CVAC */
	{ 0xffffffe0, 0xd50b7b20, TALLY_FLUSH },	/* DC CVAU */
	{ 0xffffffe0, 0xd50b7c20, TALLY_FLUSH },	/* DC CVAP */
	{ 0xffffffe0, 0xd50b7d20, TALLY_FLUSH },	/* DC CVADP */
	{ 0xffffffe0, 0xd50b7e20, TALLY_FLUSH },	/* DC CIVAC */
	{ 0xffffffe0, 0xd50b7420, TALLY_ZERO_LINE },	/* DC ZVA */
	{ 0xffffffe0, 0xd50b7480, TALLY_ZERO_LINE },	/* DC GZVA */
	{ 0xffc08000, 0x85c00000, TALLY_PREFETCH },	/* PRFB ... of SVE */
	{ 0xfe60c000, 0x8400c000, TALLY_PREFETCH },
	{ 0xffa08000, 0x84200000, TALLY_PREFETCH },	/* by vectors */
	{ 0xffa08000, 0xc4200000, TALLY_PREFETCH },
	{ 0xffe08000, 0xc4608000, TALLY_PREFETCH },
	{ 0xfe60e000, 0xc400e000, TALLY_PREFETCH },
	{ 0xffc0a000, 0x85800000, -1 },			/* LDR of SVE */
	{ 0xffc0a000, 0xe5800000, -1 },			/* STR */
	{ 0xfe408000, 0x84408000, -1 },			/* LD1R */
	{ 0x9e000000, 0x84000000, TALLY_VECTOR },	/* all else */
	{ 0xff000000, 0xe0000000, TALLY_VECTOR },	/* SME */
	{ 0xffc00000, 0xe1c00000, TALLY_VECTOR },
};

static const struct pattern atomics[] = {
	{ 0x3fe00000, 0x08000000, ATOMIC_STORE },	/* STXR, STLXR */
	{ 0xbfe00000, 0x88200000, ATOMIC_STORE },	/* STXP, STLXP */
	{ 0x3fa07c00, 0x08a07c00, ATOMIC_BOTH },	/* CAS */
	{ 0xbfa07c00, 0x08207c00, ATOMIC_BOTH },	/* CASP */
	{ 0x3f200c00, 0x38200000, ATOMIC_BOTH },	/* LDADD, SWP ... */
};

static int find(const struct pattern *p, size_t n, uint32_t word, int none)
{
	for (size_t i = 0; i < n; i++)
		if ((word & p[i].mask) == p[i].bits)
			return p[i].meaning;
	return none;
}

#define FIND(table, word, none) \
	find(table, sizeof(table) / sizeof(*(table)), word, none)

/* Loads and stores of one register of at most 8 bytes that are not exclusive,
 * atomic or a prefetch: QEMU performs what is wider in parts. */
static bool is_single(uint32_t word)
{
	const unsigned group = word >> 27 & 7;
	const bool vector = word >> 26 & 1;

	if (group == 3)				/* literal */
		return !(word >> 24 & 1) && word >> 30 != 3 &&
		       !(vector && word >> 30 == 2);
	if (group != 7 || FIND(unseens, word, -1) >= 0 ||
	    (vector && word >> 23 & 1))
		return false;
	return word >> 24 & 1 || !(word >> 21 & 1) || (word >> 10 & 3) == 2;
}

/* A pair of registers is one access of up to 16 bytes; a vector of SVE is
 * one, too. What is in one part anyway needs no look. */
static unsigned find_widest(uint32_t word)
{
	const unsigned major = word >> 25 & 15;

	if (major == 2)
		return 256;
	return (major & 5) == 4 && !is_single(word) ? 16 : 0;
}

struct decoded decode_aarch64(const unsigned char *p, size_t bytes)
{
	struct decoded out = { .flow = FLOW_NEXT, .unseen = -1 };
	uint32_t word;

	if (bytes != 4)
		return out;
	word = p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 |
	       (uint32_t)p[3] << 24;
	out.flow = (enum flow)FIND(flows, word, FLOW_NEXT);
	out.unseen = FIND(unseens, word, -1);
	out.zeroes = out.unseen == TALLY_ZERO_LINE ? 1 + (word & 31) : 0;
	out.widest = find_widest(word);
	out.atomic = (enum atomic)FIND(atomics, word, ATOMIC_NOT);
	return out;
}
