/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records into the simulator and the tally. */
#ifndef PLUGIN_FEED_FEED_H
#define PLUGIN_FEED_FEED_H

#include "plugin/feed/consume.h"

/* A branch, at pc; returns what sim_flow does. */
uint32_t feed_flow(uint64_t pc, uint64_t record, uint32_t site);
/* Predicts the outcomes that are not yet; their walks wait for the stream. */
void taker_predict(struct taker *taker);
/* The stream, with its outcomes, and the sums; all are empty then. */
void taker_feed(struct taker *taker);

#endif
