/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Accesses by the registers that QEMU keeps: rule 10 of session.h, plan.h. */
#include "ahead.h"
#include "entry.h"
#include "guest.h"
#include "raw.h"

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
	const struct planned_access *a = &lane->ahead.plan->access[r->first];

	for (uint32_t i = 0; i < accesses; i++)
		put_access(lane, a[i].record |
			   (planned_address(r, &a[i], from) &
			    ACCESS_OPERAND_MASK));
}

/* Those of one line: if it is not known, the first one brings it, and the
 * others hit, unless it must become dirty, or a page of stores is another. */
static void put_line(struct lane *lane, const struct reach *r, uint64_t from)
{
	const struct planned_access *a = &lane->ahead.plan->access[r->first];
	const bool store = !r->loads_only;

	if (store && lane->filter.stores == FILTER_STORES) {
		put_apart(lane, r, from, r->accesses);
		return;
	}
	if (!lane->filter.data.on || (store && !a->store)) {
		if (filter_hit(&lane->filter, from, !store))
			lane->hits += reach_hits(r->hits);
		else
			put_apart(lane, r, from, r->accesses);
		return;
	}
	lane->hits += reach_hits(r->hits);	/* before the buffer may end */
	if (filter_line(&lane->filter, from, store, &lane->at))
		return;
	lane->hits -= one_hit(store);
	*lane->at++ = a->record | (planned_address(r, a, from) &
				   ACCESS_OPERAND_MASK);
	move_on(lane);
}

void ahead_put(struct lane *lane, const struct reach *r, uint64_t from)
{
	if ((from + r->last) >> LINE_SHIFT != from >> LINE_SHIFT)
		put_apart(lane, r, from, r->accesses);
	else
		put_line(lane, r, from);
}

static inline bool reach_is_quick(struct filter *f, const struct reach *r,
				  uint64_t from)
{
	uint8_t slot;

	if (!reach_is_found(f, r, from, &slot))
		return false;
	reach_touch(f, r, from, slot, ++f->data_pages.clock);
	return true;
}

static inline void hand_over(struct lane *lane, uint32_t end)
{
	const struct reach *r = lane->ahead.plan->reach;
	uint32_t hits = 0;

	for (uint32_t i = lane->done; i < end; i++)
		if (__builtin_expect(reach_is_quick(&lane->filter, &r[i],
					       lane->ahead.address[i]), true))
			hits += r[i].hits;
		else
			ahead_put(lane, &r[i], lane->ahead.address[i]);
	lane->hits += reach_hits(hits);
	lane->done = end;
}

