/* SPDX-License-Identifier: MIT */
/* The sentence above stat's metrics: what they say and what is not to trust. */
#ifndef CLI_ANSWERS_STAT_ANSWER_H
#define CLI_ANSWERS_STAT_ANSWER_H

#include "assay/stat.h"
#include "cli/answers/phrase.h"

/* violated: laws between the events that the counts break. */
void stat_answer_say(const struct assay_stat_result *r, unsigned violated,
		     struct phrase *out);

#endif
