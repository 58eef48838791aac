/* SPDX-License-Identifier: MIT */
/* What the shared sources use of <strings.h>, for the image: string.c. */
#ifndef BARE_STRINGS_H
#define BARE_STRINGS_H

int strcasecmp(const char *a, const char *b);

#endif
