/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Blocks: what is known of a translation. QEMU may translate the same code
 * again and again; equal blocks are kept once.
 */
#include <stdlib.h>
#include <string.h>

#include "session.h"

enum { BUCKETS = 1 << 16 };

static struct block *buckets[BUCKETS];
static struct block *all;

static struct block **bucket_of(uint64_t pc)
{
	return &buckets[pc * UINT64_C(0x9e3779b97f4a7c15) >> 48];
}

static void take_decoded(struct block *b, const struct decoded *d)
{
	if (d->unseen < 0)
		return;
	b->unseen[d->unseen]++;
	b->any_unseen = true;
}

/* Rule 4 of session.h: all its lines must be newest of their sets at once. */
static bool can_loop(const struct block *b)
{
	uint64_t lines = b->last_line - b->first_line + 1;

	if (b->flow != FLOW_BRANCH || session.flow_way == FLOW_AMONG)
		return false;
	return lines == 1 || (session.newest_mask != UINT64_MAX &&
			      lines <= session.newest_mask + 1 &&
			      (!session.translates ||
			       b->pc >> 12 == (b->after - 1) >> 12));
}

/* What is known from translation alone. */
static void describe(struct block *b, const struct qemu_plugin_tb *tb)
{
	const struct qemu_plugin_insn *insn = NULL;
	struct decoded d = { .flow = FLOW_NEXT };
	uint64_t pc = 0;

	for (uint32_t i = 0; i < b->instructions; i++) {
		insn = qemu_plugin_tb_get_insn(tb, i);
		pc = qemu_plugin_insn_vaddr(insn);
		d = session.decode(qemu_plugin_insn_data(insn),
				   qemu_plugin_insn_size(insn));
		take_decoded(b, &d);
		if (i == 0)
			b->pc = pc;
		if (session.map.tally->mode == TALLY_ATTRIBUTE)
			b->site[i] = site_find(pc, (uint64_t)(uintptr_t)
					       qemu_plugin_insn_haddr(insn));
	}
	b->flow = d.flow;
	b->after = pc + qemu_plugin_insn_size(insn);
	b->first_line = b->pc >> session.line_shift;
	b->last_line = (b->after - 1) >> session.line_shift;
	b->place_last = (pc - b->pc) / 4 > 255 ? 255 : (pc - b->pc) / 4;
	b->loops = can_loop(b);
	if (session.map.tally->mode == TALLY_ATTRIBUTE)
		b->site_last = b->site[b->instructions - 1];
}

static size_t block_bytes(uint32_t instructions)
{
	bool sites = session.map.tally->mode == TALLY_ATTRIBUTE;

	return sizeof(struct block) +
	       (sites ? instructions * sizeof(uint32_t) : 0);
}

static bool equal(const struct block *a, const struct block *b)
{
	/* Equal addresses of all instructions follow from equal sites, and
	 * without sites nobody asks for them. */
	return a->pc == b->pc && a->after == b->after &&
	       a->instructions == b->instructions && a->flow == b->flow &&
	       memcmp(a->unseen, b->unseen, sizeof(a->unseen)) == 0 &&
	       memcmp(a + 1, b + 1,
		      block_bytes(a->instructions) - sizeof(*a)) == 0;
}

struct block *block_find(const struct qemu_plugin_tb *tb)
{
	uint32_t n = (uint32_t)qemu_plugin_tb_n_insns(tb);
	struct block *b = calloc(1, block_bytes(n)), **bucket;

	if (!b)
		return NULL;
	b->instructions = n;
	describe(b, tb);
	bucket = bucket_of(b->pc);
	for (struct block *old = *bucket; old; old = old->next) {
		if (!equal(old, b))
			continue;
		free(b);
		return old;
	}
	b->next = *bucket;
	b->all = all;
	*bucket = all = b;
	return b;
}

void blocks_settle(void)
{
	for (struct block *b = all; b; b = b->all) {
		uint64_t n = __atomic_exchange_n(&b->executions, 0,
						 __ATOMIC_RELAXED);

		for (uint32_t i = 0; n && i < b->instructions; i++)
			session.map.site[b->site[i]]
				.count[TALLY_instructions] += n;
		session.map.tally->settled += n * b->instructions;
	}
}
