/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Full buffers for the consumer, a thread that starts with the first one. */
#ifndef PLUGIN_CAPTURE_QUEUE_H
#define PLUGIN_CAPTURE_QUEUE_H

#include "plugin/capture/lane.h"

/* The function that consumes a buffer, in the consumer's thread. */
void queue_open(void (*consume)(struct buffer *buffer));
/* An empty buffer; NULL: no memory. */
struct buffer *queue_get(void);
/* Hands over a full buffer. */
void queue_put(struct buffer *buffer);
/* Waits until all buffers that were handed over before are fed. */
void queue_drain(void);
/* From now on nothing is consumed. */
void queue_stop(void);
/* Around a fork; and in the child: nothing was given. */
void queue_lock(void);
void queue_unlock(void);
void queue_reset(void);

#endif
