/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which callbacks a block gets when QEMU translates it. */
#include "plugin/callbacks/instrument-block.h"
#include "plugin/callbacks/entry.h"
#include "plugin/callbacks/zero-lines.h"
#include "plugin/capture/lane.h"
#include "plugin/decode/block.h"

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

FORMS(lane_access)
FORMS(lane_access_far)
FORMS(lane_access_counted)

struct forms {
	qemu_mem_fn *fn, *both, *store, *generated;
};
#define FORMS_OF(fn) { fn, fn##_both, fn##_store, fn##_generated }

static const struct forms near = FORMS_OF(lane_access),
			  far = FORMS_OF(lane_access_far),
			  counted = FORMS_OF(lane_access_counted);

static qemu_mem_fn *form_of(const struct forms *form, const struct block *b,
			    uint32_t index)
{
	const bool leaves = index + 1 == b->instructions &&
			    b->flow != FLOW_NEXT;

	switch (b->step[index].atomic) {
	case ATOMIC_BOTH:
		return form->both;
	case ATOMIC_STORE:
		return form->store;
	default:
		return leaves ? form->generated : form->fn;
	}
}

static void instrument_access(struct qemu_plugin_tb *tb, const struct block *b,
			      uint32_t index, const struct forms *form,
			      uintptr_t data)
{
	qemu_plugin_register_vcpu_mem_cb(qemu_plugin_tb_get_insn(tb, index),
					 form_of(form, b, index), QEMU_NO_REGS,
					 QEMU_MEM_BOTH, (void *)data);
	if (zero_possible(b, index))
		zero_instrument(tb, index, form->fn, (void *)data);
}

/* lane.c says what the data of each callback is. */
void instrument_block(struct qemu_plugin_tb *tb, const struct block *b)
{
	const bool counts = session.map.tally->mode == TALLY_COUNT;

	qemu_plugin_register_vcpu_tb_exec_cb(tb, counts ? lane_block_counted :
					     session.map.tally->from[0] ||
					     session.data ?
					     entry_watched : lane_block,
					     QEMU_NO_REGS,
					     (void *)(uintptr_t)b);
	for (uint32_t i = 0; i < b->instructions; i++)
		if (counts)
			instrument_access(tb, b, i, &counted,
					  (uintptr_t)&b->step[i]);
		else if (i >= FAR_INDEX)
			instrument_access(tb, b, i, &far, i);
		else
			instrument_access(tb, b, i, &near,
					  (uintptr_t)i << WORD_INDEX_SHIFT |
					  (is_odd(&b->step[i]) ? WORD_ODD : 0));
}
