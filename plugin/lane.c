/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What runs, as records; and records into the simulator. */
#include <stdlib.h>
#include <string.h>

#include "session.h"

/* The signals whose growth is the fault of the record before. */
static const struct { enum tally_column column; enum signal signal; } blamed[] = {
	{ TALLY_l1d_misses, SIGNAL_l1d_load_miss },
	{ TALLY_l1d_misses, SIGNAL_l1d_store_miss },
	{ TALLY_l1i_misses, SIGNAL_l1i_miss },
	{ TALLY_l2_misses, SIGNAL_l2_load_miss },
	{ TALLY_l2_misses, SIGNAL_l2_store_miss },
	{ TALLY_l2_misses, SIGNAL_l2_fetch_miss },
	{ TALLY_l3_misses, SIGNAL_l3_load_miss },
	{ TALLY_l3_misses, SIGNAL_l3_store_miss },
	{ TALLY_l3_misses, SIGNAL_l3_fetch_miss },
	{ TALLY_dtlb_misses, SIGNAL_dtlb_load_miss },
	{ TALLY_dtlb_misses, SIGNAL_dtlb_store_miss },
	{ TALLY_mispredicts, SIGNAL_mispredicts },
	{ TALLY_loads, SIGNAL_loads },
	{ TALLY_stores, SIGNAL_stores },
};
enum { BLAMED = sizeof(blamed) / sizeof(*blamed) };

static void feed_blaming(const struct stream *stream)
{
	const uint64_t *signal = sim_signals(session.sim);
	uint64_t before[BLAMED];

	for (int i = 0; i < BLAMED; i++)
		before[i] = signal[blamed[i].signal];
	for (uint32_t r = 0; r < stream->records; r++) {
		uint64_t *count = session.map.site[stream->site[r]].count;

		sim_feed(session.sim, &stream->record[r], 1);
		for (int i = 0; i < BLAMED; i++) {
			uint64_t now = signal[blamed[i].signal];

			if (now == before[i])
				continue;
			count[blamed[i].column] += now - before[i];
			before[i] = now;
		}
	}
}

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
	session.moved[gib] = true;
	if (session.taken >> place & 1)
		return;
	session.taken |= 1u << place;
	session.move[gib] = (gib ^ place) << GIB;
}

static uint64_t gib_of(uint64_t record)
{
	return access_operand(record) >> GIB;
}

/* Streams with other kinds of records: slower. */
static void move_addresses(struct stream *stream)
{
	for (uint32_t i = 0; i < stream->records; i++) {
		uint64_t gib = gib_of(stream->record[i]);

		if (access_kind(stream->record[i]) > ACCESS_FETCH)
			continue;
		if (!session.moved[gib])
			move_in(gib);
		stream->record[i] ^= session.move[gib];
	}
}

static void move_together(struct stream *stream)
{
	bool known = true;

	if (session.places) {
		move_addresses(stream);
		return;
	}
	for (uint32_t i = 0; i < stream->records; i++)
		known &= session.moved[gib_of(stream->record[i])];
	for (uint32_t i = 0; i < stream->records && !known; i++)
		if (!session.moved[gib_of(stream->record[i])])
			move_in(gib_of(stream->record[i]));
	for (uint32_t i = 0; i < stream->records; i++)
		stream->record[i] ^= session.move[gib_of(stream->record[i])];
}

static void feed(const struct stream *stream)
{
	if (session.map.tally->mode == TALLY_ATTRIBUTE)
		feed_blaming(stream);
	else
		sim_feed(session.sim, stream->record, stream->records);
}

static void feed_retired(uint64_t instructions)
{
	const uint64_t record = access_pack(ACCESS_RETIRE, 0, 0, instructions);

	sim_feed(session.sim, &record, 1);
}

