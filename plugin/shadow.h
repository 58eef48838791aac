/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rule 11 of session.h: in the taking thread. */
#ifndef PLUGIN_SHADOW_H
#define PLUGIN_SHADOW_H

struct buffer;

/* One that is raw. */
void shadow_take(struct buffer *buffer);

#endif
