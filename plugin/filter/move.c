/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The simulator is fastest below 16 GiB. Programs live in few places of a much
 * larger space: each GiB of it gets a place below, by what must be flipped in
 * its addresses. Those that find no room stay where they are.
 */
#include "plugin/filter/move.h"

static uint64_t flip_for(uint64_t gib)
{
	uint64_t place = gib < LOW_GIBS ? gib : LOW_GIBS - 1;

	while (session.taken >> place & 1 && place)
		place--;
	if (session.taken >> place & 1)
		return 0;
	session.taken |= 1u << place;
	session.gib[place] = gib;
	return (gib ^ place) << GIB;
}

void move_in(uint64_t gib)
{
	pthread_mutex_lock(&session.lock);
	if (!session.move[gib])
		__atomic_store_n(&session.move[gib], flip_for(gib) + 1,
				 __ATOMIC_RELAXED);
	pthread_mutex_unlock(&session.lock);
}

uint64_t move_of(uint64_t address)
{
	return moved(address & ACCESS_OPERAND_MASK);
}
