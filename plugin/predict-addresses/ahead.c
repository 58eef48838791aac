/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Accesses by the registers that QEMU keeps: rule 10 of session.h, plan.h. */
#include "plugin/callbacks/guest.h"
#include "plugin/predict-addresses/ahead.h"

/* ---- handing over ------------------------------------------------------- */

static void put_access(struct lane *lane, uint64_t record)
{
	const uint64_t from = access_operand(record);
	const uint64_t last = from + (UINT64_C(1) << access_log2_bytes(record))
			      - 1;
	const bool store = access_kind(record) == ACCESS_STORE;

	if (last >> LINE_SHIFT == from >> LINE_SHIFT &&
	    is_quick(&lane->filter, from, !store))
		count_hit(lane, store);
	else
		front_put(lane, record);
}

/* So many of its accesses, one by one. */
static void put_apart(struct lane *lane, const struct reach *r, uint64_t from,
		      uint32_t accesses)
{
	const struct planned_access *a =
		&lane->ahead.plan->details->access[r->first];

	for (uint32_t i = 0; i < accesses; i++)
		put_access(lane, a[i].record |
			   (planned_address(r, &a[i], from) &
			    ACCESS_OPERAND_MASK));
}

/* Those of one line: if it is not known, the first one brings it, and the
 * others hit, unless it must become dirty, or a page of stores is another. */
static void put_line(struct lane *lane, const struct reach *r, uint64_t from)
{
	const struct planned_access *a =
		&lane->ahead.plan->details->access[r->first];
	const bool store = !r->loads_only;

	if (store && lane->filter.stores == FILTER_STORES) {
		put_apart(lane, r, from, r->accesses);
		return;
	}
	if (!lane->filter.data.on || (store && !a->store)) {
		if (filter_hit(&lane->filter, from, !store))
			lane->hits += reach_hits(r);
		else
			put_apart(lane, r, from, r->accesses);
		return;
	}
	lane->hits += reach_hits(r);	/* before the buffer may end */
	if (filter_line(&lane->filter, from, store, &lane->at))
		return;
	lane->hits -= one_hit(store);
	*lane->at++ = a->record | (planned_address(r, a, from) &
				   ACCESS_OPERAND_MASK);
	move_on(lane);
}

void ahead_put(struct lane *lane, const struct reach *r, uint64_t from)
{
	from &= ACCESS_OPERAND_MASK;
	if ((from + r->last) >> LINE_SHIFT != from >> LINE_SHIFT)
		put_apart(lane, r, from, r->accesses);
	else
		put_line(lane, r, from);
}

static inline bool reach_is_quick(struct filter *f, const struct reach *r,
				  uint64_t from)
{
	struct found found;

	if (!reach_is_found(f, r, from, true, &found))
		return false;
	reach_touch(f, &found, ++f->clock, true);
	return true;
}

static inline void hand_over(struct lane *lane, uint32_t end)
{
	const struct reach *r = lane->ahead.plan->reach;

	for (uint32_t i = lane->done; i < end; i++)
		if (__builtin_expect(reach_is_quick(&lane->filter, &r[i],
					       lane->ahead.address[i]), true))
			lane->hits += reach_hits(&r[i]);
		else
			ahead_put(lane, &r[i], lane->ahead.address[i]);
	lane->done = end;
}

static __attribute__((noinline)) void hand_over_rest(struct lane *lane)
{
	struct ahead *a = &lane->ahead;
	const struct reach *r = &a->plan->reach[lane->done];
	const struct planned_access *torn = &a->plan->details->access[r->first +
							     a->whole];
	struct parts part = { .bytes = a->torn };

	put_apart(lane, r, a->address[lane->done], a->whole);
	if (!a->torn)
		return;
	part.from = planned_address(r, torn, a->address[lane->done]) &
		    ACCESS_OPERAND_MASK;
	front_put(lane, access_pack(torn->store ? ACCESS_STORE : ACCESS_LOAD,
				    parts_log2(&part), 0, part.from));
}

