/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The consumer: events that the program's threads captured become records. */
#include <string.h>

#include "plugin/capture/lane.h"
#include "plugin/data/data.h"
#include "plugin/decode/block.h"
#include "plugin/feed/feed.h"
#include "plugin/filter/move.h"
#include "plugin/regions/regions.h"
#include "plugin/why/why.h"

/* ---- streams ------------------------------------------------------------ */

static inline void put(struct consumer *t, struct stream *stream,
		       uint64_t record, uint32_t site)
{
	const uint32_t at = stream->records;

	stream->record[at] = record;
	if (session.attributes)
		stream->site[at] = site;
	stream->records = at + 1;
	if (__builtin_expect(at + 1 == STREAM_RECORDS, false))
		consumer_feed(t);
}

/* The filter's records, which are fed before an access. */
static inline void put_before(struct consumer *t, const uint64_t *record,
			      const uint64_t *end)
{
	for (; record < end; record++)
		put(t, &t->access, moved(*record), 0);
}

/* ---- branches ----------------------------------------------------------- */

static void put_branch(struct consumer *t, const struct block *from,
		       uint64_t record)
{
	const struct step_info *last = &from->step[from->instructions - 1];
	const uint32_t walks = feed_flow(from->pc + last->offset, record,
					 last->site);

	if (walks)
		put(t, &t->access, access_pack(ACCESS_WRONG_PATH, 0, 0, walks),
		    last->site);
}

/* A conditional one, which ran once. */
static void put_outcome(struct consumer *t, const struct block *from,
			bool taken)
{
	const struct step_info *last = &from->step[from->instructions - 1];
	struct outcomes *o = &t->outcomes;

	o->outcome[o->n] = (from->pc + last->offset) << 1 |
			   (taken ? SIM_TAKEN : 0);
	o->site[o->n] = last->site;
	o->at[o->n] = t->access.records;
	if (__builtin_expect(++o->n == OUTCOMES, false))
		consumer_feed(t);
}

static uint64_t flow_record(const struct block *from, uint64_t to)
{
	switch ((enum flow)from->flow) {
	case FLOW_CALL:
	case FLOW_INDIRECT_CALL:
		return access_pack(ACCESS_CALL, 0, 0, from->after);
	case FLOW_RETURN:
		return access_pack(ACCESS_RETURN, 0, 0, to);
	default:
		return access_pack(ACCESS_JUMP, 0, 0, to);
	}
}

/* How the block before ended, now that it is known where it went. */
static inline void put_flow(struct consumer *t, const struct block *from,
			    uint64_t to)
{
	if (from->flow == FLOW_NEXT || from->flow == FLOW_REPEAT)
		return;
	if (session.predicts && from->flow == FLOW_BRANCH) {
		put_outcome(t, from, to != from->after);
		return;
	}
	if (session.predicts) {
		put_branch(t, from, flow_record(from, to));
		if (from->flow == FLOW_INDIRECT_CALL)
			put_branch(t, from, access_pack(ACCESS_JUMP,
							ACCESS_CALLED, 0, to));
		return;
	}
	t->sums.flow[from->flow]++;
	t->sums.taken += from->flow == FLOW_BRANCH && to != from->after;
}

/* ---- code --------------------------------------------------------------- */

/* The first instruction of a block that has bytes in that line. */
static uint32_t site_in(const struct block *b, uint64_t line)
{
	uint32_t i = b->instructions - 1;

	while (i && session.map.site[b->step[i].site].pc >>
			    session.line_shift >= line)
		i--;
	return b->step[i].site;
}

static inline void put_line(struct consumer *t, struct lane *lane,
			    const struct block *b, uint64_t line)
{
	uint64_t before[FILTER_MOST_BEFORE], *end = before;
	const uint64_t from = line << session.line_shift;

	if (line == lane->line)
		return;
	lane->line = line;
	if (filter_l0_hit(&t->filter, FILTER_CODE, from, session.line_shift,
			 true) ||
	    filter_code(&t->filter, line, &end)) {
		t->sums.fetches++;
		if (session.why)
			put(t, &t->access, moved(why_code_hit(from)), 0);
		return;
	}
	put_before(t, before, end);
	put(t, &t->access,
	    moved(access_pack(ACCESS_FETCH, 0, 0, from)),
	    session.attributes ? site_in(b, line) : 0);
}

