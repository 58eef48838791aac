/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The words of the program's threads, made into records. */
#include <string.h>

#include "session.h"

static inline void put(struct taker *t, struct stream *stream,
		       uint64_t record, uint32_t site);

/* ---- addresses ---------------------------------------------------------- */

/*
 * The simulator is fastest below 16 GiB. Programs live in few places of a much
 * larger space: each GiB of it gets a place below, by what must be flipped in
 * its addresses. Those that find no room stay where they are.
 */
#define GIB 30

static void move_in(uint64_t gib)
{
	uint64_t place = gib < LOW_GIBS ? gib : LOW_GIBS - 1;

	while (session.taken >> place & 1 && place)
		place--;
	session.move[gib] = 1;
	if (session.taken >> place & 1)
		return;
	session.taken |= 1u << place;
	session.move[gib] = ((gib ^ place) << GIB) + 1;
}

static inline uint64_t moved(uint64_t record)
{
	const uint64_t gib = access_operand(record) >> GIB;

	if (__builtin_expect(!session.move[gib], false))
		move_in(gib);
	return record ^ (session.move[gib] - 1);
}

/* ---- streams ------------------------------------------------------------ */

/* The simulator's PC may be another's by now. */
static void say_where(struct taker *t)
{
	const struct block *b = t->lane->block;

	if (session.places && b)
		put(t, &t->access, access_pack(ACCESS_PC, 0, 0, b->pc), 0);
}

static __attribute__((noinline)) void drain(struct taker *t)
{
	taker_feed(t);
	say_where(t);
}

static inline void put(struct taker *t, struct stream *stream,
		       uint64_t record, uint32_t site)
{
	const uint32_t at = stream->records;

	stream->record[at] = record;
	if (session.attributes)
		stream->site[at] = site;
	stream->records = at + 1;
	if (__builtin_expect(at + 1 == STREAM_RECORDS, false))
		drain(t);
}

/* ---- branches ----------------------------------------------------------- */

static uint32_t last_site(const struct block *b)
{
	return b->step[b->instructions - 1].site;
}

static uint64_t flow_record(const struct block *from, uint64_t to)
{
	const unsigned place = from->step[from->instructions - 1].place;

	switch ((enum flow)from->flow) {
	case FLOW_CALL:
		return access_pack(ACCESS_CALL, 0, place, from->after);
	case FLOW_RETURN:
		return access_pack(ACCESS_RETURN, 0, place, to);
	case FLOW_JUMP:
		return access_pack(ACCESS_JUMP, 0, place, to);
	default:
		return access_pack(ACCESS_BRANCH, to != from->after ?
				   ACCESS_TAKEN : 0, place, 1);
	}
}

/* The same branch in the same direction is one record. */
static inline void put_apart(struct taker *t, const struct block *from,
			     uint64_t to, uint64_t times)
{
	struct stream *flow = &t->flow;
	uint64_t record = flow_record(from, to);
	uint64_t *last = &flow->record[flow->records - 1];

	if (t->flow_of == from && from->flow == FLOW_BRANCH &&
	    *last >> ACCESS_OPERAND_BITS == record >> ACCESS_OPERAND_BITS) {
		*last += times;
		return;
	}
	if (flow->records + 2 >= STREAM_RECORDS)
		drain(t);
	if (t->flow_of != from)
		put(t, flow, access_pack(ACCESS_PC, 0, 0, from->pc), 0);
	t->flow_of = from;
	if (from->flow == FLOW_BRANCH)
		record += times - 1;
	put(t, flow, record, last_site(from));
}

