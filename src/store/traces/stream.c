/* SPDX-License-Identifier: MIT */
/* Instructions and their accesses -> access records. See stream.h. */
#include "store/traces/stream.h"

#include <string.h>

static const char beyond[] = "accesses beyond the last address: the bytes "
			     "beyond it";
static const char cut[] =
	"accesses of more than 64 bytes, cut to a power of two";

bool trace_address(uint64_t address, uint64_t *out)
{
	uint64_t upper = address >> (ACCESS_OPERAND_BITS - 1);

	if (address > ACCESS_OPERAND_MASK && upper != 0x1ffff)
		return false;
	*out = address & ACCESS_OPERAND_MASK;
	return true;
}

void trace_skipped(struct trace_stream *s, const char *what)
{
	struct trace_summary *t = s->summary;
	unsigned i = 0;

	while (i < t->notes && t->note[i].what != what)
		i++;
	if (i == TRACE_NOTES)
		return;
	if (i == t->notes)
		t->note[t->notes++] = (struct trace_note){ what, 0 };
	t->note[i].count++;
}

/* The address in (from, last] with the largest alignment, 16 to 64; 0: none. */
static uint64_t best_boundary(uint64_t from, uint64_t last)
{
	uint64_t best = 0;

	for (uint64_t line = 16; line <= 64; line *= 2)
		if ((last & ~(line - 1)) > from)
			best = last & ~(line - 1);
	return best;
}

unsigned trace_window(struct trace_stream *s, uint64_t *address,
		      uint64_t bytes)
{
	unsigned log2 = 63 - __builtin_clzll(bytes);
	uint64_t size = UINT64_C(1) << log2, boundary;

	if (*address + bytes - 1 > ACCESS_OPERAND_MASK)
		trace_skipped(s, beyond);
	if (size == bytes)
		return log2;
	if (bytes > 64)
		trace_skipped(s, cut);
	/* the first or the last `size` bytes have both sides of the boundary */
	boundary = best_boundary(*address, *address + bytes - 1);
	if (boundary > *address + size - 1)
		*address += bytes - size;
	return log2;
}

void trace_put(struct trace_stream *s, uint64_t record)
{
	access_put(&s->out, record);
	s->summary->records++;
}

void trace_instruction(struct trace_stream *s, uint64_t pc, uint64_t bytes)
{
	uint64_t at = pc;
	unsigned log2 = trace_window(s, &at, bytes);

	s->pc = pc;
	trace_put(s, access_pack(ACCESS_FETCH, log2, 0, at));
	trace_put(s, access_pack(ACCESS_RETIRE, 0, 0, 1));
}

void trace_place(struct trace_stream *s)
{
	if (s->pc == s->pc_sent)
		return;
	access_put(&s->out, access_pack(ACCESS_PC, 0, 0, s->pc));
	s->pc_sent = s->pc;
}

void trace_access(struct trace_stream *s, enum access_kind kind,
		  uint64_t address, uint64_t bytes)
{
	unsigned log2 = trace_window(s, &address, bytes);

	trace_place(s);
	trace_put(s, access_pack(kind, log2, 0, address));
}