static __attribute__((noinline)) void hand_over_rest(struct lane *lane)
{
	struct ahead *a = &lane->ahead;
	const struct reach *r = &a->plan->reach[lane->done];
	const struct planned_access *torn = &a->plan->access[r->first +
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

static __attribute__((noinline)) void settle(struct lane *lane)
{
	if (__builtin_expect(lane->part.bytes != 0, false))
		front_put_parts(lane);
	if (lane->done != lane->limit)
		hand_over(lane, lane->limit & ~LIMIT_LEFT);
	if (__builtin_expect(lane->limit & LIMIT_LEFT, false))
		hand_over_rest(lane);
	lane->done = lane->limit = 0;
}

void ahead_settle(struct lane *lane)
{
	settle(lane);
}

/* How the block before ended, and its code, are not for it to know. */
void ahead_begin(struct lane *lane, enum flow flow, uint64_t fetched,
		 uint64_t after)
{
	filter_reset(&lane->filter);
	lane->part.bytes = 0;
	lane->done = lane->limit = 0;
	lane->ahead.plan = NULL;
	lane->ahead.compared = NULL;
	lane->ahead.left = false;
	lane->flow = (uint8_t)flow;
	lane->fetched = fetched;
	lane->after = after;
}

void ahead_open(struct lane *lane)
{
	ahead_begin(lane, FLOW_NEXT, UINT64_MAX, lane->after);
	if (session.predicts)
		note_run(lane, RUN_NONE);
}

/* ---- turning ------------------------------------------------------------ */

static void enter(struct lane *lane)
{
	settle(lane);
	filter_tell(&lane->filter, &lane->at);
	lane_turn(lane, WAY_RAW);
	lane->last = 0;
	*lane->at++ = (uint64_t)RAW_ENTER << RAW_KIND | lane->flow;
	*lane->at++ = lane->fetched;
	*lane->at++ = lane->after;
}

static const struct block *last_block(const struct lane *lane)
{
	const void *of = raw_operand(lane->last);

	return lane->last >> RAW_KIND == RAW_AHEAD ?
	       ((const struct plan *)of)->block : of;
}

static void leave(struct lane *lane)
{
	const struct block *b = last_block(lane);

	*lane->at++ = raw_word(RAW_LEAVE, NULL);
	lane_turn(lane, WAY_FILTER);
	if (b)
		ahead_begin(lane, b->flow, b->last_line, b->after);
	else
		ahead_begin(lane, lane->flow, lane->fetched, lane->after);
}

void ahead_turn(struct lane *lane)
{
	if (lane->way & WAY_RAW)
		leave(lane);
	else
		enter(lane);
}

/* ---- blocks ------------------------------------------------------------- */

/* What an address is found in. */
enum source { SIMPLE_STATE, STATE, ADDRESSES };

static inline uint64_t address_in(const struct plan *plan, uint32_t reach,
				  const uint64_t *from, enum source source)
{
	const struct reach *r = &plan->reach[reach];

	return source == ADDRESSES ? from[reach] :
	       source == STATE ? reach_address(r, from) :
				 reach_simple(r, from);
}

static inline void note_or_count(struct lane *lane, const struct plan *plan)
{
	if (session.predicts) {
		note_run(lane, plan->number);
		return;
	}
	count_run(lane, plan->instructions, plan->pc, plan->odd, plan->block);
	lane->flow = plan->flow;
	lane->after = plan->pc + plan->bytes;
}

static inline void fetch_code(struct lane *lane, const struct plan *plan)
{
	const uint64_t first = plan->pc >> LINE_SHIFT;
	const uint64_t last = (plan->pc + plan->bytes - 1) >> LINE_SHIFT;
	const bool again = first == lane->fetched;

	if (again && first == last)
		return;
	if (!code_is_found(&lane->filter, first, last, lane->fetched)) {
		front_fetch(lane, plan->block);
		return;
	}
	lane->fetched = last;
	lane->sums.fetches += (uint64_t)(last != first) + !again;
}

/* Those that count at once and change nothing, up to the first other one. */
static inline void count_ahead(struct lane *lane, const struct plan *plan,
			       uint32_t limit, const uint64_t *in,
			       enum source source)
{
	uint32_t hits = 0, i = 0;

	for (; i < limit; i++) {
		const uint64_t from = address_in(plan, i, in, source);

		lane->ahead.address[i] = from;
		if (__builtin_expect(!reach_is_quick(&lane->filter,
						     &plan->reach[i], from),
				     false))
			break;
		hits += plan->reach[i].hits;
	}
	lane->done = i;
	lane->limit = limit;
	lane->hits += reach_hits(hits);
	for (i += i < limit; i < plan->reaches; i++)
		lane->ahead.address[i] = address_in(plan, i, in, source);
}

static inline __attribute__((always_inline)) void
run_ahead(struct lane *lane, const struct plan *plan, const uint64_t *in,
	  uint32_t limit, enum source source)
{
	if (__builtin_expect(ahead_waits(lane), false))
		settle(lane);
	lane->ahead.plan = plan;
	note_or_count(lane, plan);
	fetch_code(lane, plan);
	count_ahead(lane, plan, limit, in, source);
}

static inline __attribute__((always_inline)) void
run_either(struct lane *lane, const struct plan *plan, const uint64_t *state,
	   uint32_t reaches)
{
	if (filters(lane))
		run_ahead(lane, plan, state, reaches, SIMPLE_STATE);
	else
		raw_ahead(lane, plan, state, reaches, true);
}

/* data: the plan. Compiled for each shape, so that n is constant; what filters
 * saves registers, which what only writes down need not. */
#define SHAPE(n) \
	static __attribute__((noinline)) void \
	run_either_##n(struct lane *lane, const struct plan *plan, \
		       const uint64_t *state) \
	{ \
		run_either(lane, plan, state, n); \
	} \
	void ahead_block_##n(unsigned vcpu, void *data, const uint64_t *state) \
	{ \
		struct lane *lane = lane_of(vcpu); \
	\
		if (__builtin_expect(!lane, false)) \
			return; \
		lane->ahead.state = state; \
		if (lane->way == WAY_RAW) \
			raw_ahead(lane, data, state, n, true); \
		else \
			run_either_##n(lane, data, state); \
	}
SHAPE(0)
SHAPE(1)
SHAPE(2)
SHAPE(3)
SHAPE(4)

void ahead_block_any(unsigned vcpu, void *data, const uint64_t *state)
{
	struct lane *lane = lane_of(vcpu);
	const struct plan *plan = data;

	if (!lane)
		return;
	lane->ahead.state = state;
	if (!filters(lane)) {
		raw_ahead(lane, plan, state, plan->reaches, false);
		return;
	}
	lane->ahead.seen = 0;
	run_ahead(lane, plan, state, plan->limit, STATE);
}

void ahead_take(struct lane *lane, const struct plan *plan,
		const uint64_t *address)
{
	lane->ahead.seen = 0;
	run_ahead(lane, plan, address, plan->limit, ADDRESSES);
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

void ahead_access(unsigned vcpu, qemu_plugin_meminfo_t info,
			 uint64_t address, void *data)
{
	struct lane *lane = lane_of(vcpu);

	if (!lane)
		return;
	if (lane->way & WAY_RAW)
		raw_direct(lane, data, info, address);
	else
		ahead_direct(lane, data, info, address);
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

	for (*reach = 0; *reach < lane->limit; ++*reach) {
		const struct reach *r = &plan->reach[*reach];

		for (*access = 0; *access < r->accesses; ++*access) {
			const struct planned_access *a =
				&plan->access[r->first + *access];

			if (faults(f, planned_address(r, a,
					lane->ahead.address[*reach]), a))
				return true;
		}
	}
	return false;
}

/* What was counted from that access on; one that is torn is in two pages, and
 * is not counted at once. The buffer may have ended since: the sums can be less
 * than 0, lane->hits not. */
static void take_back(struct lane *lane, uint32_t reach, uint32_t access)
{
	const struct plan *plan = lane->ahead.plan;
	const struct reach *r = &plan->reach[reach];

	for (uint32_t i = access; i < r->accesses; i++)
		lane->sums.hits[plan->access[r->first + i].store]--;
	for (uint32_t i = reach + 1; i < lane->done; i++)
		for (uint32_t j = 0; j < plan->reach[i].accesses; j++)
			lane->sums.hits[plan->access
				[plan->reach[i].first + j].store]--;
	lane->limit = lane->done;
}

struct unfaulted ahead_fault(struct lane *lane, const struct fault *fault)
{
	const struct unfaulted before = {
		lane->done, lane->limit,
		{ lane->sums.hits[0], lane->sums.hits[1] }
	};
	uint32_t reach, access;
	const struct reach *r;

	lane->ahead.left = true;
	if (!lane->ahead.plan || !find_fault(lane, fault, &reach, &access))
		return before;
	if (reach < lane->done) {
		take_back(lane, reach, access);
		return before;
	}
	r = &lane->ahead.plan->reach[reach];
	lane->limit = reach | LIMIT_LEFT;
	lane->ahead.whole = access;
	lane->ahead.torn = torn(fault, planned_address(r,
			&lane->ahead.plan->access[r->first + access],
			lane->ahead.address[reach]));
	return before;
}

void ahead_unfault(struct lane *lane, const struct unfaulted *before)
{
	lane->done = before->done;
	lane->limit = before->limit;
	lane->sums.hits[0] = before->hits[0];
	lane->sums.hits[1] = before->hits[1];
	lane->ahead.left = false;
}