/* How the block before ended, now that it is known where it went. */
static inline void put_flow(struct taker *t, const struct block *from,
			    uint64_t to)
{
	if (from->flow == FLOW_NEXT || from->flow == FLOW_REPEAT)
		return;
	switch (session.flow_way) {
	case FLOW_COUNTED:
		t->sums.flow[from->flow]++;
		t->sums.taken += from->flow == FLOW_BRANCH &&
				 to != from->after;
		break;
	case FLOW_APART:
		put_apart(t, from, to, 1);
		break;
	case FLOW_AMONG:
		put(t, &t->access, flow_record(from, to), last_site(from));
		break;
	}
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

/* Rule 3 of session.h. */
static inline bool fetch_changes_nothing(struct taker *t, uint64_t line)
{
	uint64_t *newest = &t->newest[line & session.newest_mask &
				      (NEWEST - 1)];
	uint64_t page = line << session.line_shift >> 12;
	bool same = *newest == line &&
		    (page == t->page || !session.translates);

	*newest = line;
	t->page = page;
	return same && session.newest_mask != UINT64_MAX;
}

static inline void put_line(struct taker *t, struct lane *lane,
			    const struct block *b, uint64_t line)
{
	if (line == lane->line)
		return;
	lane->line = line;
	if (fetch_changes_nothing(t, line)) {
		t->sums.fetches++;
		return;
	}
	put(t, &t->access,
	    moved(access_pack(ACCESS_FETCH, 0, 0,
			      line << session.line_shift)),
	    session.attributes ? site_in(b, line) : 0);
}

/* Rule 4: the rounds of a loop that were only counted. */
static void settle_again(struct taker *t)
{
	struct block *b = t->lane->block;
	uint64_t again = t->again;

	if (!again)
		return;
	t->again = 0;
	b->executions += again;
	t->sums.instructions += again * b->instructions;
	if (b->first_line != b->last_line)
		t->sums.fetches += again * (b->last_line - b->first_line + 1);
	for (int i = 0; i < TALLY_UNSEENS && b->any_unseen; i++)
		t->sums.unseen[i] += again * b->unseen[i];
	if (session.flow_way == FLOW_COUNTED) {
		t->sums.flow[FLOW_BRANCH] += again;
		t->sums.taken += b->pc != b->after ? again : 0;
		return;
	}
	put_apart(t, b, b->pc, again);
}

static inline void take_block(struct taker *t, struct lane *lane,
			      struct block *b)
{
	const struct block *from = lane->block;

	if (b == lane->loop) {
		t->again++;
		return;
	}
	if (t->again)
		settle_again(t);
	if (!from || !block_runs_again(from, b)) {
		t->sums.instructions += b->instructions;
		b->executions += session.attributes;
	}
	if (__builtin_expect(b->any_unseen, false))
		for (int i = 0; i < TALLY_UNSEENS; i++)
			t->sums.unseen[i] += b->unseen[i];
	if (from)
		put_flow(t, from, b->pc);
	lane->block = b;
	lane->loop = b->loops ? b : NULL;
	if (session.places && from != b)
		put(t, &t->access, access_pack(ACCESS_PC, 0, 0, b->pc), 0);
	for (uint64_t line = b->first_line; line <= b->last_line; line++)
		put_line(t, lane, b, line);
}

/* ---- accesses ----------------------------------------------------------- */

static inline void accessed(struct taker *t, uint64_t line, bool store)
{
	uint64_t *known = &t->data[line & session.data_mask & (NEWEST - 1)];

	*known = *known >> 1 == line ? *known | store : line << 1 | store;
}

/* Rule 3 of session.h, of a moved record of a load or store. */
static inline bool access_changes_nothing(struct taker *t, uint64_t record)
{
	const uint64_t from = access_operand(record);
	const uint64_t bytes = UINT64_C(1) << access_log2_bytes(record);
	const uint64_t last = from + bytes - 1;
	const uint64_t line = from >> session.line_shift;
	const uint64_t end = last >> session.line_shift;
	const bool store = access_kind(record) != ACCESS_LOAD;
	uint64_t *known = &t->data[line & session.data_mask & (NEWEST - 1)];
	const bool same = (*known | !store) == (line << 1 | 1) &&
			  line == end && (from >> 12 == t->data_page ||
					  !session.translates_data);

	t->data_page = last >> 12;
	if (__builtin_expect(same, true)) {
		t->sums.hits[store]++;
		return true;
	}
	accessed(t, line, store);
	for (uint64_t i = line + 1; i <= end; i++)
		accessed(t, i, store);
	return false;
}

/* It leaves the caches; there is one slot for it to be in. */
static inline void forget(struct taker *t, uint64_t record)
{
	const uint64_t line = access_operand(record) >> session.line_shift;

	for (uint64_t i = line; i <= line + 1; i++)
		t->data[i & session.data_mask & (NEWEST - 1)] = UINT64_MAX;
	t->data_page = UINT64_MAX;
}

static void count_hit(const struct step_info *step, uint64_t record)
{
	uint64_t *count = session.map.site[step->site].count;

	count[access_kind(record) == ACCESS_LOAD ? TALLY_loads :
						   TALLY_stores]++;
}

static inline void put_access(struct taker *t, const struct step_info *step,
			      uint64_t record)
{
	record = moved(record);
	if (session.data_mask != UINT64_MAX) {
		if (access_kind(record) == ACCESS_STORE_NT) {
			forget(t, record);
		} else if (access_changes_nothing(t, record)) {
			count_hit(step, record);
			return;
		}
	}
	if (session.places)
		record |= (uint64_t)step->place << 48;
	put(t, &t->access, record, step->site);
}

/*
 * As a power of two of bytes that touches the same lines; what touches more
 * stays in two.
 */
static void put_parts(struct taker *t, struct lane *lane)
{
	const struct step_info *step = &lane->block->step[lane->parts.index];
	const uint64_t from = lane->parts.from;
	const uint64_t last = from + lane->parts.bytes - 1;
	const enum access_kind kind = !lane->parts.store ? ACCESS_LOAD :
				      step->streaming ? ACCESS_STORE_NT :
				      ACCESS_STORE;
	unsigned log2 = 63 - (unsigned)__builtin_clzll(lane->parts.bytes);

	lane->parts.bytes = 0;
	if ((from + (UINT64_C(1) << log2) - 1) >> session.line_shift !=
	    last >> session.line_shift)
		log2++;
	put_access(t, step, access_pack(kind, log2, 0, from));
}

/* One that may be a part, that streams, or whose index is large. */
static void take_odd(struct taker *t, struct lane *lane, uint64_t word)
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
}

