/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What rule 10 of session.h rests on: before any address is relied on, some
 * are compared with what QEMU reports; with ASSAY_CHECK_ADDRESSES in the
 * environment all are, and the first that differs ends the program.
 */
#include <stdio.h>
#include <stdlib.h>

#include "plugin/callbacks/guest.h"
#include "plugin/capture/raw.h"
#include "plugin/feed/front.h"
#include "plugin/predict-addresses/compare.h"
#include "plugin/predict-addresses/entry.h"

/* What is compared before it is relied on. */
enum { ENOUGH = 256, ENOUGH_SEGMENTS = 2 };

/* What comparing reads of QEMU's state, in words. */
enum { STATE_WORDS = 64 };

static void differ(const struct lane *lane, const char *how, uint64_t seen)
{
	const struct ahead *a = &lane->ahead;

	__atomic_store_n(&session.trust.possible, false, __ATOMIC_RELAXED);
	if (!session.trust.always)
		return;
	fprintf(stderr, "assay's QEMU plugin: access %u of the block at %#llx "
		"is not as expected: %s, %#llx\n", a->at,
		(unsigned long long)(a->compared ? a->compared->pc : 0),
		how, (unsigned long long)seen);
	abort();
}

static bool compares(void)
{
	return session.trust.always || session.trust.compared < ENOUGH ||
	       session.trust.segments < ENOUGH_SEGMENTS;
}

/* All that the block before was to access. */
static void end_comparing(struct lane *lane)
{
	const struct block *b = lane->ahead.compared;

	if (b && !lane->ahead.left &&
	    lane->ahead.at != b->plan->details->accesses)
		differ(lane, "missing, of", b->plan->details->accesses);
	lane->ahead.compared = NULL;
	lane->ahead.left = false;
}

static void begin_comparing(struct lane *lane, const struct block *b,
			    const uint64_t *state)
{
	uint64_t words[STATE_WORDS];

	if (session.trust.compared < ENOUGH) {
		if (!guest_read(words, sizeof(words), guest_address(state))) {
			differ(lane, "no state at", (uintptr_t)state);
			return;
		}
		state = words;
	}
	lane->ahead.compared = b;
	lane->ahead.at = lane->ahead.bytes = 0;
	for (uint32_t i = 0; i < b->plan->reaches; i++)
		lane->ahead.address[i] = reach_address(&b->plan->reach[i],
						       state);
}

/* data: the block. */
void compare_block(unsigned vcpu, void *data, const uint64_t *state)
{
	struct lane *lane = lane_of(vcpu);
	struct block *b = data;

	if (!lane)
		return;
	lane->ahead.state = state;
	end_comparing(lane);
	raw_block(lane, b);
	if (compares())
		begin_comparing(lane, b, state);
}

static bool by_segment(const struct reach *r)
{
	const unsigned fs = operands_place_x86_64(OPERAND_FS);

	return (r->base_mask && r->base == fs) ||
	       (r->index_mask && r->index == fs);
}

static void compare_address(struct lane *lane, const struct planned_access *a,
			    uint64_t address)
{
	const struct reach *r = &lane->ahead.compared->plan->reach[a->reach];
	const uint64_t expected = planned_address(r, a,
				lane->ahead.address[a->reach]);

	if (address != expected + lane->ahead.bytes)
		differ(lane, "its address is", address);
	if (session.trust.compared < ENOUGH)
		session.trust.compared++;
	if (by_segment(r) && session.trust.segments < ENOUGH_SEGMENTS)
		session.trust.segments++;
}

static void compare(struct lane *lane, const struct planned_step *step,
		    qemu_plugin_meminfo_t info, uint64_t address)
{
	struct ahead *ahead = &lane->ahead;
	const struct planned_access *a =
		&ahead->compared->plan->details->access[ahead->at];

	if (!step->certain)
		return;
	if (ahead->at < step->first ||
	    ahead->at >= (uint32_t)step->first + step->accesses) {
		differ(lane, "it is another's, at", address);
		return;
	}
	if ((info >> STORE_BIT & 1) != a->store)
		differ(lane, "it loads or stores at", address);
	if (a->reach != NO_REACH)
		compare_address(lane, a, address);
	ahead->bytes += 1u << (info >> SIZE_BIT & SIZE_MASK);
	if (ahead->bytes > a->bytes)
		differ(lane, "its bytes are", ahead->bytes);
	if (ahead->bytes < a->bytes)
		return;
	ahead->bytes = 0;
	ahead->at++;
}

/* data: the instruction's struct planned_step. */
void compare_access(unsigned vcpu, qemu_plugin_meminfo_t info,
		    uint64_t address, void *data)
{
	struct lane *lane = lane_of(vcpu);
	const struct planned_step *step = data;

	if (!lane)
		return;
	if (lane->ahead.compared &&
	    !qemu_is_caller(__builtin_return_address(0)))
		compare(lane, step, info, address);
	raw_odd(lane, step->info, info, address);
}

bool compare_done(const struct plan *plan)
{
	return !session.trust.always && session.trust.compared >= ENOUGH &&
	       (!plan->details->segment ||
		session.trust.segments >= ENOUGH_SEGMENTS);
}
