/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Registers as sums of those at a block's begin, followed through it. */
#include <stdlib.h>
#include <string.h>

#include "base/access.h"
#include "plugin/predict-addresses/plan.h"

/* What is in a register. */
struct value {
	bool known;
	struct linear is;	/* of registers when the block began */
};

struct planner {
	unsigned (*place)(unsigned reg);
	struct value value[OPERAND_REGISTERS];
	bool open;		/* the last reach can go on */
	bool certain;		/* rule 3 */
	uint16_t reaches, accesses;
	bool segment;
	struct reach reach[PLAN_REACHES];
	struct planned_access access[PLAN_STEPS * OPERAND_ACCESSES];
};

/* ---- values ------------------------------------------------------------- */

static void begin(struct planner *p, unsigned (*place)(unsigned reg))
{
	memset(p, 0, sizeof(*p));
	p->place = place;
	p->certain = true;
	for (unsigned i = 0; i < OPERAND_REGISTERS; i++)
		p->value[i] = (struct value){
			true, { 0, (uint8_t)i, OPERAND_NONE, 0 }
		};
}

static bool add_base(struct linear *out, const struct planner *p, uint8_t reg)
{
	const struct value *v = &p->value[reg];

	if (!v->known)
		return false;
	out->offset += v->is.offset;
	out->base = v->is.base;
	out->index = v->is.index;
	out->shift = v->is.shift;
	return true;
}

/* Only one register can be shifted. */
static bool add_index(struct linear *out, const struct planner *p,
		      uint8_t reg, uint8_t shift)
{
	const struct value *v = &p->value[reg];

	if (!v->known || v->is.index != OPERAND_NONE)
		return false;
	out->offset += v->is.offset << shift;
	if (v->is.base == OPERAND_NONE)
		return true;
	if (out->index == OPERAND_NONE) {
		out->index = v->is.base;
		out->shift = shift;
		return true;
	}
	if (shift || out->base != OPERAND_NONE)
		return false;
	out->base = v->is.base;
	return true;
}

/* That, of registers as they are now, by those of the begin. */
static bool resolve(struct linear *out, const struct planner *p,
		    const struct linear *now)
{
	*out = (struct linear){ now->offset, OPERAND_NONE, OPERAND_NONE, 0 };
	return (now->base == OPERAND_NONE || add_base(out, p, now->base)) &&
	       (now->index == OPERAND_NONE ||
		add_index(out, p, now->index, now->shift));
}

static void change_registers(struct planner *p, const struct operands *o)
{
	struct value value[OPERAND_MOVES];

	for (unsigned i = 0; i < o->moves; i++)
		value[i].known = resolve(&value[i].is, p, &o->move[i].value);
	for (unsigned i = 0; i < OPERAND_REGISTERS; i++)
		if (o->lost >> i & 1)
			p->value[i].known = false;
	for (unsigned i = 0; i < o->moves; i++)
		p->value[o->move[i].to] = value[i];
}

/* ---- reaches ------------------------------------------------------------ */

static int8_t mask_of(uint8_t reg)
{
	return reg == OPERAND_NONE ? 0 : -1;
}

static uint8_t place_of(const struct planner *p, uint8_t reg)
{
	return reg == OPERAND_NONE ? 0 : (uint8_t)p->place(reg);
}

static struct reach reach_at(const struct planner *p, const struct linear *at)
{
	return (struct reach){
		.offset = at->offset,
		.base_mask = mask_of(at->base),
		.index_mask = mask_of(at->index),
		.base = place_of(p, at->base), .index = place_of(p, at->index),
		.shift = at->shift, .first = p->accesses
	};
}

static bool same_registers(const struct reach *a, const struct reach *b)
{
	return a->base_mask == b->base_mask && a->index_mask == b->index_mask &&
	       a->base == b->base && a->index == b->index &&
	       a->shift == b->shift;
}

/* Both as one; false: they are too far apart for a line. */
static bool join(struct reach *to, const struct reach *r)
{
	const int64_t before = (int64_t)(to->offset - r->offset);
	uint64_t last;

	if (before >= 64 || before <= -64)
		return false;
	last = before > 0 ? to->last + (uint64_t)before : to->last;
	if (before <= 0 && r->last + (uint64_t)-before > last)
		last = r->last + (uint64_t)-before;
	if (before > 0 && r->last > last)
		last = r->last;
	if (last >= 64)
		return false;
	to->offset = before > 0 ? r->offset : to->offset;
	to->last = (uint8_t)last;
	to->loads += r->loads;
	to->stores += r->stores;
	to->loads_only &= r->loads_only;
	to->accesses++;
	return true;
}

static struct planned_access planned(const struct operand_access *a,
				     uint16_t reach)
{
	const unsigned log2 = 31 - (unsigned)__builtin_clz(a->bytes);

	return (struct planned_access){
		.reach = reach, .bytes = a->bytes, .store = a->store,
		.record = access_pack(a->store ? ACCESS_STORE : ACCESS_LOAD,
				      log2, 0, 0)
	};
}

