/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which callbacks a block gets when QEMU translates it. */
#include <stdlib.h>

#include "plugin/callbacks/fault.h"
#include "plugin/callbacks/watch.h"
#include "plugin/callbacks/zero.h"
#include "plugin/capture/raw.h"
#include "plugin/capture/report.h"
#include "plugin/predict-addresses/compare.h"
#include "plugin/predict-addresses/entry.h"

/* Other forms of fn: of what loads and stores at once, of what only stores, and
 * of what generated code alone performs. */
#define FORMS(fn) \
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
	} \
	static void fn##_generated(unsigned vcpu, qemu_plugin_meminfo_t info, \
				   uint64_t address, void *data) \
	{ \
		if (!qemu_is_caller(__builtin_return_address(0))) \
			fn(vcpu, info, address, data); \
	}

FORMS(report_access)
FORMS(report_access_first)
FORMS(report_access_odd)
FORMS(lane_access)
FORMS(lane_access_first)
FORMS(lane_access_first_odd)
FORMS(lane_access_far)
FORMS(lane_access_counted)
FORMS(compare_access)
FORMS(raw_direct)

static const struct forms {
	qemu_mem_fn *fn, *both, *store, *generated;
} forms[] = {
#define ROW(fn) { fn, fn##_both, fn##_store, fn##_generated }
	ROW(report_access), ROW(report_access_first), ROW(report_access_odd),
	ROW(lane_access), ROW(lane_access_first), ROW(lane_access_first_odd),
	ROW(lane_access_far), ROW(lane_access_counted), ROW(compare_access),
	ROW(raw_direct)
};

/* Of the instruction of that index. */
static qemu_mem_fn *form_of(qemu_mem_fn *fn, const struct block *b,
			    uint32_t index)
{
	const struct forms *form = forms;
	const bool leaves = index + 1 == b->instructions &&
			    b->flow != FLOW_NEXT;

	while (form->fn != fn)
		form++;
	switch (b->step[index].atomic) {
	case ATOMIC_BOTH:
		return form->both;
	case ATOMIC_STORE:
		return form->store;
	default:
		return leaves ? form->generated : fn;
	}
}

static void watch(struct qemu_plugin_tb *tb, const struct block *b,
		  uint32_t index, qemu_mem_fn *fn, uintptr_t data)
{
	struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, index);

	qemu_plugin_register_vcpu_mem_cb(insn, form_of(fn, b, index),
					 QEMU_NO_REGS, QEMU_MEM_BOTH,
					 (void *)data);
	if (zero_possible(b, index))
		zero_watch(tb, index, fn, (void *)data);
}

/* Rule 8 of session.h. */
static bool is_announced(const struct block *b)
{
	return session.map.tally->mode != TALLY_COUNT &&
	       b->first != NO_ACCESS &&
	       !(session.fronts && is_odd(&b->step[b->first]));
}

/* The forms of data are those that lane.c says. */
static void watch_accesses(struct qemu_plugin_tb *tb, struct block *b,
			   uint32_t index)
{
	const struct step_info *step = &b->step[index];
	const uintptr_t placed = (uintptr_t)index << WORD_INDEX_SHIFT;
	const bool odd = is_odd(step);

	if (session.fronts && odd)
		watch(tb, b, index, report_access_odd, (uintptr_t)step);
	else if (session.fronts && index == b->first)
		watch(tb, b, index, report_access_first, (uintptr_t)b);
	else if (session.fronts)
		watch(tb, b, index, report_access, 0);
	else if (session.map.tally->mode == TALLY_COUNT)
		watch(tb, b, index, lane_access_counted, (uintptr_t)step);
	else if (index >= FAR_INDEX)
		watch(tb, b, index, lane_access_far, index);
	else if (index == b->first)
		watch(tb, b, index,
		      odd ? lane_access_first_odd : lane_access_first,
		      placed | (uintptr_t)b);
	else
		watch(tb, b, index, lane_access,
		      placed | (odd ? WORD_ODD : 0));
}

static unsigned shape_of(const struct plan *plan)
{
	return plan->details->simple && plan->reaches < SHAPES ? plan->reaches :
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
			(void *)(uintptr_t)raw_plan_word(b->plan));
	else
		qemu_plugin_register_vcpu_tb_exec_cb(tb, entry_compared,
						     QEMU_NO_REGS, b);
	for (uint32_t i = 0; i < b->instructions; i++) {
		const struct planned_step *step = &plan_steps(b->plan)[i];

		if (!ready)
			watch(tb, b, i, compare_access, (uintptr_t)step);
		else if (step->direct)
			watch(tb, b, i, raw_direct, (uintptr_t)step);
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
		watch_accesses(tb, b, i);
}
