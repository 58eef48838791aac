/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Records into the simulator and the tally. */
#ifndef PLUGIN_FEED_FEED_H
#define PLUGIN_FEED_FEED_H

#include "plugin/feed/consume.h"

/* A branch, at pc; returns what sim_flow does. */
uint32_t feed_flow(uint64_t pc, uint64_t record, uint32_t site);
/* Predicts the outcomes that wait; wrong-path walks wait for the stream. */
void consumer_predict(struct consumer *consumer);
/* Feeds the stream with its outcomes, and the sums; all are empty then. */
void consumer_feed(struct consumer *consumer);

#endif
