/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the program's threads write while they run: QEMU's callbacks. */
#include <stdlib.h>
#include <string.h>

#include "plugin/arena.h"
#include "plugin/callbacks/lane.h"
#include "plugin/capture/queue.h"
#include "plugin/decode/block.h"
#include "plugin/feed/shadow.h"

/* Rule 11: turn where so many buffers wait, or so few: fewer than are left when
 * a full queue has room again (queue.c). */
enum { MANY = 24, FEW = 8 };

static bool writes_raw(const struct lane *lane)
{
	return session.fronts && lane->of == lane;
}

/* Rule 11: as much work for the taking thread as a filtered one, or it takes so
 * long that all other buffers wait, and the program for them. */
static uint32_t raw_words(const struct lane *lane)
{
	const bool dense = __atomic_load_n(&lane->dense, __ATOMIC_RELAXED);

	return dense ? RAW_WORDS / 2 : RAW_WORDS;
}

static void take_buffer(struct lane *lane, struct buffer *buffer)
{
	const uint32_t words = writes_raw(lane) ? raw_words(lane) : WORDS;

	if (!buffer)
		abort();
	buffer->lane = lane;
	lane->buffer = buffer;
	lane->at = buffer->word;
	lane->end = buffer->word + (session.turns ? words / 64 : words);
	buffer->outcomes = buffer->calls = buffer->jumps = 0;
}

static void add_counted(const struct sums *sums)
{
	struct tally *t = session.map.tally;

	t->instructions += sums->instructions;
	t->loads += sums->loads;
	t->stores += sums->stores;
	for (int i = 0; i < TALLY_UNSEENS; i++)
		t->unseen[i] += sums->unseen[i];
}

static void flush_counted(struct lane *lane)
{
	if (tally_begin())
		add_counted(&lane->sums);
	tally_end();
	lane->sums = (struct sums){ .instructions = 0 };
}

static void choose_way(struct lane *lane, unsigned waiting)
{
	const bool keeps = lane->way & WAY_KEEP;

	if (session.turns || (keeps ? waiting <= FEW : waiting >= MANY))
		lane->way |= WAY_TURN;
}

/* Rule 9: at the end of a shadow's buffer. */
static void settle(struct lane *lane)
{
	lane->sums.hits[0] += (uint32_t)lane->hits;
	lane->sums.hits[1] += lane->hits >> 32;
	lane->hits = 0;
	for (int i = 0; i < FLOWS; i++)
		lane->sums.flow[i] += lane->ended[i][0] + lane->ended[i][1];
	lane->sums.taken += lane->ended[FLOW_BRANCH][1];
	memset(lane->ended, 0, sizeof(lane->ended));
	lane->buffer->sums = lane->sums;
	memset(&lane->sums, 0, sizeof(lane->sums));
	if (!session.threaded)
		return;
	filter_tell(&lane->filter, &lane->at);
	filter_reset(&lane->filter);
}

static void give_raw(struct lane *lane)
{
	if (lane->way & WAY_KEEP) {
		shadow_take(lane->shadow[WAY_KEEP], lane->buffer);
		take_buffer(lane, lane->buffer);
		return;
	}
	choose_way(lane, queue_put(lane->buffer));
	take_buffer(lane, queue_get());
}

static void give_filtered(struct lane *shadow)
{
	struct lane *of = shadow->of;

	shadow->fed += shadow->buffer->words;
	if (shadow == of->shadow[WAY_GIVE]) {
		take(shadow->buffer);
		take_buffer(shadow, shadow->buffer);
		return;
	}
	choose_way(of, queue_put(shadow->buffer));
	take_buffer(shadow, queue_get());
}

void lane_flush(struct lane *lane)
{
	if (session.child) {
		take_buffer(lane, lane->buffer);
		return;
	}
	if (session.map.tally->mode == TALLY_COUNT) {
		flush_counted(lane);
		lane->at = lane->buffer->word;
		return;
	}
	lane->buffer->raw = writes_raw(lane);
	if (session.fronts && !lane->buffer->raw)
		settle(lane);
	lane->buffer->words = (uint32_t)(lane->at - lane->buffer->word);
	if (lane->buffer->raw) {
		give_raw(lane);
	} else if (lane->of != lane) {
		give_filtered(lane);
	} else {
		queue_put(lane->buffer);
		take_buffer(lane, queue_get());
	}
}

void lane_turn(struct lane *lane)
{
	lane_flush(lane);
	lane->way = (lane->way & WAY_KEEP) ^ WAY_KEEP;
}

static struct lane *new_empty_lane(void)
{
	return arena_take(sizeof(struct lane));
}

static void new_filter(struct lane *lane)
{
	lane->filter = session.taker.filter;
	filter_reset(&lane->filter);
}

static struct lane *new_shadow(struct lane *of)
{
	struct lane *shadow = new_empty_lane();

	if (!shadow)
		abort();
	shadow->of = of;
	take_buffer(shadow, queue_get());
	new_filter(shadow);
	return shadow;
}

struct lane *lane_new(void)
{
	struct lane *lane = new_empty_lane();

