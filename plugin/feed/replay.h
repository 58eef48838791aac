/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Blocks ahead that a thread has only written down. */
#ifndef PLUGIN_FEED_REPLAY_H
#define PLUGIN_FEED_REPLAY_H

#include "plugin/callbacks/lane.h"

/* From a RAW_AHEAD on all that are side by side; returns what is behind them.
 * Behind the last word is RAW_FAULT. */
const uint64_t *replay(struct lane *lane, const uint64_t *word);

#endif
