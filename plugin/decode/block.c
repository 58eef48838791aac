/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Blocks: what is known of a translation. QEMU may translate the same code
 * again and again; equal blocks are kept once.
 */
#include <stdlib.h>
#include <string.h>

#include "plugin/arena.h"
#include "plugin/callbacks/zero-lines.h"
#include "plugin/decode/block.h"
#include "plugin/decode/x86-edges.h"
#include "plugin/site.h"

enum { BUCKETS = 1 << 16, PAGE = 4096, LONGEST = 15 };

static struct block *buckets[BUCKETS];
static struct block *all;

static struct block **bucket_of(uint64_t pc)
{
	return &buckets[pc * UINT64_C(0x9e3779b97f4a7c15) >> 48];
}

/* Behind its steps there is its code. */
static unsigned char *code_of(struct block *b)
{
	return (unsigned char *)&b->step[b->instructions];
}

static void take_decoded(struct block *b, uint32_t i, const struct decoded *d)
{
	if (d->unseen < 0 || (d->zeroes && zero_possible(b, i)))
		return;
	b->unseen[d->unseen]++;
	b->any_unseen = true;
}

/* An instruction's part of it. */
static void describe_step(struct block *b, uint32_t i,
			  const struct qemu_plugin_insn *insn,
			  const struct decoded *d)
{
	const uint64_t pc = qemu_plugin_insn_vaddr(insn);
	struct step_info *step = &b->step[i];

	step->offset = (uint16_t)(pc - b->pc);
	step->streaming = d->streaming;
	step->atomic = d->atomic & 3;
	step->widest = d->widest & 0x1fff;
	if (session.attributes)
		step->site = site_find(pc, (uint64_t)(uintptr_t)
				       qemu_plugin_insn_haddr(insn));
}

/*
 * Where a store changes the page that its own code is in, QEMU leaves the
 * block, which has been counted, and does that instruction again, in a block
 * of its own. Only at the end of a page there are such blocks otherwise.
 */
static bool is_done_again(const struct qemu_plugin_tb *tb)
{
	const struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, 0);
	const uint64_t pc = qemu_plugin_insn_vaddr(insn);

	return session.map.tally->isa == ISA_X86_64 &&
	       qemu_plugin_tb_n_insns(tb) == 1 &&
	       pc % PAGE <= PAGE - 2 * LONGEST &&
	       x86_stores(qemu_plugin_insn_data(insn),
			  qemu_plugin_insn_size(insn));
}

/* What is known from translation alone. */
static void describe(struct block *b, const struct qemu_plugin_tb *tb)
{
	const struct qemu_plugin_insn *insn = NULL;
	struct decoded d = { .flow = FLOW_NEXT };
	unsigned char *code = code_of(b);

	b->pc = qemu_plugin_insn_vaddr(qemu_plugin_tb_get_insn(tb, 0));
	for (uint32_t i = 0; i < b->instructions; i++) {
		insn = qemu_plugin_tb_get_insn(tb, i);
		d = session.decode(qemu_plugin_insn_data(insn),
				   qemu_plugin_insn_size(insn));
		take_decoded(b, i, &d);
		describe_step(b, i, insn, &d);
		memcpy(code, qemu_plugin_insn_data(insn),
		       qemu_plugin_insn_size(insn));
		code += qemu_plugin_insn_size(insn);
	}
	if (d.flow == FLOW_NEXT && is_done_again(tb)) {
		b->unseen[TALLY_LEFT]++;
		b->any_unseen = true;
	}
	b->flow = d.flow;
	b->after = qemu_plugin_insn_vaddr(insn) + qemu_plugin_insn_size(insn);
	b->first_line = b->pc >> session.line_shift;
	b->last_line = (b->after - 1) >> session.line_shift;
	b->loops = b->flow == FLOW_BRANCH && b->first_line == b->last_line;
}

static uint32_t code_bytes(const struct qemu_plugin_tb *tb, uint32_t n)
{
	size_t bytes = 0;

	for (uint32_t i = 0; i < n; i++)
		bytes += qemu_plugin_insn_size(qemu_plugin_tb_get_insn(tb, i));
	return (uint32_t)bytes;
}

static size_t block_bytes(uint32_t instructions, uint32_t code)
{
	return sizeof(struct block) + instructions * sizeof(struct step_info) +
	       code;
}

/* Where a program writes code, it may have written other before. */
static bool equal(struct block *a, struct block *b)
{
	return a->pc == b->pc && a->after == b->after &&
	       a->instructions == b->instructions && a->code == b->code &&
	       memcmp(a->step, b->step,
		      a->instructions * sizeof(*a->step)) == 0 &&
	       memcmp(code_of(a), code_of(b), a->code) == 0;
}

/*
 * What QEMU 7.2 reports of an instruction of x86-64 that goes on in the next
 * page, behind others: it has begun to read it, and left it to another block.
 */
static bool is_left_out(const struct qemu_plugin_insn *insn)
{
	return session.map.tally->isa == ISA_X86_64 &&
	       qemu_plugin_insn_vaddr(insn) % PAGE > PAGE - LONGEST &&
	       x86_is_cut(qemu_plugin_insn_data(insn),
			  qemu_plugin_insn_size(insn));
}

static uint32_t instructions_of(const struct qemu_plugin_tb *tb)
{
	const uint32_t n = (uint32_t)qemu_plugin_tb_n_insns(tb);

	return n > 1 && is_left_out(qemu_plugin_tb_get_insn(tb, n - 1)) ?
	       n - 1 : n;
}

struct block *block_find(const struct qemu_plugin_tb *tb)
{
	const uint32_t n = instructions_of(tb);
	const uint32_t code = code_bytes(tb, n);
	struct block *b = arena_take(block_bytes(n, code)), **bucket;

	if (!b)
		return NULL;
	b->instructions = n;
	b->code = code;
	describe(b, tb);
	bucket = bucket_of(b->pc);
	for (struct block *old = *bucket; old; old = old->next) {
		if (!equal(old, b))
			continue;
		arena_give_back(b, block_bytes(n, code));
		return old;
	}
	b->next = *bucket;
	b->all = all;
	*bucket = b;
	__atomic_store_n(&all, b, __ATOMIC_RELEASE);
	return b;
}

void blocks_forget(void)
{
	for (struct block *b = all; b; b = b->all)
		b->executions = b->settled = 0;
}

void blocks_settle(void)
{
	struct block *b = __atomic_load_n(&all, __ATOMIC_ACQUIRE);

	for (; b; b = b->all) {
		const uint64_t ran = __atomic_load_n(&b->executions,
						     __ATOMIC_RELAXED);
		const uint64_t n = ran - b->settled;

		b->settled = ran;
		for (uint32_t i = 0; n && i < b->instructions; i++)
			session.map.site[b->step[i].site]
				.count[TALLY_instructions] += n;
		session.map.tally->settled += n * b->instructions;
	}
}
