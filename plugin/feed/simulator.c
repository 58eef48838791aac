/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The simulator of this process, and one for each further draw of what is
 * random. */
#include <stdlib.h>
#include <string.h>

#include "plugin/feed/simulator.h"
#include "plugin/filter/move.h"
#include "plugin/regions/regions.h"
#include "plugin/session.h"
#include "plugin/why/why.h"

/* Where each record's counts are asked for, none can be put off. */
static void begin(struct sim *sim)
{
	sim_set_fast_forward(sim, !session.attributes);
}

static const char *build_one(struct sim **out, const struct geometry *g)
{
	const char *why = NULL;
	size_t bytes = sim_bytes(g, &why);
	void *memory;

	if (!bytes)
		return why ? why : "the geometry cannot be simulated";
	memory = aligned_alloc(64, (bytes + 63) & ~(size_t)63);
	if (!memory)
		return "no memory for the simulator";
	*out = sim_init(memory, g);
	begin(*out);
	return NULL;
}

const char *simulator_build(const struct geometry *g)
{
	struct geometry other = *g;
	const char *why = build_one(&session.sim, g);

	for (uint32_t i = 0; !why && i < session.map.tally->draws; i++) {
		other.draw = g->draw + 1 + i;
		why = build_one(&session.redrawn[i], &other);
	}
	return why;
}

void simulator_forget(void)
{
	memset(&session.consumer, 0, sizeof(session.consumer));
	memset(session.extra, 0, sizeof(session.extra));
	regions_forget();
	filter_init(&session.consumer.filter, &session.map.tally->geometry,
		    session.map.tally->draws > 0, move_of);
}

/* The simulators keep their memory. */
void simulator_reset(void)
{
	struct geometry g = session.map.tally->geometry;

	session.stale = false;
	sim_init(session.sim, &g);
	begin(session.sim);
	for (uint32_t i = 0; i < session.map.tally->draws; i++) {
		g.draw++;
		sim_init(session.redrawn[i], &g);
		begin(session.redrawn[i]);
	}
	if (session.why)
		why_reset();
}
