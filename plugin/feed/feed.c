/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records into the simulator, what it says into the tally. */
#include "plugin/feed/feed.h"
#include "plugin/regions/regions.h"
#include "plugin/data/data.h"
#include "plugin/session.h"
#include "plugin/why/why.h"

/* Signals whose growth is attributed to the record before. */
static const struct {
	enum tally_column column;
	enum signal signal;
} attributed[] = {
	{ TALLY_l1d_misses, SIGNAL_l1d_load_miss },
	{ TALLY_l1d_misses, SIGNAL_l1d_store_miss },
	{ TALLY_l1i_misses, SIGNAL_l1i_miss },
	{ TALLY_dtlb_misses, SIGNAL_dtlb_load_miss },
	{ TALLY_dtlb_misses, SIGNAL_dtlb_store_miss },
	{ TALLY_mispredicts, SIGNAL_mispredicts },
	{ TALLY_l2_misses, SIGNAL_l2_prefetch_miss },
	{ TALLY_l3_misses, SIGNAL_l3_prefetch_miss },
	{ TALLY_COLUMNS, SIGNAL_walk_reads },	/* a sign of the next ones */
	/* these do not grow if those above do not, but for write-through */
	{ TALLY_l2_misses, SIGNAL_l2_load_miss },
	{ TALLY_l2_misses, SIGNAL_l2_store_miss },
	{ TALLY_l2_misses, SIGNAL_l2_walk_miss },
	{ TALLY_l2_misses, SIGNAL_l2_fetch_miss },
	{ TALLY_l3_misses, SIGNAL_l3_load_miss },
	{ TALLY_l3_misses, SIGNAL_l3_store_miss },
	{ TALLY_l3_misses, SIGNAL_l3_walk_miss },
	{ TALLY_l3_misses, SIGNAL_l3_fetch_miss },
};
enum {
	ATTRIBUTED = sizeof(attributed) / sizeof(*attributed),
	FIRST_ATTRIBUTED = 9
};

/* A sum that grows whenever one of them does, as none ever shrinks. */
static uint64_t growth(const uint64_t *signal, int signals)
{
	uint64_t sum = 0;

	for (int i = 0; i < signals; i++)
		sum += signal[attributed[i].signal];
	return sum;
}

static void attribute(const uint64_t *signal, uint64_t *before, uint64_t *count)
{
	for (int i = 0; i < ATTRIBUTED; i++) {
		const enum tally_column column = attributed[i].column;
		const uint64_t now = signal[attributed[i].signal];

		if (column < TALLY_COLUMNS)
			count[column] += now - before[i];
		before[i] = now;
	}
}

static void count_access(uint64_t record, uint64_t *count)
{
	switch (access_kind(record)) {
	case ACCESS_LOAD:
		count[TALLY_loads]++;
		break;
	case ACCESS_STORE:
	case ACCESS_STORE_NT:
		count[TALLY_stores]++;
		break;
	default:
		break;
	}
}

static void feed_attributing(const uint64_t *record, const uint32_t *site,
			 uint32_t records)
{
	const int summed = session.map.tally->geometry.l1d.write_through ?
			    ATTRIBUTED : FIRST_ATTRIBUTED;
	const uint64_t *signal = sim_signals(session.sim);
	uint64_t before[ATTRIBUTED], sum = growth(signal, summed), now;

	for (int i = 0; i < ATTRIBUTED; i++)
		before[i] = signal[attributed[i].signal];
	for (uint32_t r = 0; r < records; r++) {
		uint64_t *count = session.charged[site[r]].count;

		if (session.data && data_record(record[r]))
			continue;
		if (!session.why)
			sim_feed(session.sim, &record[r], 1);
		else if (!why_feed(record[r], site[r]))
			continue;
		signal = sim_signals(session.sim);
		if (!session.data)
			count_access(record[r], count);
		now = growth(signal, summed);
		if (now != sum)
			attribute(signal, before, session.data ?
				  data_count(record[r]) : count);
		sum = now;
	}
}

static uint64_t mispredicts(void)
{
	return sim_signals(session.sim)[SIGNAL_mispredicts];
}

uint32_t feed_flow(uint64_t pc, uint64_t record, uint32_t site)
{
	const uint64_t before = session.attributes ? mispredicts() : 0;
	const uint32_t walks = sim_flow(session.sim, pc, record);

	/* no draw acts on the predictor: these answer alike */
	for (uint32_t i = 0; i < session.map.tally->draws; i++)
		sim_flow(session.redrawn[i], pc, record);
	if (session.attributes)
		session.charged[site].count[TALLY_mispredicts] +=
			mispredicts() - before;
	return walks;
}

static size_t feed_outcomes(const uint64_t *outcome, size_t n, uint32_t *after,
			    uint32_t *walks, uint64_t *wrong)
{
	for (uint32_t i = 0; i < session.map.tally->draws; i++)
		sim_outcomes(session.redrawn[i], outcome, n, after, walks,
			     NULL);
	return sim_outcomes(session.sim, outcome, n, after, walks, wrong);
}

