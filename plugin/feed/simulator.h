/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the plugin feeds. */
#ifndef PLUGIN_FEED_SIMULATOR_H
#define PLUGIN_FEED_SIMULATOR_H

#include "base/geometry.h"

/* NULL, or why it cannot be. */
const char *simulator_build(const struct geometry *g);
/* Nothing has been consumed. */
void simulator_forget(void);
/* The caches are empty; called by the consumer. */
void simulator_reset(void);

#endif
