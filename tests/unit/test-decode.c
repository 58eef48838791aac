/* SPDX-License-Identifier: MIT */
/*
 * What the QEMU plugin reads from instructions: how they end a block, whether
 * they access memory for certain, and what QEMU does not report of them.
 */
#include "check.h"

#include <stdio.h>

#include "plugin/decode/decode.h"

struct row {
	const char *bytes;	/* hexadecimal, as in memory */
	enum flow flow;
	int unseen;
	unsigned widest;
	bool streaming;
};

static size_t parse(const char *hex, unsigned char *out)
{
	size_t n = 0;
	unsigned byte;

	for (; sscanf(hex, "%2x", &byte) == 1; hex += 2 + (hex[2] == ' '))
		out[n++] = (unsigned char)byte;
	return n;
}

static void check_rows(const struct row *row, size_t rows,
		       struct decoded (*decode)(const unsigned char *, size_t))
{
	unsigned char bytes[16];

	for (size_t i = 0; i < rows; i++) {
		const struct row *r = &row[i];
		const size_t n = parse(r->bytes, bytes);
		const struct decoded d = decode(bytes, n);

		if (d.flow != r->flow || d.unseen != r->unseen ||
		    d.streaming != r->streaming ||
		    d.widest != r->widest)
			fail_msg("%s: flow %d, unseen %d, widest "
				 "%u, streaming %d", r->bytes, d.flow,
				 d.unseen, d.widest, d.streaming);
	}
}

#define PLAIN FLOW_NEXT, -1
#define FETCHED FLOW_NEXT, TALLY_PREFETCH
#define FLUSHED FLOW_NEXT, TALLY_FLUSH
#define ZEROED FLOW_NEXT, TALLY_ZERO_LINE
#define HIDDEN FLOW_NEXT, TALLY_VECTOR

static void x86_64(void **state)
{
	static const struct row rows[] = {
		{ "48 8b 07", PLAIN, 0, 0 },	/* mov */
		{ "48 8b c7", PLAIN, 0, 0 },
		{ "48 89 07", PLAIN, 0, 0 },
		{ "48 8d 07", PLAIN, 0, 0 },	/* lea */
		{ "48 01 07", PLAIN, 0, 0 },	/* add */
		{ "48 03 07", PLAIN, 0, 0 },
		{ "48 39 07", PLAIN, 0, 0 },	/* cmp */
		{ "48 83 07 01", PLAIN, 0, 0 },
		{ "48 83 3f 01", PLAIN, 0, 0 },
		{ "48 f7 1f", PLAIN, 0, 0 },	/* neg */
		{ "48 f7 27", PLAIN, 0, 0 },	/* mul */
		{ "f0 48 0f b1 0f", PLAIN, 16, 0 },
		{ "48 87 07", PLAIN, 0, 0 },	/* xchg */
		{ "55", PLAIN, 0, 0 },
		{ "41 5c", PLAIN, 0, 0 },
		{ "c3", FLOW_RETURN, -1, 0, 0 },
		{ "f3 c3", FLOW_RETURN, -1, 0, 0 },
		{ "e8 00 00 00 00", FLOW_CALL, -1, 0, 0 },
		{ "ff d0", FLOW_INDIRECT_CALL, -1, 0, 0 },
		{ "ff 10", FLOW_INDIRECT_CALL, -1, 0, 0 },
		{ "ff e0", FLOW_JUMP, -1, 0, 0 },
		{ "ff 20", FLOW_JUMP, -1, 0, 0 },
		{ "eb fe", FLOW_BRANCH, -1, 0, 0 },
		{ "75 fe", FLOW_BRANCH, -1, 0, 0 },
		{ "0f 85 00 00 00 00", FLOW_BRANCH, -1, 0, 0 },
		{ "f3 a4", FLOW_REPEAT, -1, 0, 0 },
		{ "a6", PLAIN, 0, 0 },
		{ "0f b6 07", PLAIN, 0, 0 },	/* movzx */
		{ "f3 0f 1e fa", PLAIN, 16, 0 },	/* endbr64 */
		{ "0f 10 07", PLAIN, 16, 0 },	/* movups */
		{ "f2 0f 10 07", PLAIN, 0, 0 },	/* movsd */
		{ "0f 10 c7", PLAIN, 16, 0 },
		{ "c5 fe 6f 07", PLAIN, 32, 0 },
		{ "c5 fa 6f 07", PLAIN, 16, 0 },
		{ "c4 e2 7d 59 07", PLAIN, 32, 0 },
		{ "db 2f", PLAIN, 10, 0 },	/* fld */
		{ "0f e7 07", PLAIN, 16, true },
		{ "c5 fd e7 07", PLAIN, 32, true },
		{ "48 0f c3 07", PLAIN, 0, true },
		{ "0f ae 3f", FLUSHED, 16, 0 },
		{ "66 0f ae 3f", FLUSHED, 16, 0 },
		{ "66 0f ae 37", FLUSHED, 16, 0 },
		{ "0f ae 37", PLAIN, 16, 0 },	/* xsaveopt */
		{ "0f ae f8", PLAIN, 16, 0 },	/* sfence */
		{ "0f 18 0f", FETCHED, 16, 0 },
		{ "0f 0d 0f", FETCHED, 16, 0 },
		{ "", PLAIN, 0, 0 },
	};

	(void)state;
	/* The last: no byte is as good as a zero, an ALU opcode. */
	check_rows(rows, sizeof(rows) / sizeof(*rows), decode_x86_64);
}

