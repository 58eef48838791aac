/* SPDX-License-Identifier: MIT */
/*
 * The folder that a program runs in, under a path that is the same everywhere:
 * a mount that only this process and its children see.
 */
#ifndef CI_PLACE_H
#define CI_PLACE_H

#include <stdbool.h>

#define PLACE_PATH "/tmp/assay-ci"

/*
 * Makes the folder the current one, as PLACE_PATH if that is possible: then the
 * program sees nothing above the folder, and is user 1000. For a process that
 * ends soon: the process gets a user and a mount namespace. *shows: the program
 * sees the folder's own path. Returns 0, or -1 with errno.
 */
int place_enter(const char *folder, bool *shows);

#endif
