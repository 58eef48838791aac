/* SPDX-License-Identifier: MIT */
/* The part of <strings.h> that the image's sources use; see string.c. */
#ifndef BARE_STRINGS_H
#define BARE_STRINGS_H

#include <stddef.h>

int strcasecmp(const char *a, const char *b);
int strncasecmp(const char *a, const char *b, size_t most);

#endif
