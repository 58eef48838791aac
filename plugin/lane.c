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

static void feed_blaming(struct lane *lane)
{
	const uint64_t *signal = sim_signals(session.sim);
	uint64_t before[BLAMED];

	for (int i = 0; i < BLAMED; i++)
		before[i] = signal[blamed[i].signal];
	for (uint32_t r = 0; r < lane->records; r++) {
		uint64_t *count = session.map.site[lane->site[r]].count;

		sim_feed(session.sim, &lane->record[r], 1);
		for (int i = 0; i < BLAMED; i++) {
			uint64_t now = signal[blamed[i].signal];

			if (now == before[i])
				continue;
			count[blamed[i].column] += now - before[i];
			before[i] = now;
		}
	}
}

/* What has no record of its own. */
static void add_counters(struct lane *lane)
{
	struct tally *t = session.map.tally;

	t->instructions += lane->instructions;
	t->loads += lane->loads;
	t->stores += lane->stores;
	for (int i = 0; i < TALLY_UNSEENS; i++)
		t->unseen[i] += lane->unseen[i];
	memset(lane->unseen, 0, sizeof(lane->unseen));
	lane->instructions = lane->loads = lane->stores = 0;
}

static void feed(struct lane *lane)
{
	const uint64_t retired = access_pack(ACCESS_RETIRE, 0, 0,
					     lane->instructions);

	if (session.map.tally->mode == TALLY_ATTRIBUTE)
		feed_blaming(lane);
	else
		sim_feed(session.sim, lane->record, lane->records);
	sim_feed(session.sim, &retired, 1);
	memcpy(session.map.tally->signal, sim_signals(session.sim),
	       SIGNALS * sizeof(uint64_t));
}

/* Others may have run on the simulator since: it is told the PC again. */
static void start_again(struct lane *lane)
{
	lane->records = 0;
	if (!session.places || !lane->block)
		return;
	lane->record[0] = access_pack(ACCESS_PC, 0, 0, lane->block->pc);
	lane->site[0] = 0;
	lane->pc_put = lane->block->pc;
	lane->records = 1;
}

void lane_flush(struct lane *lane)
{
	if (session.child) {
		lane->records = 0;
		return;
	}
	pthread_mutex_lock(&session.lock);
	if (session.map.tally->mode != TALLY_COUNT)
		feed(lane);
	add_counters(lane);
	pthread_mutex_unlock(&session.lock);
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
	lane->line = UINT64_MAX;
	lane->pc_put = UINT64_MAX;
}

/* NULL: a thread too many. */
static inline struct lane *lane_of(unsigned vcpu)
{
	return vcpu < LANES ? session.lane[vcpu] : NULL;
}

static inline void put(struct lane *lane, uint64_t record, uint32_t site)
{
	lane->record[lane->records] = record;
	lane->site[lane->records] = site;
	if (++lane->records == LANE_RECORDS)
		lane_flush(lane);
}

/* How the block before ended, now that it is known where it went. */
static inline void put_flow(struct lane *lane, const struct block *from,
			    uint64_t to)
{
	const unsigned place = from->place_last;
	uint64_t record = 0;

	switch ((enum flow)from->flow) {
	case FLOW_NEXT:
	case FLOW_REPEAT:
		return;
	case FLOW_BRANCH:
		record = access_pack(ACCESS_BRANCH,
				     to != from->after ? ACCESS_TAKEN : 0,
				     place, 1);
		break;
	case FLOW_CALL:
		record = access_pack(ACCESS_CALL, 0, place, from->after);
		break;
	case FLOW_RETURN:
		record = access_pack(ACCESS_RETURN, 0, place, to);
		break;
	case FLOW_JUMP:
		record = access_pack(ACCESS_JUMP, 0, place, to);
		break;
	}
	put(lane, record, from->site_last);
}

/* The first instruction of a block that has bytes in that line. */
static uint32_t site_in(const struct block *b, uint64_t line)
{
	uint32_t i = b->instructions - 1;

	while (i && session.map.site[b->site[i]].pc >> session.line_shift >=
		    line)
		i--;
	return b->site[i];
}

static inline void put_block(struct lane *lane, const struct block *b,
			     bool attributed)
{
	if (session.places && lane->pc_put != b->pc) {
		lane->pc_put = b->pc;
		put(lane, access_pack(ACCESS_PC, 0, 0, b->pc), 0);
	}
	for (uint64_t line = b->first_line; line <= b->last_line; line++) {
		if (line == lane->line)
			continue;
		lane->line = line;
		put(lane, access_pack(ACCESS_FETCH, 0, 0,
				      line << session.line_shift),
		    attributed ? site_in(b, line) : 0);
	}
}

/* A string instruction that runs again retires once for all its rounds. */
static inline bool runs_again(const struct block *from, const struct block *b)
{
	return from && from->flow == FLOW_REPEAT && b->instructions == 1 &&
	       from->after == b->after;
}

static inline void run_block(struct lane *lane, const struct block *b,
			     bool attributed)
{
	const struct block *from = lane->block;

	lane->block = b;
	if (!runs_again(from, b))
		lane->instructions += b->instructions;
	if (__builtin_expect(b->any_unseen, false))
		for (int i = 0; i < TALLY_UNSEENS; i++)
			lane->unseen[i] += b->unseen[i];
	if (from)
		put_flow(lane, from, b->pc);
	put_block(lane, b, attributed);
}

void lane_block(unsigned vcpu, void *data)
{
	struct lane *lane = lane_of(vcpu);

	if (lane)
		run_block(lane, data, false);
}

void lane_block_attributed(unsigned vcpu, void *data)
{
	struct lane *lane = lane_of(vcpu);
	struct block *b = data;

	if (!lane)
		return;
	if (!runs_again(lane->block, b))
		__atomic_fetch_add(&b->executions, 1, __ATOMIC_RELAXED);
	run_block(lane, b, true);
}

void lane_block_counted(unsigned vcpu, void *data)
{
	struct lane *lane = lane_of(vcpu);
	const struct block *b = data;

	if (!lane)
		return;
	if (!runs_again(lane->block, b))
		lane->instructions += b->instructions;
	lane->block = b;
}

static inline uint64_t access_of(qemu_plugin_meminfo_t info, uint64_t address,
				 unsigned store_shift)
{
	return (uint64_t)(info >> session.store_bit & 1) << store_shift |
	       (uint64_t)(info & session.size_mask) << 56 |
	       (address & ACCESS_OPERAND_MASK);
}

/* data: the place in its block, as a record has it. */
void lane_access(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t address,
		 void *data)
{
	struct lane *lane = lane_of(vcpu);

	if (!lane)
		return;
	lane->record[lane->records] = access_of(info, address, 60) |
				      (uintptr_t)data;
	if (++lane->records == LANE_RECORDS)
		lane_flush(lane);
}

void lane_access_streaming(unsigned vcpu, qemu_plugin_meminfo_t info,
			   uint64_t address, void *data)
{
	struct lane *lane = lane_of(vcpu);

	if (lane)
		put(lane, access_of(info, address, 61) | (uintptr_t)data, 0);
}

/* data: the site, then place and whether it streams. */
void lane_access_attributed(unsigned vcpu, qemu_plugin_meminfo_t info,
			    uint64_t address, void *data)
{
	struct lane *lane = lane_of(vcpu);
	uintptr_t d = (uintptr_t)data;

	if (lane)
		put(lane, access_of(info, address, 60 + (d >> 8 & 1)) |
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
		lane->stores++;
	else
		lane->loads++;
}