/* Rule 4: the rounds of a loop that were only counted. */
static void settle_again(struct consumer *t)
{
	struct block *b = t->lane->block;
	uint64_t again = t->again;

	if (!again)
		return;
	t->again = 0;
	b->executions += session.executes ? again : 0;
	t->sums.instructions += again * b->instructions;
	if (b->first_line != b->last_line)
		t->sums.fetches += again * (b->last_line - b->first_line + 1);
	for (int i = 0; i < TALLY_UNSEENS && b->any_unseen; i++)
		t->sums.unseen[i] += again * b->unseen[i];
	if (session.predicts) {
		consumer_predict(t);
		put_branch(t, b, access_pack(ACCESS_BRANCH, ACCESS_TAKEN, 0,
					     again));
		return;
	}
	t->sums.flow[FLOW_BRANCH] += again;
	t->sums.taken += again;
}

/* Counts and predicts; false: rule 4, or another round of a string instruction,
 * so that no code is fetched. */
static inline bool count_block(struct consumer *t, struct lane *lane,
			       struct block *b)
{
	const struct block *from = lane->block;
	bool again;

	if (b == lane->loop) {
		t->again++;
		return false;
	}
	if (t->again)
		settle_again(t);
	again = from && block_runs_again(from, b);
	if (!again) {
		t->sums.instructions += b->instructions;
		b->executions += session.executes;
	}
	if (__builtin_expect(b->any_unseen, false))
		for (int i = 0; i < TALLY_UNSEENS; i++)
			t->sums.unseen[i] += b->unseen[i];
	if (from)
		put_flow(t, from, b->pc);
	lane->block = b;
	lane->loop = b->loops ? b : NULL;
	return !again;
}

static inline void consume_block(struct consumer *t, struct lane *lane,
			      struct block *b)
{
	if (!count_block(t, lane, b))
		return;
	for (uint64_t line = b->first_line; line <= b->last_line; line++)
		put_line(t, lane, b, line);
}

/* ---- accesses ----------------------------------------------------------- */

static inline void count_hit(struct consumer *t, uint32_t site, uint64_t record)
{
	const bool store = access_kind(record) != ACCESS_LOAD;

	t->sums.hits[store]++;
	if (session.attributes)
		session.charged[site].count[store ? TALLY_stores :
						    TALLY_loads]++;
}

/* What filter_l0_hit does not know. */
static __attribute__((noinline)) bool filtered_slowly(struct consumer *t,
						      uint64_t record)
{
	const uint64_t from = access_operand(record);
	const uint64_t last = from + (UINT64_C(1) << access_log2_bytes(record))
			      - 1;
	uint64_t before[FILTER_MOST_BEFORE], *end = before;
	bool hit = false;

	if (access_kind(record) == ACCESS_STORE_NT)
		filter_streamed(&t->filter, from, last, &end);
	else
		hit = filter_data(&t->filter, from, last,
				  access_kind(record) == ACCESS_STORE, &end);
	put_before(t, before, end);
	return hit;
}

/* Is the access only counted? If not, the records before it have been put. */
static inline bool filtered(struct consumer *t, uint64_t record)
{
	const unsigned shift = session.line_shift;
	const uint64_t from = access_operand(record);
	const uint64_t last = from + (UINT64_C(1) << access_log2_bytes(record))
			      - 1;

	return (access_kind(record) != ACCESS_STORE_NT &&
		last >> shift == from >> shift &&
		filter_l0_hit(&t->filter, FILTER_DATA, from, shift,
			     access_kind(record) == ACCESS_LOAD)) ||
	       filtered_slowly(t, record);
}

/* The PC as a distance from the last ACCESS_PC; a new one if it is too far. */
static inline uint64_t put_place(struct consumer *t, uint64_t pc)
{
	if ((pc - t->pc) & 3 || (pc - t->pc) / 4 > 255) {
		t->pc = pc;
		put(t, &t->access, access_pack(ACCESS_PC, 0, 0, pc), 0);
	}
	return (pc - t->pc) / 4 << ACCESS_OPERAND_BITS;
}

