/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The threads of the program, each in a lane of its number. */
#include "plugin/callbacks/lane.h"
#include "plugin/callbacks/thread.h"
#include "plugin/capture/raw.h"

void thread_begin(struct lane *lane)
{
	if (session.fronts)
		raw_open(lane);
	else
		*lane->at++ = (uint64_t)WORD_START << WORD_KIND;
}

void thread_open(unsigned vcpu)
{
	struct lane *lane = NULL;

	if (session.child)
		return;
	if (vcpu < LANES && !session.lane[vcpu])
		session.lane[vcpu] = lane_new();
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
	if (lane)
		thread_begin(lane);
}

/* Its buffer waits for the next thread of that number. */
void thread_close(unsigned vcpu)
{
	struct lane *lane = lane_of(vcpu);

	if (!lane || session.child)
		return;
	if (session.fronts)
		raw_settle(lane);
	lane_flush(lane);
}
