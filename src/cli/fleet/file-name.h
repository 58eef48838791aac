/* SPDX-License-Identifier: MIT */
/* Names of files with the place of the process in its job. */
#ifndef CLI_FLEET_FILE_NAME_H
#define CLI_FLEET_FILE_NAME_H

#include <stdbool.h>
#include <stddef.h>

#include "assay/error.h"
#include "env/launcher.h"

/*
 * Replaces %h by the node, %r by the rank (0 without a launcher), %j by the job
 * ("none" without one), %p by the process, %t by the time in UTC, %% by %. What
 * has no place in a name of a file becomes '_'. Returns 0 or -ASSAY_EINVAL:
 * another letter, or no room.
 */
int file_name_expand(char *out, size_t room, const char *pattern,
		     const struct launcher *launcher, struct assay_error *err);
/* Does each rank get a name of its own? (%h: each node) */
bool file_name_is_own(const char *pattern);

#endif
