/* SPDX-License-Identifier: MIT */
/*
 * The folder that a program runs in, under a path that is the same everywhere:
 * a mount that only this process and its children see.
 */
#ifndef CI_PLACE_H
#define CI_PLACE_H

#include <stdbool.h>

#define PLACE_PATH "/tmp/assay-ci"

/* Can a process get the mount? Tried in a child: a failure half-way would leave
 * the process without its user. */
bool place_possible(void);

/*
 * Makes the folder the current one, under PLACE_PATH. The process gets a user
 * and a mount namespace, and is user 1000. For a process that ends soon, if
 * place_possible(). Returns 0, or -1 with errno.
 */
int place_enter(const char *folder);

#endif
