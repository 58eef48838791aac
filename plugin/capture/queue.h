/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Full buffers to the taking thread, which starts with the first. */
#ifndef PLUGIN_CAPTURE_QUEUE_H
#define PLUGIN_CAPTURE_QUEUE_H

#include "plugin/capture/lane.h"

/* Who takes the first buffer, and the next one when it is done. */
void queue_open(void (*take)(struct buffer *buffer));
/* An empty buffer; NULL: no memory. */
struct buffer *queue_get(void);
/* Gives it away, full; returns how many there are now that wait. */
unsigned queue_put(struct buffer *buffer);
/* Waits until all that was given before is fed. */
void queue_drain(void);
/* From now on nothing is taken any more. */
void queue_stop(void);
/* Around a fork; and in the child: nothing was given. */
void queue_lock(void);
void queue_unlock(void);
void queue_reset(void);

#endif
