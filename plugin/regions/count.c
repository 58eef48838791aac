/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The consumer's side of regions. Each feed belongs to one thread and lies
 * between two marks, so that the growth of the signals belongs to the regions
 * that are open in that thread.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "plugin/regions/regions.h"

static struct {
	bool used;		/* something was marked */
	uint64_t last[1 + TALLY_DRAWS][SIGNALS];	/* at the last feed */
	/* for what does not count */
	struct tally_site *elsewhere;
	struct tally_why *unwanted;
} count;

static uint64_t now(uint32_t draw, int signal)
{
	struct sim *sim = draw ? session.redrawn[draw - 1] : session.sim;

	return sim_signals(sim)[signal] + session.extra[signal];
}

static bool is_bounded(void)
{
	return session.map.tally->from[0] || session.map.tally->region[0];
}

static bool is_counted(const struct lane *lane)
{
	return !is_bounded() || lane->counted;
}

/* A second table needs memory only where code runs outside. */
static void *second_table(size_t bytes)
{
	void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE |
			    MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (memory == MAP_FAILED)
		abort();
	return memory;
}

static void make_tables(void)
{
	if (count.elsewhere)
		return;
	count.elsewhere = second_table(TALLY_SITES * sizeof(*count.elsewhere));
	count.unwanted = second_table(TALLY_WHYS * sizeof(*count.unwanted));
}

void regions_turn(const struct lane *lane)
{
	session.counts = is_counted(lane);
	session.executes = session.attributes && session.counts;
	if (!session.counts)
		make_tables();
	session.charged = session.counts ? session.map.site : count.elsewhere;
	session.reasons = session.counts ? session.map.why : count.unwanted;
}

static struct tally_region *region_of(uint32_t id)
{
	return &session.map.region[id * (1 + session.map.tally->draws)];
}

static void add_growth(const struct lane *lane, uint32_t draw, int signal,
		       uint64_t growth)
{
	if (!session.counts)
		session.outside[draw][signal] += growth;
	for (uint32_t i = 0; i < lane->regions; i++)
		region_of(lane->region[i])[draw].signal[signal] += growth;
}

void regions_account(const struct lane *lane)
{
	for (uint32_t d = 0; count.used && d <= session.map.tally->draws; d++)
		for (int i = 0; i < SIGNALS; i++) {
			const uint64_t value = now(d, i);

			if (value != count.last[d][i])
				add_growth(lane, d, i,
					   value - count.last[d][i]);
			count.last[d][i] = value;
		}
}

void regions_forget(void)
{
	memset(count.last, 0, sizeof(count.last));
	memset(session.outside, 0, sizeof(session.outside));
	count.used = is_bounded();
	session.counts = true;
	session.executes = session.attributes;
	session.charged = session.map.site;
	session.reasons = session.map.why;
}

/* Is this the region that alone counts? */
static bool is_chosen(uint32_t id)
{
	return session.map.tally->region[0] &&
	       strcmp(region_of(id)->name, session.map.tally->region) == 0;
}

/* The first mark: all before is of no region. */
static void use(void)
{
	for (uint32_t d = 0; !count.used && d <= session.map.tally->draws; d++)
		for (int i = 0; i < SIGNALS; i++)
			count.last[d][i] = now(d, i);
	count.used = true;
}

static void begin(struct lane *lane, uint32_t id)
{
	use();
	if (lane->regions == REGIONS_OPEN)
		return;
	lane->region[lane->regions++] = id;
	region_of(id)->entered++;
	lane->counted |= is_chosen(id);
	session.map.tally->entered += is_chosen(id);
}

static void end(struct lane *lane, uint32_t id)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < lane->regions; i++)
		if (lane->region[i] != id)
			lane->region[kept++] = lane->region[i];
	if (kept < lane->regions)
		region_of(id)->left++;
	else
		region_of(id)->unpaired++;
	lane->regions = kept;
	if (is_chosen(id))
		lane->counted = false;
}

void regions_mark(struct lane *lane, uint64_t word)
{
	switch (word >> WORD_KIND) {
	case WORD_ENTER:
		lane->counted = true;
		/* a thread that was made inside was not called */
		session.map.tally->entered += access_operand(word) != 0;
		break;
	case WORD_LEAVE:
		lane->counted = false;
		break;
	case WORD_BEGIN:
		begin(lane, (uint32_t)word);
		break;
	case WORD_END:
		end(lane, (uint32_t)word);
		break;
	}
	regions_turn(lane);
}
