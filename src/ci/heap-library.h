/* SPDX-License-Identifier: MIT */
/*
 * A shared library whose only code moves the program break. Preloaded, and
 * initialised before all others, the library moves the heap of a dynamic
 * program of any language.
 */
#ifndef CI_HEAP_LIBRARY_H
#define CI_HEAP_LIBRARY_H

#include "base/geometry.h"

/* by: bytes, less than 65536. Returns 0, or -1 with errno. */
int heap_library_write(const char *path, enum isa isa, unsigned by);

#endif
