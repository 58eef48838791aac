/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The program's accesses that fault. */
#ifndef PLUGIN_CALLBACKS_FAULT_H
#define PLUGIN_CALLBACKS_FAULT_H

#include <stdbool.h>
#include <stdint.h>

/* Where it was left: an access, as the program sees it, faults. */
struct fault {
	uint64_t address;
	bool nowhere;		/* it is none at all, the address is unknown */
	bool store;
};

/* Of this process, from now on. */
void fault_watch(void);

#endif
