/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which callbacks a block gets when QEMU translates it. */
#include <stdlib.h>

#include "ahead.h"
#include "compare.h"
#include "entry.h"
#include "report.h"
#include "watch.h"

/* What fn is told of an atomic access: the load, too, or the store alone. */
#define ATOMIC(fn) \
	static void fn##_both(unsigned vcpu, qemu_plugin_meminfo_t info, \
			      uint64_t address, void *data) \
	{ \
		const uint32_t store = UINT32_C(1) << session.store_bit; \
		if (info & store && info & store >> 1) \
			fn(vcpu, info & ~store, address, data); \
		fn(vcpu, info, address, data); \
	} \
	static void fn##_store(unsigned vcpu, qemu_plugin_meminfo_t info, \
			       uint64_t address, void *data) \
	{ \
		if (info >> session.store_bit & 1) \
			fn(vcpu, info, address, data); \
	}

ATOMIC(report_access)
ATOMIC(report_access_odd)
ATOMIC(lane_access)
ATOMIC(lane_access_far)
ATOMIC(lane_access_counted)
ATOMIC(compare_access)
ATOMIC(ahead_access)

static qemu_mem_fn *atomic_form(qemu_mem_fn *fn, bool store)
{
	static const struct { qemu_mem_fn *fn, *both, *store; } forms[] = {
#define FORM(fn) { fn, fn##_both, fn##_store }
		FORM(report_access), FORM(report_access_odd),
		FORM(lane_access), FORM(lane_access_far),
		FORM(lane_access_counted), FORM(compare_access),
		FORM(ahead_access)
	};
	size_t i = 0;

	while (forms[i].fn != fn)
		i++;
	return store ? forms[i].store : forms[i].both;
}

static void watch(struct qemu_plugin_insn *insn, const struct step_info *step,
		  qemu_mem_fn *fn, uintptr_t data)
{
	if (step->atomic != ATOMIC_NOT)
		fn = atomic_form(fn, step->atomic == ATOMIC_STORE);
	qemu_plugin_register_vcpu_mem_cb(insn, fn, QEMU_NO_REGS, QEMU_MEM_BOTH,
					 (void *)data);
}

/* Rule 8 of session.h. */
static bool is_announced(const struct block *b)
{
	return session.map.tally->mode != TALLY_COUNT &&
	       b->first != NO_ACCESS &&
	       !(session.fronts && is_odd(&b->step[b->first]));
}

/* The forms of data are those that lane.c says. */
static void watch_accesses(struct qemu_plugin_insn *insn, struct block *b,
			   uint32_t index)
{
	const struct step_info *step = &b->step[index];
	const uintptr_t placed = (uintptr_t)index << WORD_INDEX_SHIFT;
	const bool odd = is_odd(step);

	if (session.fronts && odd)
		watch(insn, step, report_access_odd, (uintptr_t)step);
	else if (session.fronts && index == b->first)
		watch(insn, step, report_access_first, (uintptr_t)b);
	else if (session.fronts)
		watch(insn, step, report_access, 0);
	else if (session.map.tally->mode == TALLY_COUNT)
		watch(insn, step, lane_access_counted, (uintptr_t)step);
	else if (index >= FAR_INDEX)
		watch(insn, step, lane_access_far, index);
	else if (index == b->first)
		watch(insn, step,
		      odd ? lane_access_first_odd : lane_access_first,
		      placed | (uintptr_t)b);
	else
		watch(insn, step, lane_access,
		      placed | (odd ? WORD_ODD : 0));
}

static unsigned shape_of(const struct plan *plan)
{
	return plan->simple && plan->reaches < SHAPES ? plan->reaches :
							SHAPE_ANY;
}

static void prepare(void)
{
	session.trust.always = getenv("ASSAY_CHECK_ADDRESSES");
	fault_watch();
}

/* Rule 10; false: the block does without. */
static bool watch_ahead(struct qemu_plugin_tb *tb, struct block *b)
{
	const bool ready = b->plan && compare_done(b->plan);

	if (!b->plan || !session.trust.possible)
		return false;
	if (!session.trust.watched)
		prepare();
	session.trust.watched = true;
	if (ready)
		qemu_plugin_register_vcpu_tb_exec_cb(tb,
			entry_block[shape_of(b->plan)], QEMU_NO_REGS,
			(void *)(uintptr_t)b->plan);
	else
		qemu_plugin_register_vcpu_tb_exec_cb(tb, entry_compared,
						     QEMU_NO_REGS, b);
	for (uint32_t i = 0; i < b->instructions; i++) {
		const struct planned_step *step = &plan_steps(b->plan)[i];
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);

		if (!ready)
			watch(insn, step->info, compare_access,
			      (uintptr_t)step);
		else if (step->direct)
			watch(insn, step->info, ahead_access,
			      (uintptr_t)step);
	}
	return true;
}

void watch_block(struct qemu_plugin_tb *tb, struct block *b)
{
	const bool counts = session.map.tally->mode == TALLY_COUNT;

	if (watch_ahead(tb, b))
		return;
	if (!is_announced(b))
		qemu_plugin_register_vcpu_tb_exec_cb(tb, counts ?
			lane_block_counted : session.fronts ? report_block :
			lane_block, QEMU_NO_REGS, b);
	for (uint32_t i = 0; i < b->instructions; i++)
		watch_accesses(qemu_plugin_tb_get_insn(tb, i), b, i);
}
