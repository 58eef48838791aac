/* SPDX-License-Identifier: MIT */
/* A tree with PMUs, made below /tmp, and a CPU of three events. */
#ifndef TESTS_EVENT_TREE_H
#define TESTS_EVENT_TREE_H

#include "check.h"

#include "events/events.h"

extern char tree_root[64];
extern const struct cpu tree_cpu;

/* A file below the root, with the folders above it. */
void tree_put(const char *path, const char *text);

/* Set-up and tear-down of a program's tests. */
int tree_plant(void **ctx);
int tree_fell(void **ctx);

/* What parse() made of the last list. */
extern struct group group;
extern struct assay_error err;

/* The list on that tree; for the simulator, of that CPU. */
int parse(const char *list, enum events_for target);

#endif
