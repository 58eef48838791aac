/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records into the simulator and the tally. */
#ifndef PLUGIN_FEED_FEED_H
#define PLUGIN_FEED_FEED_H

#include "plugin/feed/take.h"

/* A branch, at pc; returns what sim_flow does. */
uint32_t feed_flow(uint64_t pc, uint64_t record, uint32_t site);
/* As sim_outcomes, sim_calls and sim_jumps; of rule 9. */
size_t feed_outcomes(const uint64_t *outcome, size_t n, uint32_t *after,
		     uint32_t *walks, uint64_t *wrong);
void feed_calls(const uint64_t *record, size_t n);
void feed_jumps(const uint64_t *pc, const uint64_t *record, size_t n);
/* Records as they are; a record may have been changed then. */
void feed_records(uint64_t *record, size_t records);
/* Predicts the outcomes that are not yet; their walks wait for the stream. */
void taker_predict(struct taker *taker);
/* The stream, with its outcomes, and the sums; all are empty then. */
void taker_feed(struct taker *taker);

#endif
