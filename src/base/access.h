/* SPDX-License-Identifier: MIT */
/*
 * One access as a 64-bit word, and the sink that takes batches of them: the
 * only thing that kernels and the simulator share.
 *
 *   bits 63..60  kind
 *   bits 59..56  log2(bytes) of a load, store ...; flags of a branch
 *   bits 55..48  site: which instruction of the body it is (a pseudo PC:
 *                site * 4 from the start of the body)
 *   bits 47..0   operand: the address, a count, or a target
 *
 * A real trace precedes an access by ACCESS_PC when its PC does not fit.
 */
#ifndef BASE_ACCESS_H
#define BASE_ACCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum access_kind {
	ACCESS_LOAD,		/* operand: address */
	ACCESS_STORE,
	ACCESS_STORE_NT,	/* streaming store: bypasses the caches */
	ACCESS_FLUSH,		/* clean + invalidate the line, all levels */
	ACCESS_PREFETCH,	/* software prefetch for reading */
	ACCESS_FETCH,		/* code is executed at address (one record per
				 * line entered; bytes: the span, optional) */
	ACCESS_BRANCH,		/* conditional; operand: run length >= 1:
				 * same branch, same direction, that often in a
				 * row */
	ACCESS_CALL,		/* operand: return address */
	ACCESS_RETURN,		/* operand: target address */
	ACCESS_JUMP,		/* indirect; operand: target. ACCESS_CALLED: of
				 * the CALL record before. ACCESS_DIRECT: not
				 * indirect, so never mispredicted */
	ACCESS_RETIRE,		/* operand: instructions retired since the
				 * last RETIRE */
	ACCESS_PC,		/* operand: PC of the records that follow */
	ACCESS_WRONG_PATH,		/* page walks of a wrong path; operand:
					 * how many. Not in traces: branches
					 * cause these walks */
	ACCESS_TOUCH,		/* makes a page the newest in its TLB, or a line
				 * the newest in L1, if it is there; nothing is
				 * counted; operand: an address. Not in
				 * traces */
};

/* Flags in the bytes field: of a BRANCH, of a JUMP, of a TOUCH. CALLED: the
 * target of an indirect call, which its CALL record counts as a branch. STORED:
 * in the TLB of stores, if they have their own. */
enum { ACCESS_TAKEN = 1, ACCESS_CALLED = 1, ACCESS_DIRECT = 2,
       ACCESS_CODE = 1, ACCESS_LINE = 2, ACCESS_STORED = 4 };

#define ACCESS_OPERAND_BITS 48
#define ACCESS_OPERAND_MASK ((UINT64_C(1) << ACCESS_OPERAND_BITS) - 1)
#define ACCESS_BATCH 2048

static inline uint64_t access_pack(enum access_kind kind, unsigned log2_bytes,
				   unsigned site, uint64_t operand)
{
	return (uint64_t)kind << 60 | (uint64_t)(log2_bytes & 15) << 56 |
	       (uint64_t)(site & 255) << 48 | (operand & ACCESS_OPERAND_MASK);
}

static inline enum access_kind access_kind(uint64_t record)
{
	return (enum access_kind)(record >> 60);
}

static inline unsigned access_log2_bytes(uint64_t record)
{
	return (record >> 56) & 15;
}

static inline unsigned access_site(uint64_t record)
{
	return (record >> 48) & 255;
}

static inline uint64_t access_operand(uint64_t record)
{
	return record & ACCESS_OPERAND_MASK;
}

/*
 * Receives the accesses of a traced kernel. pass() is called between two passes
 * of a periodic kernel, after all accesses of the pass were fed; `left` passes
 * would follow with the same records. pass() returns for how many of them (0 ..
 * left) the sink accounts by itself; the kernel leaves these passes out.
 */
struct access_sink {
	void *ctx;
	void (*feed)(void *ctx, const uint64_t *record, size_t records);
	uint64_t (*pass)(void *ctx, uint64_t left);
	/* The sink does not tell addresses in one block of this many bytes (a
	 * power of two) apart; 0: it tells all apart. Passes that differ only
	 * inside blocks count as equal. */
	uint32_t granule;
	/* True: the sink ignores all further records, and a kernel may end in
	 * the middle of a pass. NULL: never. */
	bool (*stopped)(void *ctx);
};

/*
 * The writing end, used by traced kernels. host .. host + bytes is the arena;
 * an address in it appears in the trace as base + offset, so that a trace does
 * not depend on where the arena was allocated.
 */
struct access_trace {
	const struct access_sink *sink;
	uintptr_t host;
	uint64_t base;
	uint64_t left_out;	/* passes that the sink has accounted for */
	size_t records;
	uint64_t record[ACCESS_BATCH];
};

/* Where a traced arena appears; page 0x10000 and 2 MiB aligned. */
#define ACCESS_ARENA_BASE UINT64_C(0x10000000)
/* Where a traced body's code appears: pseudo PC = this + 4 * site. */
#define ACCESS_CODE_BASE UINT64_C(0x400000)

static inline void access_flush(struct access_trace *t)
{
	if (t->records)
		t->sink->feed(t->sink->ctx, t->record, t->records);
	t->records = 0;
}

static inline void access_put(struct access_trace *t, uint64_t record)
{
	t->record[t->records++] = record;
	if (t->records == ACCESS_BATCH)
		access_flush(t);
}

static inline bool access_stopped(const struct access_trace *t)
{
	return t->sink->stopped && t->sink->stopped(t->sink->ctx);
}

/* Ends a pass; returns how many of the `left` coming passes to leave out. */
static inline uint64_t access_pass(struct access_trace *t, uint64_t left)
{
	uint64_t skipped = 0;

	access_flush(t);
	if (t->sink->pass)
		skipped = t->sink->pass(t->sink->ctx, left);
	t->left_out += skipped;
	return skipped;
}

#endif
