/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where QEMU's blocks of x86-64 code end in the middle of what runs. */
#ifndef PLUGIN_DECODE_X86_EDGES_H
#define PLUGIN_DECODE_X86_EDGES_H

#include <stdbool.h>
#include <stddef.h>

/* Are these only the first bytes of an instruction? */
bool x86_is_cut(const unsigned char *p, size_t bytes);
/* Does the instruction store to memory, each time and without a prefix? */
bool x86_stores(const unsigned char *p, size_t bytes);

#endif