/* The simulators of further draws of random replacement. */
static void feed_redrawn(const uint64_t *record, size_t records)
{
	for (uint32_t i = 0; i < session.map.tally->draws; i++)
		sim_feed(session.redrawn[i], record, records);
}

static void feed_part(const uint64_t *record, const uint32_t *site,
		      uint32_t records)
{
	feed_redrawn(record, records);
	if (session.attributes)
		feed_attributing(record, site, records);
	else
		sim_feed(session.sim, record, records);
}

/* Walks of a wrong path are fed where their branch was. */
static void feed_stream(struct stream *stream, struct outcomes *o)
{
	const uint64_t walks = access_pack(ACCESS_WRONG_PATH, 0, 0, o->walks);
	uint32_t fed = 0;

	for (uint32_t i = 0; i < o->wrong_path_walks; i++) {
		const uint32_t k = o->wrong_path[i];

		feed_part(stream->record + fed, stream->site + fed,
			  o->at[k] - fed);
		feed_part(&walks, &o->site[k], 1);
		fed = o->at[k];
	}
	feed_part(stream->record + fed, stream->site + fed,
		  stream->records - fed);
	stream->records = o->n = o->predicted = o->wrong_path_walks = 0;
}

static void attribute_mistakes(const struct outcomes *o, const uint64_t *wrong)
{
	const uint32_t *site = o->site + o->predicted;

	for (uint32_t i = 0; i < o->n - o->predicted; i++)
		session.charged[site[i]].count[TALLY_mispredicts] +=
			wrong[i / 64] >> i % 64 & 1;
}

void consumer_predict(struct consumer *consumer)
{
	struct outcomes *o = &consumer->outcomes;
	const uint32_t from = o->predicted;
	uint32_t *after = o->wrong_path + o->wrong_path_walks;
	uint64_t wrong[OUTCOMES / 64];
	size_t ends;

	if (from == o->n)
		return;
	ends = feed_outcomes(o->outcome + from, o->n - from, after, &o->walks,
			     wrong);
	for (size_t i = 0; i < ends; i++)
		after[i] += from;
	o->wrong_path_walks += (uint32_t)ends;
	if (session.attributes)
		attribute_mistakes(o, wrong);
	o->predicted = o->n;
}

static void feed_retired(uint64_t instructions)
{
	const uint64_t record = access_pack(ACCESS_RETIRE, 0, 0, instructions);

	sim_feed(session.sim, &record, 1);
	feed_redrawn(&record, 1);
}

/* What was not fed, as the signals that it would have raised. */
static void add_extra(const struct sums *sums)
{
	uint64_t *extra = session.extra;
	const uint64_t indirect_calls = sums->flow[FLOW_INDIRECT_CALL];
	const uint64_t calls = sums->flow[FLOW_CALL] + indirect_calls;
	const uint64_t always = calls + sums->flow[FLOW_RETURN] +
				sums->flow[FLOW_JUMP];

	extra[SIGNAL_l1i_fetch] += sums->fetches;
	if (session.translates)
		extra[SIGNAL_itlb_fetch] += sums->fetches;
	for (int store = 0; store < 2; store++) {
		extra[SIGNAL_loads + store] += sums->hits[store];
		extra[SIGNAL_l1d_load + store] += sums->hits[store];
		extra[SIGNAL_served_l1] += sums->hits[store];
		if (session.translates_data)
			extra[SIGNAL_dtlb_load + store] += sums->hits[store];
	}
	extra[SIGNAL_branches] += sums->flow[FLOW_BRANCH] + always;
	extra[SIGNAL_branches_taken] += sums->taken + always;
	extra[SIGNAL_calls] += calls;
	extra[SIGNAL_returns] += sums->flow[FLOW_RETURN];
	extra[SIGNAL_indirect_jumps] += sums->flow[FLOW_JUMP] + indirect_calls;
}

static void report(const struct sums *sums)
{
	const uint64_t *signal = sim_signals(session.sim);
	struct tally *t = session.map.tally;

	for (int i = 0; i < SIGNALS; i++)
		t->signal[i] = signal[i] + session.extra[i] -
			       session.outside[0][i];
	for (uint32_t d = 0; d < t->draws; d++)
		for (int i = 0; i < SIGNALS; i++)
			t->draw[d][i] = sim_signals(session.redrawn[d])[i] +
					session.extra[i] -
					session.outside[1 + d][i];
	for (int i = 0; i < TALLY_UNSEENS && session.counts; i++)
		t->unseen[i] += sums->unseen[i];
	t->behind = __atomic_load_n(&session.running, __ATOMIC_RELAXED);
}

void consumer_feed(struct consumer *consumer)
{
	consumer_predict(consumer);
	feed_stream(&consumer->access, &consumer->outcomes);
	feed_retired(consumer->sums.instructions);
	add_extra(&consumer->sums);
	regions_account(consumer->lane);
	report(&consumer->sums);
	consumer->sums = (struct sums){ .instructions = 0 };
}
