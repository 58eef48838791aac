/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The filter in the program's threads: what they write are records that are
 * fed as they are, and blocks only for the predictor.
 */
#include <string.h>

#include "session.h"

/* What QEMU's word about an access looks like (front_possible). */
#define STORE_BIT 17
#define SIZE_BIT 4
#define SIZE_MASK 7
#define LINE_SHIFT 6

bool front_possible(const struct filter *f)
{
	return f->line_shift == LINE_SHIFT && f->mask == FILTER_CLASSES - 1 &&
	       session.store_bit == STORE_BIT &&
	       session.size_bit == SIZE_BIT && session.size_mask == SIZE_MASK;
}

static inline struct lane *lane_of(unsigned vcpu)
{
	return __builtin_expect(vcpu < LANES, true) ? session.lane[vcpu] :
						      NULL;
}

/* Room is for what one callback writes; see lane_flush. */
static inline void move_on(struct lane *lane)
{
	if (__builtin_expect(lane->at >= lane->end, false))
		lane_flush(lane);
}

/* ---- accesses ----------------------------------------------------------- */

static void feed(struct lane *lane, uint64_t record)
{
	const uint64_t from = access_operand(record);
	const uint64_t bytes = UINT64_C(1) << access_log2_bytes(record);

	filter_fed(&lane->filter, from, from + bytes - 1,
		   access_kind(record) == ACCESS_STORE, &lane->at);
	*lane->at++ = record;
	move_on(lane);
}

/* All that the common case is not. */
static __attribute__((noinline)) void put(struct lane *lane, uint64_t record)
{
	const uint64_t bytes = UINT64_C(1) << access_log2_bytes(record);
	const bool store = access_kind(record) == ACCESS_STORE;

	if (filter_data(&lane->filter, access_operand(record), bytes, store))
		lane->sums.hits[store]++;
	else
		feed(lane, record);
}

static inline uint64_t record_of(qemu_plugin_meminfo_t info, uint64_t address)
{
	return (uint64_t)(info >> STORE_BIT & 1) << WORD_KIND |
	       (uint64_t)(info >> SIZE_BIT & SIZE_MASK) << 56 |
	       (address & ACCESS_OPERAND_MASK);
}

/* As filter_data, of what is dropped without a look at older pages. */
static inline void take_access(struct lane *lane, qemu_plugin_meminfo_t info,
			       uint64_t from)
{
	const struct filter *f = &lane->filter;
	const uint64_t line = from >> LINE_SHIFT;
	const unsigned store = info >> STORE_BIT & 1;
	const uint64_t last = from + (1u << (info >> SIZE_BIT & SIZE_MASK)) - 1;

	if (__builtin_expect((f->data.newest[line % FILTER_CLASSES] | (store ^ 1)) ==
			     (line << 1 | 1) && last >> LINE_SHIFT == line &&
			     (from >> f->data_pages.shift ==
			      f->data_pages.last || !f->data_pages.ways),
			     true))
		lane->sums.hits[store]++;
	else
		put(lane, record_of(info, from));
}

void front_put_parts(struct lane *lane)
{
	const struct parts parts = lane->part;
	const struct step_info *step = lane->part_of;
	const unsigned log2 = parts_log2(&parts);

	lane->part.bytes = 0;
	if (!parts.store || !step->streaming) {
		put(lane, access_pack(parts.store ? ACCESS_STORE : ACCESS_LOAD,
				      log2, 0, parts.from));
		return;
	}
	filter_streamed(&lane->filter, parts.from,
			parts.from + (UINT64_C(1) << log2) - 1, &lane->at);
	*lane->at++ = access_pack(ACCESS_STORE_NT, log2, 0, parts.from);
	move_on(lane);
}

/* data: nothing. */
void front_access(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t address,
		  void *data)
{
	struct lane *lane = lane_of(vcpu);

	(void)data;
	if (!lane)
		return;
	if (__builtin_expect(lane->part.bytes != 0, false))
		front_put_parts(lane);
	take_access(lane, info, address);
}

