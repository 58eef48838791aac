/* SPDX-License-Identifier: MIT */
/* Fails unless two simulators have counted the same, and says what differs. */
#ifndef TESTS_SAME_SIGNALS_H
#define TESTS_SAME_SIGNALS_H

#include "check.h"

#include "sim/sim.h"

static inline void same_signals(unsigned configuration, const uint64_t *got,
				const uint64_t *want)
{
	static const char *const name[] = {
#define X(name, sentence) #name,
#include "base/signals.def"
#undef X
	};

	for (int i = 0; i < SIGNALS; i++)
		if (got[i] != want[i])
			fail_msg("configuration %u, %s: %llu, not %llu",
				 configuration, name[i],
				 (unsigned long long)got[i],
				 (unsigned long long)want[i]);
}

#endif