/* What was not fed, as the signals that it would have raised. */
static void add_extra(const struct sums *sums)
{
	uint64_t *extra = session.extra;
	uint64_t always = sums->flow[FLOW_CALL] + sums->flow[FLOW_RETURN] +
			  sums->flow[FLOW_JUMP];

	extra[SIGNAL_l1i_fetch] += sums->fetches;
	if (session.map.tally->geometry.itlb.present)
		extra[SIGNAL_itlb_fetch] += sums->fetches;
	extra[SIGNAL_branches] += sums->flow[FLOW_BRANCH] + always;
	extra[SIGNAL_branches_taken] += sums->taken + always;
	extra[SIGNAL_calls] += sums->flow[FLOW_CALL];
	extra[SIGNAL_returns] += sums->flow[FLOW_RETURN];
	extra[SIGNAL_indirect_jumps] += sums->flow[FLOW_JUMP];
}

static void simulate(struct lane *lane)
{
	const uint64_t *signal = sim_signals(session.sim);

	move_together(&lane->access);
	feed(&lane->access);
	feed(&lane->flow);
	feed_retired(lane->sums.instructions);
	add_extra(&lane->sums);
	for (int i = 0; i < SIGNALS; i++)
		session.map.tally->signal[i] = signal[i] + session.extra[i];
}

static void add_sums(const struct sums *sums)
{
	struct tally *t = session.map.tally;

	t->instructions += sums->instructions;
	t->loads += sums->loads;
	t->stores += sums->stores;
	for (int i = 0; i < TALLY_UNSEENS; i++)
		t->unseen[i] += sums->unseen[i];
}

/* Others may use the simulator before this lane does again. */
static void start_again(struct lane *lane)
{
	struct stream *access = &lane->access;

	lane->sums = (struct sums){ .instructions = 0 };
	lane->flow_of = NULL;
	lane->flow.records = access->records = 0;
	if (session.map.tally->threads > 1) {
		memset(lane->newest, 0xff, sizeof(lane->newest));
		lane->loop = NULL;
	}
	if (!session.places || !lane->block)
		return;
	access->record[0] = access_pack(ACCESS_PC, 0, 0, lane->block->pc);
	access->site[0] = 0;
	access->records = 1;
}

static void settle_again(struct lane *lane);

void lane_flush(struct lane *lane)
{
	settle_again(lane);
	if (!session.child) {
		pthread_mutex_lock(&session.lock);
		if (session.map.tally->mode != TALLY_COUNT)
			simulate(lane);
		add_sums(&lane->sums);
		pthread_mutex_unlock(&session.lock);
	}
	start_again(lane);
}

void lanes_flush(void)
{
	for (int i = 0; i < LANES; i++)
		if (session.lane[i])
			lane_flush(session.lane[i]);
}

void lane_open(unsigned vcpu)
{
	struct lane *lane = NULL;

	if (session.child)
		return;
	if (vcpu < LANES && !session.lane[vcpu])
		session.lane[vcpu] = calloc(1, sizeof(*lane));
	if (vcpu < LANES)
		lane = session.lane[vcpu];
	if (!lane) {
		session.map.tally->lost_threads++;
		return;
	}
	session.map.tally->threads++;
	lane->block = NULL;
	lane->line = lane->page = UINT64_MAX;
	memset(lane->newest, 0xff, sizeof(lane->newest));
	start_again(lane);
}

/* NULL: a thread too many. */
static inline struct lane *lane_of(unsigned vcpu)
{
	return vcpu < LANES ? session.lane[vcpu] : NULL;
}

/* ---- branches ----------------------------------------------------------- */

static inline void put(struct lane *lane, struct stream *stream,
		       uint64_t record, uint32_t site)
{
	stream->record[stream->records] = record;
	stream->site[stream->records] = site;
	if (++stream->records == LANE_RECORDS)
		lane_flush(lane);
}