static void aarch64(void **state)
{
	static const struct row rows[] = {
		{ "20 00 40 f9", PLAIN, 0, 0 },	/* ldr */
		{ "20 04 40 f8", PLAIN, 0, 0 },	/* post-index */
		{ "20 68 62 f8", PLAIN, 0, 0 },	/* register */
		{ "20 00 00 f9", PLAIN, 0, 0 },	/* str */
		{ "40 00 00 58", PLAIN, 0, 0 },	/* literal */
		{ "40 00 00 9c", PLAIN, 16, 0 },	/* of q0 */
		{ "20 00 c0 3d", PLAIN, 16, 0 },	/* ldr q0 */
		{ "20 00 40 fd", PLAIN, 0, 0 },	/* ldr d0 */
		{ "20 08 40 a9", PLAIN, 16, 0 },	/* ldp */
		{ "20 7c 5f c8", PLAIN, 16, 0 },	/* ldxr */
		{ "20 7c 02 c8", PLAIN, 16, 0 },	/* stxr */
		{ "20 00 22 f8", PLAIN, 16, 0 },	/* ldadd */
		{ "20 00 02 8b", PLAIN, 0, 0 },	/* add */
		{ "1f 20 03 d5", PLAIN, 0, 0 },	/* nop */
		{ "00 00 00 14", FLOW_BRANCH, -1, 0, 0 },
		{ "00 00 00 94", FLOW_CALL, -1, 0, 0 },
		{ "00 00 00 b4", FLOW_BRANCH, -1, 0, 0 },
		{ "00 00 1f d6", FLOW_JUMP, -1, 0, 0 },
		{ "00 00 3f d6", FLOW_INDIRECT_CALL, -1, 0, 0 },
		{ "c0 03 5f d6", FLOW_RETURN, -1, 0, 0 },
		{ "20 00 80 f9", FETCHED, 16, 0 },
		{ "20 68 a2 f8", FETCHED, 16, 0 },
		{ "40 00 00 d8", FETCHED, 16, 0 },
		{ "20 7e 0b d5", FLUSHED, 0, 0 },
		{ "21 7a 0b d5", FLUSHED, 0, 0 },
		{ "20 75 0b d5", FLUSHED, 0, 0 },
		{ "20 74 0b d5", ZEROED, 0, 0 },
		{ "80 74 0b d5", ZEROED, 0, 0 },	/* gzva */
		{ "00 a0 00 a4", HIDDEN, 256, 0 }, /* ld1b */
		{ "00 e0 00 e4", HIDDEN, 256, 0 }, /* st1b */
		{ "00 40 80 85", PLAIN, 256, 0 }, /* ldr z0 */
		{ "00 00 c0 85", FETCHED, 256, 0 }, /* prfb */
		{ "20 00", PLAIN, 0, 0 },
	};

	(void)state;
	check_rows(rows, sizeof(rows) / sizeof(*rows), decode_aarch64);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(x86_64),
		cmocka_unit_test(aarch64),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