static void derive(struct planner *p, const struct linear *at,
		   const struct operand_access *a)
{
	struct reach r = reach_at(p, at), *last;

	r.last = (uint8_t)(a->bytes - 1);
	r.loads_only = !a->store;
	r.loads = !a->store;
	r.stores = a->store;
	r.accesses = 1;
	last = p->reaches ? &p->reach[p->reaches - 1] : NULL;
	if (!last || !p->open || !same_registers(last, &r) || !join(last, &r))
		p->reach[p->reaches++] = r;
	p->open = true;
	p->segment |= at->index == OPERAND_FS || at->base == OPERAND_FS;
	p->access[p->accesses] = planned(a, (uint16_t)(p->reaches - 1));
	p->access[p->accesses++].offset = at->offset;
}

/* All of an instruction's accesses, or none; each has its place. */
static bool derive_all(struct planner *p, const struct operands *o)
{
	struct linear at[OPERAND_ACCESSES];

	if (p->reaches + o->accesses > PLAN_REACHES)
		return false;
	for (unsigned i = 0; i < o->accesses; i++)
		if (!resolve(&at[i], p, &o->access[i].at))
			return false;
	for (unsigned i = 0; i < o->accesses; i++)
		derive(p, &at[i], &o->access[i]);
	return true;
}

static void leave_direct(struct planner *p, const struct operands *o)
{
	p->open = false;
	for (unsigned i = 0; i < o->accesses; i++)
		p->access[p->accesses++] = planned(&o->access[i], NO_REACH);
}

/* ---- steps -------------------------------------------------------------- */

static void plan_step(struct planner *p, struct planned_step *step,
		      const struct operands *o)
{
	const struct operand_access *last = o->accesses ?
		&o->access[o->accesses - 1] : NULL;

	p->certain &= o->certain;
	step->before = p->reaches;
	step->certain = p->certain;
	step->direct = !p->certain;
	if (!p->certain)
		return;
	step->first = p->accesses;
	step->accesses = (uint16_t)o->accesses;
	if (last) {
		step->bytes = last->bytes;
		step->store = last->store;
	}
	if (!derive_all(p, o)) {
		leave_direct(p, o);
		step->direct = true;
	}
	change_registers(p, o);
}

/* Rule 4, from behind. */
static void set_limits(struct plan *plan)
{
	uint8_t limit = plan->reaches;

	for (uint32_t i = plan->instructions; i-- > 0;) {
		struct planned_step *step = &plan_steps(plan)[i];

		step->limit = limit;
		if (step->direct && step->certain)
			limit = (uint8_t)step->before;
	}
	plan->limit = limit;
	plan->details->simple = limit == plan->reaches;
	for (uint32_t i = 0; i < plan->reaches; i++)
		if (plan->reach[i].index_mask)
			plan->details->simple = false;
	for (uint32_t i = 0; i < limit; i++)
		plan->hits += reach_hits(&plan->reach[i]);
}

/* Accesses that are as far from the address as their bytes ask for. */
static uint8_t grain_of(const struct reach *r, const struct planned_access *a)
{
	uint8_t grain = 0;

	for (uint32_t i = 0; i < r->accesses; i++) {
		if ((a[i].offset - r->offset) & (a[i].bytes - 1u))
			return 63;
		grain |= (a[i].bytes - 1) & 63;
	}
	return grain;
}

static struct plan *keep(struct planner *p, const struct planned_step *step,
			 uint32_t steps)
{
	const size_t step_bytes = steps * sizeof(*step);
	const size_t reach_bytes = p->reaches * sizeof(struct reach);
	const size_t access_bytes = p->accesses * sizeof(*p->access);
	struct plan *plan = calloc(1, sizeof(*plan) + reach_bytes +
				   sizeof(*plan->details) + access_bytes +
				   step_bytes);

	if (!plan)
		return NULL;
	plan->instructions = (uint16_t)steps;
	plan->reaches = (uint8_t)p->reaches;
	plan->details = (struct plan_details *)(plan->reach + p->reaches);
	plan->details->accesses = p->accesses;
	plan->details->segment = p->segment;
	memcpy(plan->details->access, p->access, access_bytes);
	memcpy(plan_steps(plan), step, step_bytes);
	for (uint32_t i = 0; i < p->reaches; i++) {
		plan->reach[i] = p->reach[i];
		plan->reach[i].grain = grain_of(&p->reach[i],
						&p->access[p->reach[i].first]);
	}
	for (uint32_t i = 0; i < steps; i++)
		plan_steps(plan)[i].plan = plan;
	return plan;
}

struct plan *plan_new(const struct operands *o, uint32_t steps,
		      unsigned (*place)(unsigned reg))
{
	struct planned_step step[PLAN_STEPS];
	struct planner p;
	struct plan *plan;

	begin(&p, place);
	memset(step, 0, sizeof(step));
	for (uint32_t i = 0; i < steps; i++)
		plan_step(&p, &step[i], &o[i]);
	plan = keep(&p, step, steps);
	if (plan)
		set_limits(plan);
	return plan;
}
