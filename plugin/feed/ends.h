/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How blocks ended, rule 9 of session.h. */
#ifndef PLUGIN_FEED_ENDS_H
#define PLUGIN_FEED_ENDS_H

#include "plugin/callbacks/lane.h"

/* Predicts what a buffer's blocks ended with. What walks of a wrong path come
 * after is fed before them. */
void ends_take(struct taker *t, struct buffer *buffer);

#endif
