/* SPDX-License-Identifier: MIT */
/* What the shared sources use of <inttypes.h>, for the image. */
#ifndef BARE_INTTYPES_H
#define BARE_INTTYPES_H

#include <stdint.h>

#define PRId64 "ld"
#define PRIu64 "lu"

#endif
