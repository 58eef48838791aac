/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * DC ZVA. Before QEMU zeroes memory it writes all registers back, so that a
 * callback of the next instruction finds the address where QEMU keeps its
 * operand. A block of QEMU's `max` CPU is as long as eight lines; it counts as
 * one store per line, as on CPUs with shorter blocks.
 */
#include <stdlib.h>
#include <string.h>

#include "plugin/arena.h"
#include "plugin/callbacks/guest.h"
#include "plugin/callbacks/zero-lines.h"
#include "plugin/callbacks/entry.h"

enum { LINE = 64, LINE_LOG2 = 6, LONGEST_BLOCK = 512 };
enum { FIRST_WORD = 8, XZR = 31 };	/* X0 in QEMU 7.2's state */
enum { CHECKED = 256 };	/* executions: the memory is zero then */

struct zeroing {
	qemu_mem_fn *fn;
	void *data;
	unsigned reg;
};

/* Of the CPU that QEMU emulates. */
static uint64_t block_bytes(void)
{
	const char *cpu = session.tallies->cpu;

	return strncmp(cpu, "max", 3) == 0 ? LONGEST_BLOCK :
	       strncmp(cpu, "a64fx", 5) == 0 ? 256 : LINE;
}

bool zero_possible(const struct block *b, uint32_t index)
{
	return entry_zeroed && index + 1 < b->instructions;
}

static bool is_zero(uint64_t from, uint64_t bytes)
{
	static const char zero[LONGEST_BLOCK];
	char memory[LONGEST_BLOCK];

	return guest_read(memory, bytes, from) &&
	       memcmp(memory, zero, bytes) == 0;
}

/* false: the address is not where it was expected, and nothing is counted but
 * that. */
static bool trusted(uint64_t from, uint64_t bytes)
{
	static uint32_t checked;
	static bool wrong;

	if (!wrong && checked < CHECKED) {
		wrong = !is_zero(from, bytes);
		checked++;
	}
	if (wrong && tally_begin())
		session.map.tally->unseen[TALLY_ZERO_LINE]++;
	if (wrong)
		tally_end();
	return !wrong;
}

/* data: struct zeroing, of the instruction before. */
void zero_lines(unsigned vcpu, void *data, const uint64_t *state)
{
	const struct zeroing *z = data;
	const qemu_plugin_meminfo_t info = UINT32_C(1) << session.store_bit |
					   LINE_LOG2 << session.size_bit;
	const uint64_t bytes = block_bytes();
	const uint64_t to = z->reg == XZR ? 0 : state[FIRST_WORD + z->reg];
	const uint64_t from = (to & ACCESS_OPERAND_MASK) & -bytes;

	if (session.child || !trusted(from, bytes))
		return;
	for (uint64_t at = from; at < from + bytes; at += LINE)
		z->fn(vcpu, info, at, z->data);
}

void zero_instrument(struct qemu_plugin_tb *tb, uint32_t index, qemu_mem_fn *fn,
		void *data)
{
	const struct qemu_plugin_insn *insn =
		qemu_plugin_tb_get_insn(tb, index);
	const struct decoded d = session.decode(qemu_plugin_insn_data(insn),
						qemu_plugin_insn_size(insn));
	struct zeroing *z;

	if (!d.zeroes)
		return;
	z = arena_take(sizeof(*z));
	if (!z)
		abort();
	*z = (struct zeroing){ fn, data, d.zeroes - 1 };
	qemu_plugin_register_vcpu_insn_exec_cb(
		qemu_plugin_tb_get_insn(tb, index + 1), entry_zeroed,
		QEMU_NO_REGS, z);
}
