/* SPDX-License-Identifier: MIT */
/* The part of <inttypes.h> that the image's sources use. */
#ifndef BARE_INTTYPES_H
#define BARE_INTTYPES_H

#include <stdint.h>

#define PRId64 "ld"
#define PRIu64 "lu"

#endif
