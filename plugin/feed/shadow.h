/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rule 11 of session.h. */
#ifndef PLUGIN_FEED_SHADOW_H
#define PLUGIN_FEED_SHADOW_H

struct buffer;
struct lane;

/* What is in a raw buffer, into the shadow's own. */
void shadow_take(struct lane *shadow, struct buffer *buffer);

#endif
