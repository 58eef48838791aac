/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Memory that is never freed, 0, in pages as large as possible. */
#ifndef PLUGIN_ARENA_H
#define PLUGIN_ARENA_H

#include <stddef.h>

/* It begins with a line. NULL: there is none. */
void *arena_take(size_t bytes);
/* It was the last one. */
void arena_give_back(void *memory, size_t bytes);
/* Around a fork. */
void arena_lock(void);
void arena_unlock(void);

#endif
