/* SPDX-License-Identifier: MIT */
/*
 * The inlined functions of compilation units, from DWARF. Private to symbols.c.
 * Addresses are those of the unit, without the module's bias.
 */
#ifndef STAT_INLINES_H
#define STAT_INLINES_H

#include <elfutils/libdw.h>

#include "stat/symbols.h"

/* All units of one file that were asked for; zeroed: none. */
struct inlines { void *units; };

/* The innermost inlined function whose code has the address; NULL: none. */
const struct inlined *inlines_find(struct inlines *inlines, Dwarf_Die *unit,
				   Dwarf_Addr address);
/* The folder that the unit was compiled in; NULL: not known. */
const char *inlines_folder(Dwarf_Die *unit);
void inlines_fini(struct inlines *inlines);

#endif