static uint64_t flow_record(const struct block *from, uint64_t to)
{
	const unsigned place = from->place_last;

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
static inline void put_apart(struct lane *lane, const struct block *from,
			     uint64_t to, uint64_t times)
{
	struct stream *flow = &lane->flow;
	uint64_t record = flow_record(from, to);
	uint64_t *last = &flow->record[flow->records - 1];

	if (lane->flow_of == from && from->flow == FLOW_BRANCH &&
	    *last >> ACCESS_OPERAND_BITS == record >> ACCESS_OPERAND_BITS) {
		*last += times;
		return;
	}
	if (lane->flow_of != from)
		put(lane, flow, access_pack(ACCESS_PC, 0, 0, from->pc), 0);
	lane->flow_of = from;
	if (from->flow == FLOW_BRANCH)
		record += times - 1;
	put(lane, flow, record, from->site_last);
}

/* How the block before ended, now that it is known where it went. */
static inline void put_flow(struct lane *lane, const struct block *from,
			    uint64_t to)
{
	if (from->flow == FLOW_NEXT || from->flow == FLOW_REPEAT)
		return;
	switch (session.flow_way) {
	case FLOW_COUNTED:
		lane->sums.flow[from->flow]++;
		lane->sums.taken += from->flow == FLOW_BRANCH &&
				    to != from->after;
		break;
	case FLOW_APART:
		put_apart(lane, from, to, 1);
		break;
	case FLOW_AMONG:
		put(lane, &lane->access, flow_record(from, to),
		    from->site_last);
		break;
	}
}

/* ---- code --------------------------------------------------------------- */

/* The first instruction of a block that has bytes in that line. */
static uint32_t site_in(const struct block *b, uint64_t line)
{
	uint32_t i = b->instructions - 1;

	while (i && session.map.site[b->site[i]].pc >> session.line_shift >=
		    line)
		i--;
	return b->site[i];
}

/* Rule 3 of session.h. */
static inline bool fetch_changes_nothing(struct lane *lane, uint64_t line)
{
	uint64_t *newest = &lane->newest[line & session.newest_mask &
					 (NEWEST - 1)];
	uint64_t page = line << session.line_shift >> 12;
	bool same = *newest == line &&
		    (page == lane->page || !session.translates);

	*newest = line;
	lane->page = page;
	return same && session.newest_mask != UINT64_MAX;
}

static inline void put_line(struct lane *lane, const struct block *b,
			    uint64_t line, bool attributed)
{
	if (line == lane->line)
		return;
	lane->line = line;
	if (fetch_changes_nothing(lane, line)) {
		lane->sums.fetches++;
		return;
	}
	put(lane, &lane->access, access_pack(ACCESS_FETCH, 0, 0,
					     line << session.line_shift),
	    attributed ? site_in(b, line) : 0);
}

/* A string instruction that runs again retires once for all its rounds. */
static inline bool runs_again(const struct block *from, const struct block *b)
{
	return from && from->flow == FLOW_REPEAT && b->instructions == 1 &&
	       from->after == b->after;
}

/* Rule 4: the rounds of a loop that were only counted. */
static void settle_again(struct lane *lane)
{
	struct block *b = lane->block;
	uint64_t again = lane->again;

	if (!again)
		return;
	lane->again = 0;
	if (session.map.tally->mode == TALLY_ATTRIBUTE)
		__atomic_fetch_add(&b->executions, again, __ATOMIC_RELAXED);
	lane->sums.instructions += again * b->instructions;
	if (b->first_line != b->last_line)
		lane->sums.fetches += again * (b->last_line - b->first_line +
					       1);
	for (int i = 0; i < TALLY_UNSEENS && b->any_unseen; i++)
		lane->sums.unseen[i] += again * b->unseen[i];
	if (session.flow_way == FLOW_COUNTED) {
		lane->sums.flow[FLOW_BRANCH] += again;
		lane->sums.taken += b->pc != b->after ? again : 0;
		return;
	}
	put_apart(lane, b, b->pc, again);
}

static inline void run_block(struct lane *lane, struct block *b,
			     bool attributed)
{
	const struct block *from = lane->block;

	settle_again(lane);
	lane->block = b;
	lane->loop = b->loops ? b : NULL;
	if (!runs_again(from, b))
		lane->sums.instructions += b->instructions;
	if (__builtin_expect(b->any_unseen, false))
		for (int i = 0; i < TALLY_UNSEENS; i++)
			lane->sums.unseen[i] += b->unseen[i];
	if (from)
		put_flow(lane, from, b->pc);
	if (session.places && from != b)
		put(lane, &lane->access, access_pack(ACCESS_PC, 0, 0, b->pc),
		    0);
	for (uint64_t line = b->first_line; line <= b->last_line; line++)
		put_line(lane, b, line, attributed);
}

void lane_block(unsigned vcpu, void *data)
{
	struct lane *lane = lane_of(vcpu);

	if (!lane)
		return;
	if (data == lane->loop)
		lane->again++;
	else
		run_block(lane, data, false);
}

void lane_block_attributed(unsigned vcpu, void *data)
{
	struct lane *lane = lane_of(vcpu);
	struct block *b = data;

	if (!lane)
		return;
	if (b == lane->loop) {
		lane->again++;
		return;
	}
	if (!runs_again(lane->block, b))
		__atomic_fetch_add(&b->executions, 1, __ATOMIC_RELAXED);
	run_block(lane, b, true);
}

void lane_block_counted(unsigned vcpu, void *data)
{
	struct lane *lane = lane_of(vcpu);
	struct block *b = data;

	if (!lane)
		return;
	if (!runs_again(lane->block, b))
		lane->sums.instructions += b->instructions;
	if (__builtin_expect(b->any_unseen, false))
		for (int i = 0; i < TALLY_UNSEENS; i++)
			lane->sums.unseen[i] += b->unseen[i];
	lane->block = b;
}

/* ---- accesses ----------------------------------------------------------- */

static inline uint64_t access_of(qemu_plugin_meminfo_t info, uint64_t address,
				 unsigned store_shift)
{
	return (uint64_t)(info >> session.store_bit & 1) << store_shift |
	       (uint64_t)(info >> session.size_bit & session.size_mask)
		       << 56 |
	       (address & ACCESS_OPERAND_MASK);
}

/* data: the place in its block, as a record has it. */
void lane_access(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t address,
		 void *data)
{
	struct lane *lane = lane_of(vcpu);
	struct stream *access;

	if (!lane)
		return;
	access = &lane->access;
	access->record[access->records] = access_of(info, address, 60) |
					  (uintptr_t)data;
	if (++access->records == LANE_RECORDS)
		lane_flush(lane);
}

void lane_access_streaming(unsigned vcpu, qemu_plugin_meminfo_t info,
			   uint64_t address, void *data)
{
	struct lane *lane = lane_of(vcpu);

	if (lane)
		put(lane, &lane->access,
		    access_of(info, address, 61) | (uintptr_t)data, 0);
}

/* data: the site, then place and whether it streams. */
void lane_access_attributed(unsigned vcpu, qemu_plugin_meminfo_t info,
			    uint64_t address, void *data)
{
	struct lane *lane = lane_of(vcpu);
	uintptr_t d = (uintptr_t)data;

	if (lane)
		put(lane, &lane->access,
		    access_of(info, address, 60 + (d >> 8 & 1)) |
			    (uint64_t)(d & 255) << 48,
		    (uint32_t)(d >> 9));
}

void lane_access_counted(unsigned vcpu, qemu_plugin_meminfo_t info,
			 uint64_t address, void *data)
{
	struct lane *lane = lane_of(vcpu);

	(void)address;
	(void)data;
	if (!lane)
		return;
	if (qemu_plugin_mem_is_store(info))
		lane->sums.stores++;
	else
		lane->sums.loads++;
}
