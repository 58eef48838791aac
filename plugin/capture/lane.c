/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The program's threads, and QEMU's callbacks, which run in them. */
#include <stdlib.h>
#include <string.h>

#include "plugin/arena.h"
#include "plugin/capture/lane.h"
#include "plugin/capture/queue.h"
#include "plugin/decode/block.h"
#include "plugin/regions/regions.h"

/* Of TALLY_COUNT: so often the counts go into the tally. */
enum { COUNTED_MOST = 1 << 15 };

/* ---- buffers ------------------------------------------------------------- */

static void use_buffer(struct lane *lane, struct buffer *buffer)
{
	if (!buffer)
		abort();
	buffer->lane = lane;
	lane->buffer = buffer;
	lane->at = buffer->word;
	lane->end = buffer->word + WORDS;
}

static void flush_counted(struct lane *lane)
{
	struct tally *t = session.map.tally;

	if (tally_begin()) {
		t->instructions += lane->sums.instructions;
		t->loads += lane->sums.loads;
		t->stores += lane->sums.stores;
		for (int i = 0; i < TALLY_UNSEENS; i++)
			t->unseen[i] += lane->sums.unseen[i];
	}
	tally_end();
	lane->sums = (struct sums){ .instructions = 0 };
}

/* Hands over what the thread has captured. */
static void flush(struct lane *lane)
{
	struct buffer *buffer = lane->buffer;

	buffer->words = (uint32_t)(lane->at - buffer->word);
	if (session.map.tally->mode == TALLY_COUNT && !session.child) {
		flush_counted(lane);
	} else if (!session.child) {
		queue_put(buffer);
		buffer = queue_get();
	}
	use_buffer(lane, buffer);
}

static inline void put(struct lane *lane, uint64_t word)
{
	*lane->at++ = word;
	if (__builtin_expect(lane->at >= lane->end, false))
		flush(lane);
}

void lane_put(struct lane *lane, uint64_t word)
{
	put(lane, word);
}

/* ---- threads ------------------------------------------------------------- */

static struct lane *new_lane(void)
{
	struct lane *lane = arena_take(sizeof(*lane));

	if (lane)
		use_buffer(lane, queue_get());
	return lane;
}

static void start(struct lane *lane)
{
	put(lane, (uint64_t)WORD_START << WORD_KIND);
}

void lane_restart(struct lane *lane)
{
	struct buffer *buffer = lane->buffer;
	const struct within within = lane->within;
	const uint64_t lowest = lane->lowest;

	memset(lane, 0, sizeof(*lane));
	use_buffer(lane, buffer);
	start(lane);
	lane->within = within;
	lane->lowest = lowest;
	regions_go_on(lane);
}

void lane_open(unsigned vcpu)
{
	struct lane *lane = NULL;

	if (session.child)
		return;
	if (vcpu < LANES && !session.lane[vcpu])
		session.lane[vcpu] = new_lane();
	if (vcpu < LANES)
		lane = session.lane[vcpu];
	pthread_mutex_lock(&session.lock);
	if (lane) {
		session.map.tally->behind =
			__atomic_add_fetch(&session.running, 1,
					   __ATOMIC_RELAXED);
		session.map.tally->threads++;
	} else {
		session.map.tally->lost_threads++;
	}
	pthread_mutex_unlock(&session.lock);
	if (!lane)
		return;
	lane->within = (struct within){ .open = false };
	lane->call.back = lane->lowest = 0;
	start(lane);
	regions_thread(vcpu);
}

/* Its buffer waits for the next thread of that number. */
void lane_close(unsigned vcpu)
{
	struct lane *lane = lane_of(vcpu);

	if (lane && !session.child)
		flush(lane);
}

/* ---- callbacks ----------------------------------------------------------- */

/* data: the block. */
void lane_block(unsigned vcpu, void *data)
{
	struct lane *lane = lane_of(vcpu);

	if (lane)
		put(lane, (uint64_t)WORD_BLOCK << WORD_KIND | (uintptr_t)data);
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

	if (lane)
		put(lane, word_of(info, address) | (uintptr_t)data);
}

/* data: the index, which needs a word of its own. */
void lane_access_far(unsigned vcpu, qemu_plugin_meminfo_t info,
		     uint64_t address, void *data)
{
	struct lane *lane = lane_of(vcpu);

	if (!lane)
		return;
	*lane->at++ = (uint64_t)WORD_INDEX << WORD_KIND | (uintptr_t)data;
	put(lane, word_of(info, address) | WORD_ODD |
		  (uint64_t)FAR_INDEX << WORD_INDEX_SHIFT);
}

/* A string instruction that goes on retires nothing. */
static bool counted_much(const struct sums *sums)
{
	return sums->instructions + sums->loads + sums->stores >= COUNTED_MOST;
}

/* data: the block. */
void lane_block_counted(unsigned vcpu, void *data)
{
	struct lane *lane = lane_of(vcpu);
	const struct block *b = data, *from;

	if (!lane)
		return;
	from = lane->last;
	if (!from || !block_runs_again(from, b))
		lane->sums.instructions += b->instructions;
	if (__builtin_expect(b->any_unseen, false))
		for (int i = 0; i < TALLY_UNSEENS; i++)
			lane->sums.unseen[i] += b->unseen[i];
	lane->last = b;
	lane->part_of = NULL;
	if (__builtin_expect(counted_much(&lane->sums), false))
		flush(lane);
}

/* data: the instruction's struct step_info. Rule 7 of session.h. */
void lane_access_counted(unsigned vcpu, qemu_plugin_meminfo_t info,
			 uint64_t address, void *data)
{
	struct lane *lane = lane_of(vcpu);
	const uint64_t bytes = UINT64_C(1) << qemu_plugin_mem_size_shift(info);
	const bool store = qemu_plugin_mem_is_store(info);
	const struct step_info *step = data;
	struct parts *parts;

	if (!lane)
		return;
	parts = &lane->parts;
	if (lane->part_of == step && parts->store == store &&
	    address == parts->from + parts->bytes &&
	    parts->bytes + bytes <= step->widest) {
		parts->bytes += bytes;
		return;
	}
	lane->part_of = step;
	*parts = (struct parts){ .from = address, .bytes = bytes,
				 .store = store };
	if (store)
		lane->sums.stores++;
	else
		lane->sums.loads++;
}
