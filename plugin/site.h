/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sites of instructions. */
#ifndef PLUGIN_SITE_H
#define PLUGIN_SITE_H

#include <stdint.h>

/* The mapped file at an address: its index + 1; 0: there is no room. */
uint32_t site_object(uint64_t pc, uint64_t host);

/* Found or made. */
uint32_t site_find(uint64_t pc, uint64_t host);

/* The program maps something else there: other code, if any. */
void site_unmap(uint64_t from, uint64_t bytes);

/* Puts a text beside the names of files: its offset; UINT32_MAX: no room. */
uint32_t site_text(const char *text);

#endif