/* data: the instruction's struct step_info. Rule 7 of session.h. */
void front_access_odd(unsigned vcpu, qemu_plugin_meminfo_t info,
		      uint64_t address, void *data)
{
	const uint64_t bytes = UINT64_C(1) << (info >> SIZE_BIT & SIZE_MASK);
	const uint64_t from = address & ACCESS_OPERAND_MASK;
	const bool store = info >> STORE_BIT & 1;
	const struct step_info *step = data;
	struct lane *lane = lane_of(vcpu);
	struct parts *part;

	if (!lane)
		return;
	part = &lane->part;
	if (part->bytes && lane->part_of == data && part->store == store &&
	    from == part->from + part->bytes &&
	    part->bytes + bytes <= step->widest) {
		part->bytes += bytes;
	} else {
		if (part->bytes)
			front_put_parts(lane);
		lane->part_of = data;
		*part = (struct parts){ .from = from, .bytes = bytes,
					.store = store };
	}
	if (part->bytes >= step->widest)
		front_put_parts(lane);
}

/* ---- blocks ------------------------------------------------------------- */

static void feed_line(struct lane *lane, uint64_t line)
{
	filter_code_fed(&lane->filter, line, &lane->at);
	*lane->at++ = access_pack(ACCESS_FETCH, 0, 0,
				  line << session.line_shift);
	move_on(lane);
}

static __attribute__((noinline)) void fetch(struct lane *lane,
					    const struct block *b)
{
	for (uint64_t line = b->first_line; line <= b->last_line; line++) {
		if (line == lane->fetched)
			continue;
		lane->fetched = line;
		if (filter_code(&lane->filter, line))
			lane->sums.fetches++;
		else
			feed_line(lane, line);
	}
}

/* Of a block that goes on where the one before ended, or starts anywhere. */
static __attribute__((noinline)) void count_rarer(struct lane *lane,
						  const struct block *b)
{
	for (int i = 0; i < TALLY_UNSEENS; i++)
		lane->sums.unseen[i] += b->unseen[i];
	if (lane->flow == FLOW_REPEAT && b->instructions == 1 &&
	    lane->after == b->after)
		lane->sums.instructions--;	/* block_runs_again */
}

static inline void count_block(struct lane *lane, const struct block *b)
{
	struct sums *sums = &lane->sums;

	sums->instructions += b->instructions;
	sums->flow[lane->flow]++;
	sums->taken += lane->flow == FLOW_BRANCH && b->pc != lane->after;
	if (__builtin_expect(b->any_unseen || lane->flow == FLOW_REPEAT,
			     false))
		count_rarer(lane, b);
	lane->flow = b->flow;
	lane->after = b->after;
}

static inline void note_run(struct lane *lane, uint32_t number)
{
	struct buffer *buffer = lane->buffer;
	const uint32_t i = lane->runs;

	buffer->ran[i] = number;
	buffer->ran_at[i] = (uint16_t)(lane->at - buffer->word);
	lane->runs = i + 1;
	if (__builtin_expect(i + 1 == RUNS, false))
		lane_flush(lane);
}

static inline void run_block(struct lane *lane, struct block *b)
{
	if (__builtin_expect(lane->part.bytes != 0, false))
		front_put_parts(lane);
	if (session.predicts)
		note_run(lane, b->number);
	else
		count_block(lane, b);
	if (b->first_line != lane->fetched || b->last_line != lane->fetched)
		fetch(lane, b);
}

/* data: the block. */
void front_block(unsigned vcpu, void *data)
{
	struct lane *lane = lane_of(vcpu);

	if (lane)
		run_block(lane, data);
}

/* data: the block. */
void front_access_first(unsigned vcpu, qemu_plugin_meminfo_t info,
			uint64_t address, void *data)
{
	struct lane *lane = lane_of(vcpu);

	if (!lane)
		return;
	run_block(lane, data);
	take_access(lane, info, address);
}

/* At the end of a buffer. */
void front_settle(struct lane *lane)
{
	lane->buffer->sums = lane->sums;
	memset(&lane->sums, 0, sizeof(lane->sums));
	if (!session.threaded)
		return;
	filter_tell(&lane->filter, &lane->at);
	filter_reset(&lane->filter);
}

/* A thread begins in it. */
void front_open(struct lane *lane)
{
	lane->filter = session.taker.filter;
	filter_reset(&lane->filter);
	lane->flow = FLOW_NEXT;
	lane->fetched = UINT64_MAX;
	lane->part.bytes = 0;
	if (session.predicts)
		note_run(lane, RUN_NONE);
}
