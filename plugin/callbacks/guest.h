/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The program's memory. */
#ifndef PLUGIN_CALLBACKS_GUEST_H
#define PLUGIN_CALLBACKS_GUEST_H

#include "plugin/session.h"

static inline void *guest_host(uint64_t address)
{
	return (void *)(uintptr_t)(address + session.guest_base);
}

static inline uint64_t guest_address(const void *host)
{
	return (uint64_t)(uintptr_t)host - session.guest_base;
}

/* false: not all of it can be read. */
bool guest_read(void *out, size_t bytes, uint64_t address);
/* With its 0. false: it cannot be read, or is longer. */
bool guest_text(char *out, size_t room, uint64_t address);

#endif