/* ---- words -------------------------------------------------------------- */

static inline void take_word(struct taker *t, struct lane *lane,
			     uint64_t word)
{
	const uint32_t index = word >> WORD_INDEX_SHIFT & 255;

	switch (word >> WORD_KIND) {
	case WORD_ODD_LOAD:
	case WORD_ODD_STORE:
		take_odd(t, lane, word);
		return;
	case WORD_INDEX:
		lane->far = (uint32_t)word;
		return;
	}
	if (__builtin_expect(lane->parts.bytes != 0, false))
		put_parts(t, lane);
	switch (word >> WORD_KIND) {
	case WORD_BLOCK:
		take_block(t, lane, (struct block *)(uintptr_t)
				    access_operand(word));
		break;
	case WORD_START:
		start(lane);
		break;
	case WORD_STOP:
		break;
	default:
		if (lane->block)
			put_access(t, &lane->block->step[index], word &
				   ~(UINT64_C(255) << WORD_INDEX_SHIFT));
		break;
	}
}

/*
 * Most words are accesses that need neither their place nor their site; takes
 * those in front, less than fill the stream. Returns how many.
 */
static uint32_t take_simple(struct taker *t, const uint64_t *word, uint32_t n)
{
	uint64_t *record = t->access.record + t->access.records;
	const uint32_t room = STREAM_RECORDS - 1 - t->access.records;
	uint32_t i;

	for (i = 0; i < n && i < room; i++) {
		const uint64_t w = word[i];
		const uint64_t move = session.move[access_operand(w) >> GIB];

		if (w >> WORD_ODD_BIT || !move)
			break;
		record[i] = (w & ~(UINT64_C(255) << WORD_INDEX_SHIFT)) ^
			    (move - 1);
	}
	t->access.records += i;
	return i;
}

static void take_words(struct taker *t, struct lane *lane,
		       const uint64_t *word, uint32_t n)
{
	const bool simple = !session.places && !session.attributes;

	for (uint32_t i = 0; i < n; i++) {
		take_word(t, lane, word[i]);
		if (simple && lane->block && !lane->parts.bytes)
			i += take_simple(t, word + i + 1, n - i - 1);
	}
}

void take(const struct buffer *buffer)
{
	struct taker *t = &session.taker;
	struct lane *lane = buffer->lane;

	/* Another thread's lines and pages may be newest now. */
	if (t->lane != lane)
		lane->loop = NULL;
	t->lane = lane;
	say_where(t);
	take_words(t, lane, buffer->word, buffer->words);
	settle_again(t);
	taker_feed(t);
}
