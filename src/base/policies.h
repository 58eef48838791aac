/* SPDX-License-Identifier: MIT */
/* The columns of policies.def, and what they refuse. */
#ifndef BASE_POLICIES_H
#define BASE_POLICIES_H

#include <stddef.h>

#include "base/geometry.h"

enum policy_family {
	FAMILY_LRU, FAMILY_FIFO, FAMILY_TREE, FAMILY_BIT, FAMILY_RANDOM,
	FAMILY_RRIP, FAMILY_DRRIP, FAMILY_QLRU
};

struct policy {
	const char *too_wide;	/* the reason if it has more than most_ways */
	uint16_t most_ways;
	uint8_t family, set_words, level_words;
	bool ordered, repeatable, settling;
	uint8_t hit3, hit2, m, r, u;
};

static const struct policy policies[REPLACEMENTS] = {
#define POLICY(constant, name, family, set_words, level_words, most_ways, ...) \
	[REPLACE_##constant] = { \
		name " is simulated up to " #most_ways " ways", most_ways, \
		FAMILY_##family, set_words, level_words, __VA_ARGS__ },
#include "base/policies.def"
};

/* Why a set of `ways` ways (at least 1) is refused; NULL: it is not. */
static inline const char *policy_refusal(enum replacement policy,
					 uint64_t ways)
{
	const struct policy *p = &policies[policy];

	if (p->family == FAMILY_TREE && ways / (ways & -ways) > 15)
		return "tree-plru needs an odd number of trees that is at most "
		       "15";
	return ways > p->most_ways ? p->too_wide : NULL;
}

#endif