static inline void put_access(struct consumer *t, const struct block *b,
			      const struct step_info *step, uint64_t record)
{
	if (filtered(t, record)) {
		count_hit(t, step->site, record);
		if (session.why)
			put(t, &t->access, moved(why_hit(record)), step->site);
		return;
	}
	record = moved(record);
	if (session.places)
		record |= put_place(t, b->pc + step->offset);
	put(t, &t->access, record, step->site);
}

static void put_parts(struct consumer *t, struct lane *lane)
{
	const struct step_info *step = &lane->block->step[lane->parts.index];
	const enum access_kind kind = !lane->parts.store ? ACCESS_LOAD :
				      step->streaming ? ACCESS_STORE_NT :
				      ACCESS_STORE;
	const unsigned log2 = parts_log2(&lane->parts);

	put_access(t, lane->block, step,
		   access_pack(kind, log2, 0, lane->parts.from));
	lane->parts.bytes = 0;
}

/* An access that may be a part, that streams, or whose index is large. */
static void consume_odd(struct consumer *t, struct lane *lane, uint64_t word)
{
	struct parts *parts = &lane->parts;
	const uint32_t said = word >> WORD_INDEX_SHIFT & 255;
	const uint32_t index = said == FAR_INDEX ? lane->far : said;
	const uint64_t bytes = UINT64_C(1) << access_log2_bytes(word);
	const uint64_t from = access_operand(word);
	const bool store = word >> WORD_KIND & 1;

	if (!lane->block || index >= lane->block->instructions)
		return;
	if (parts->bytes && parts->index == index && parts->store == store &&
	    from == parts->from + parts->bytes && parts->bytes + bytes <=
	    lane->block->step[index].widest) {
		parts->bytes += bytes;
		return;
	}
	if (parts->bytes)
		put_parts(t, lane);
	*parts = (struct parts){ from, bytes, index, store };
}

static void start(struct lane *lane)
{
	lane->block = lane->loop = NULL;
	lane->line = UINT64_MAX;
	lane->counted = false;
	lane->regions = 0;
	regions_turn(lane);
}

/* All that comes before is fed. The branch to the block that runs next belongs
 * to what is before. */
static void consume_mark(struct consumer *t, struct lane *lane, uint64_t word)
{
	const struct block *next = (struct block *)(uintptr_t)
				   access_operand(word);
	const bool flows = word >> WORD_KIND == WORD_ENTER ||
			   word >> WORD_KIND == WORD_LEAVE;

	settle_again(t);
	if (flows && next && lane->block)
		put_flow(t, lane->block, next->pc);
	if (flows)
		lane->block = NULL;
	lane->loop = NULL;
	consumer_feed(t);
	regions_mark(lane, word);
}

/* ---- words -------------------------------------------------------------- */

static inline void consume_word(struct consumer *t, struct lane *lane,
			     uint64_t word)
{
	const uint32_t index = word >> WORD_INDEX_SHIFT & 255;

	switch (word >> WORD_KIND) {
	case WORD_ODD_LOAD:
	case WORD_ODD_STORE:
		consume_odd(t, lane, word);
		return;
	case WORD_INDEX:
		lane->far = (uint32_t)word;
		return;
	}
	if (__builtin_expect(lane->parts.bytes != 0, false))
		put_parts(t, lane);
	switch (word >> WORD_KIND) {
	case WORD_BLOCK:
		consume_block(t, lane, (struct block *)(uintptr_t)
				    access_operand(word));
		break;
	case WORD_START:
		start(lane);
		break;
	case WORD_DATA:
		put(t, &t->access, data_word(word), 0);
		break;
	case WORD_ENTER:
	case WORD_LEAVE:
	case WORD_BEGIN:
	case WORD_END:
		consume_mark(t, lane, word);
		break;
	default:
		if (lane->block && index < lane->block->instructions)
			put_access(t, lane->block, &lane->block->step[index],
				   word & ~(UINT64_C(255) << WORD_INDEX_SHIFT));
		break;
	}
}

void consume(struct buffer *buffer)
{
	struct consumer *t = &session.consumer;
	struct lane *lane = buffer->lane;

	/* another thread's lines and pages may be newest now */
	if (t->lane != lane)
		lane->loop = NULL;
	t->lane = lane;
	regions_turn(lane);
	t->pc = 0;		/* the simulator's may be another's */
	for (uint32_t i = 0; i < buffer->words; i++)
		consume_word(t, lane, buffer->word[i]);
	settle_again(t);
	consumer_feed(t);
}