	if (!lane)
		return NULL;
	lane->of = lane;
	take_buffer(lane, queue_get());
	for (int i = 0; session.fronts && i < WAYS; i++)
		lane->shadow[i] = new_shadow(lane);
	return lane;
}

void lane_restart(struct lane *lane)
{
	struct lane *const shadow[] = { lane->shadow[0], lane->shadow[1] };
	struct buffer *buffer = lane->buffer;
	struct lane *of = lane->of;

	memset(lane, 0, sizeof(*lane));
	memcpy(lane->shadow, shadow, sizeof(shadow));
	lane->of = of;
	take_buffer(lane, buffer);
	if (of != lane)
		new_filter(lane);
	for (int i = 0; i < WAYS; i++)
		if (shadow[i])
			lane_restart(shadow[i]);
}

static inline void move_to(struct lane *lane, uint64_t *at)
{
	lane->at = at;
	move_on(lane);
}

/* data: the block. */
void lane_block(unsigned vcpu, void *data)
{
	struct lane *lane = lane_of(vcpu);

	if (!lane)
		return;
	*lane->at = (uint64_t)WORD_BLOCK << WORD_KIND | (uintptr_t)data;
	move_to(lane, lane->at + 1);
}

static inline uint64_t word_of(qemu_plugin_meminfo_t info, uint64_t address)
{
	return (uint64_t)(info >> session.store_bit & 1) << WORD_KIND |
	       (uint64_t)(info >> session.size_bit & session.size_mask)
		       << 56 |
	       (address & ACCESS_OPERAND_MASK);
}

/* data: the index, in place, and WORD_ODD. */
void lane_access(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t address,
		 void *data)
{
	struct lane *lane = lane_of(vcpu);

	if (!lane)
		return;
	*lane->at = word_of(info, address) | (uintptr_t)data;
	move_to(lane, lane->at + 1);
}

static inline void put_first(unsigned vcpu, uint64_t word, uint64_t data)
{
	struct lane *lane = lane_of(vcpu);

	if (!lane)
		return;
	lane->at[0] = data | (uint64_t)WORD_BLOCK << WORD_KIND;
	lane->at[1] = word | (data & UINT64_C(255) << WORD_INDEX_SHIFT);
	move_to(lane, lane->at + 2);
}

/* data: the block, and the index in its place. */
void lane_access_first(unsigned vcpu, qemu_plugin_meminfo_t info,
		       uint64_t address, void *data)
{
	put_first(vcpu, word_of(info, address), (uintptr_t)data);
}

void lane_access_first_odd(unsigned vcpu, qemu_plugin_meminfo_t info,
			   uint64_t address, void *data)
{
	put_first(vcpu, word_of(info, address) | WORD_ODD, (uintptr_t)data);
}

/* data: the index, which needs a word of its own. */
void lane_access_far(unsigned vcpu, qemu_plugin_meminfo_t info,
		     uint64_t address, void *data)
{
	struct lane *lane = lane_of(vcpu);

	if (!lane)
		return;
	lane->at[0] = (uint64_t)WORD_INDEX << WORD_KIND | (uintptr_t)data;
	lane->at[1] = word_of(info, address) | WORD_ODD |
		      (uint64_t)FAR_INDEX << WORD_INDEX_SHIFT;
	move_to(lane, lane->at + 2);
}

/* ---- counting without a model -------------------------------------------- */

/* A string instruction that goes on retires nothing. */
static bool counted_much(const struct sums *sums)
{
	return sums->instructions + sums->loads + sums->stores >=
	       STRETCH / 2;
}

void lane_block_counted(unsigned vcpu, void *data)
{
	struct lane *lane = lane_of(vcpu);
	const struct block *b = data, *from;

	if (!lane)
		return;
	from = lane->counted;
	if (!from || !block_runs_again(from, b))
		lane->sums.instructions += b->instructions;
	if (__builtin_expect(b->any_unseen, false))
		for (int i = 0; i < TALLY_UNSEENS; i++)
			lane->sums.unseen[i] += b->unseen[i];
	lane->counted = b;
	lane->part_of = NULL;
	if (__builtin_expect(counted_much(&lane->sums), false))
		lane_flush(lane);
}

/* data: the instruction's struct step_info. Rule 7 of session.h. */
void lane_access_counted(unsigned vcpu, qemu_plugin_meminfo_t info,
			 uint64_t address, void *data)
{
	struct lane *lane = lane_of(vcpu);
	const uint64_t bytes = UINT64_C(1) << qemu_plugin_mem_size_shift(info);
	const bool store = qemu_plugin_mem_is_store(info);
	const struct step_info *step = data;
	struct parts *part;

	if (!lane)
		return;
	part = &lane->part;
	if (lane->part_of == data && part->store == store &&
	    address == part->from + part->bytes &&
	    part->bytes + bytes <= step->widest) {
		part->bytes += bytes;
		return;
	}
	lane->part_of = data;
	*part = (struct parts){ .from = address, .bytes = bytes,
				.store = store };
	if (store)
		lane->sums.stores++;
	else
		lane->sums.loads++;
}