void ahead_settle(struct lane *lane)
{
	if (__builtin_expect(lane->part.bytes != 0, false))
		front_put_parts(lane);
	if (lane->done != lane->limit)
		hand_over(lane, lane->limit & ~LIMIT_LEFT);
	if (__builtin_expect(lane->limit & LIMIT_LEFT, false))
		hand_over_rest(lane);
	lane->done = lane->limit = 0;
}

/* How the block before ended, and its code, are not for it to know. */
void ahead_begin(struct lane *lane, enum flow flow, uint64_t fetched,
		 uint64_t after, uint64_t branch)
{
	filter_reset(&lane->filter);
	lane->part.bytes = 0;
	lane->done = lane->limit = 0;
	lane->ahead.plan = NULL;
	lane->flow = (uint8_t)flow;
	lane->fetched = fetched;
	lane->after = after;
	lane->branch = branch;
}

void ahead_open(struct lane *lane)
{
	ahead_begin(lane, FLOW_NEXT, UINT64_MAX, 0, 0);
}

/* ---- blocks ------------------------------------------------------------- */

void ahead_take(struct lane *lane, const struct plan *plan,
		const uint64_t *address)
{
	ahead_run(lane, plan->details->block);
	lane->ahead.plan = plan;
	lane->ahead.seen = 0;
	lane->limit = plan->limit;
	for (uint32_t i = 0; i < plan->reaches; i++)
		lane->ahead.address[i] = address[i];
}

/* ---- accesses ----------------------------------------------------------- */

/* Rule 4 of plan.h. */
static inline void note_whole(struct lane *lane,
			      const struct planned_step *step,
			      qemu_plugin_meminfo_t info)
{
	if (!step->certain || (info >> STORE_BIT & 1) != step->store)
		return;
	lane->ahead.seen += 1u << (info >> SIZE_BIT & SIZE_MASK);
	if (lane->ahead.seen < step->bytes)
		return;
	lane->ahead.seen = 0;
	lane->limit = step->limit;
}

void ahead_direct(struct lane *lane, const struct planned_step *step,
		  qemu_plugin_meminfo_t info, uint64_t address)
{
	if (step->plan != lane->ahead.plan)
		return;		/* QEMU's own, by what it did not reset */
	if (lane->done < step->before) {
		if (lane->part.bytes)
			front_put_parts(lane);
		hand_over(lane, step->before);
	}
	take_reported(lane, step->info, info, address);
	note_whole(lane, step, info);
}

/* ---- faults ------------------------------------------------------------- */

static bool is_nowhere(uint64_t address)
{
	const int64_t host = (int64_t)(uintptr_t)guest_host(address);

	return host >> 47 != host >> 63;
}

static bool faults(const struct fault *f, uint64_t from,
		   const struct planned_access *a)
{
	return f->nowhere ? is_nowhere(from) : a->store == f->store &&
					       f->address - from < a->bytes;
}

/* Parts of 8 bytes are done before it. */
static uint32_t torn(const struct fault *f, uint64_t from)
{
	return f->nowhere ? 0 : (uint32_t)(f->address - from) / 8 * 8;
}

/* The reach and its access; false: none of those that count. */
static bool find_fault(const struct lane *lane, const struct fault *f,
		       uint32_t *reach, uint32_t *access)
{
	const struct plan *plan = lane->ahead.plan;

	for (*reach = lane->done; *reach < lane->limit; ++*reach) {
		const struct reach *r = &plan->reach[*reach];

		for (*access = 0; *access < r->accesses; ++*access) {
			const struct planned_access *a =
				&plan->details->access[r->first + *access];

			if (faults(f, planned_address(r, a,
					lane->ahead.address[*reach]), a))
				return true;
		}
	}
	return false;
}

void ahead_fault(struct lane *lane, const struct fault *fault)
{
	uint32_t reach, access;
	const struct reach *r;

	if (!lane->ahead.plan || !find_fault(lane, fault, &reach, &access))
		return;
	r = &lane->ahead.plan->reach[reach];
	lane->limit = reach | LIMIT_LEFT;
	lane->ahead.whole = access;
	lane->ahead.torn = torn(fault, planned_address(r,
			&lane->ahead.plan->details->access[r->first + access],
			lane->ahead.address[reach]));
}
