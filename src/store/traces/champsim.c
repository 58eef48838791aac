/* SPDX-License-Identifier: MIT */
/*
 * ChampSim's instructions, 64 bytes each, little-endian:
 *
 *    0  8   address
 *    8  1   is a branch        9  1   was taken
 *   10  2   registers written  12  4  registers read
 *   16  16  2 addresses written       32  32  4 addresses read; 0: none
 *
 * The registers alone show whether an instruction is a branch, and of which
 * kind, as in ChampSim: the byte "is a branch" is not used, since some tracers
 * leave the byte 0; "was taken" is used of conditional branches only. They
 * have Pin's numbers for x86: 6 is the stack pointer, 25 the flags, 26 the
 * program counter, which a branch writes. A branch that reads the program
 * counter is relative to it; other registers that it reads are its condition,
 * as for x86's loop and Arm's cbz. There are no sizes: every access lies in one
 * line.
 *
 * The target of a branch is the address of the next instruction. The last
 * instruction of a trace has no next one: a return there is assumed to go where
 * its call said; any other indirect branch there is left out, since it would
 * count as mispredicted.
 */
#include <string.h>

#include "store/traces/stream.h"

enum { BYTES = 64, SP = 6, FLAGS = 25, IP = 26 };
enum { CALLS = 64, CALL_BYTES = 5, LONGEST = 15 };

#define NOWHERE UINT64_MAX	/* no address has so many bits */

static const char gone[] = "branches at the trace's end, whose targets are "
			   "not in the trace";

/*
 * A call record needs the return address, but the call's length is not known:
 * CALL_BYTES are assumed. A return to at most LONGEST bytes behind the call is
 * put with the address of the call record.
 */
struct calls {
	uint64_t pc[CALLS];	/* 0: returned, or no call */
	unsigned depth;		/* modulo CALLS */
};

static uint64_t word(const unsigned char *p)
{
	uint64_t value = 0;

	for (int i = 7; i >= 0; i--)
		value = value << 8 | p[i];
	return value;
}

static bool has(const unsigned char *registers, int n, int wanted)
{
	return memchr(registers, wanted, n) != NULL;
}

/* Does the instruction read a register that has no number above? */
static bool reads_other(const unsigned char *reads)
{
	for (int i = 0; i < 4; i++)
		if (reads[i] && reads[i] != SP && reads[i] != FLAGS &&
		    reads[i] != IP)
			return true;
	return false;
}

static void put_going(struct trace_stream *s, enum access_kind kind,
		      unsigned flags, uint64_t to)
{
	if (to == NOWHERE)
		trace_skipped(s, gone);
	else
		trace_put(s, access_pack(kind, flags, 0, to));
}

static void call(struct trace_stream *s, struct calls *calls, bool indirect,
		 uint64_t to)
{
	calls->pc[calls->depth++ % CALLS] = s->pc;
	trace_put(s, access_pack(ACCESS_CALL, 0, 0, s->pc + CALL_BYTES));
	if (indirect)
		put_going(s, ACCESS_JUMP, ACCESS_CALLED, to);
}

static void back(struct trace_stream *s, struct calls *calls, uint64_t to)
{
	uint64_t *pc = &calls->pc[--calls->depth % CALLS];

	if (*pc && (to == NOWHERE || to - *pc - 1 < LONGEST))
		to = *pc + CALL_BYTES;
	*pc = 0;
	put_going(s, ACCESS_RETURN, 0, to);
}

/* to: where the next instruction is, or NOWHERE. */
static void branch(struct trace_stream *s, struct calls *calls,
		   const unsigned char *p, uint64_t to)
{
	const unsigned char *reads = p + 12;
	const bool other = reads_other(reads), flags = has(reads, 4, FLAGS);
	const bool ip = has(reads, 4, IP), stack = has(reads, 4, SP);
	const bool both = stack && has(p + 10, 2, SP);

	trace_place(s);
	if (!stack && !flags && !other)
		trace_put(s, access_pack(ACCESS_JUMP, ACCESS_DIRECT, 0,
					 to == NOWHERE ? 0 : to));
	else if (!stack && !flags && !ip)
		put_going(s, ACCESS_JUMP, 0, to);
	else if (both && ip && !flags)
		call(s, calls, other, to);
	else if (both && !ip)
		back(s, calls, to);
	else
		trace_put(s, access_pack(ACCESS_BRANCH,
					 p[9] ? ACCESS_TAKEN : 0, 0, 1));
}

static int check(const struct trace_stream *s, const unsigned char *p)
{
	uint64_t at = s->in.offset, unused;

	if (p[8] > 1 || p[9] > 1)
		return trace_input_error(&s->in, at + (p[8] > 1 ? 8 : 9),
					 "this byte must be 0 or 1, not %d: "
					 "the trace is not ChampSim's",
					 p[8] > 1 ? p[8] : p[9]);
	if (!word(p))
		return trace_input_error(&s->in, at, "the instruction's "
					 "address is 0: the trace is damaged, "
					 "or not ChampSim's");
	for (unsigned i = 0; i < BYTES; i += i ? 8 : 16)
		if (!trace_address(word(p + i), &unused))
			return trace_input_error(&s->in, at + i, "the address "
						 "needs more than %d bits",
						 ACCESS_OPERAND_BITS);
	return 0;
}

static void access_all(struct trace_stream *s, enum access_kind kind,
		       const unsigned char *p, int n)
{
	uint64_t address;

	for (int i = 0; i < n; i++, p += 8)
		if (word(p) && trace_address(word(p), &address))
			trace_access(s, kind, address, 1);
}

int trace_champsim_read(struct trace_stream *s)
{
	struct calls calls = { .depth = 0 };
	const unsigned char *p;
	uint64_t pc, to;
	int rc;

	while ((rc = trace_input_need(&s->in, BYTES)) > 0) {
		/* the next instruction's address is the branch's target */
		rc = trace_input_need(&s->in, BYTES + 8);
		if (rc < 0)
			return rc;
		p = trace_input_data(&s->in);
		rc = check(s, p);
		if (rc < 0)
			return rc;
		trace_address(word(p), &pc);
		if (trace_input_left(&s->in) < BYTES + 8 ||
		    !trace_address(word(p + BYTES), &to))
			to = NOWHERE;
		trace_instruction(s, pc, 1);
		access_all(s, ACCESS_LOAD, p + 32, 4);
		access_all(s, ACCESS_STORE, p + 16, 2);
		if (has(p + 10, 2, IP))
			branch(s, &calls, p, to);
		trace_input_skip(&s->in, BYTES);
	}
	if (rc == 0 && trace_input_left(&s->in))
		return trace_input_error(&s->in, s->in.offset, "an instruction "
					 "has %d bytes, but the trace ends "
					 "after %zu of them", BYTES,
					 trace_input_left(&s->in));
	return rc;
}

bool trace_champsim_begins(const unsigned char *data, size_t bytes)
{
	(void)data;
	(void)bytes;
	return false;	/* it has no mark */
}
