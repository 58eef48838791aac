/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an instruction does that QEMU does not tell plugins, from its bytes:
 * how it ends a block, and whether it is one of those without an access.
 */
#ifndef PLUGIN_DECODE_DECODE_H
#define PLUGIN_DECODE_DECODE_H

#include <stddef.h>
#include <stdint.h>

#include "store/programs/tally.h"

enum flow {
	FLOW_NEXT,		/* no branch */
	FLOW_BRANCH,		/* conditional, or direct and always */
	FLOW_CALL,		/* direct */
	FLOW_RETURN,
	FLOW_JUMP,		/* indirect */
	FLOW_INDIRECT_CALL,
	FLOW_REPEAT,		/* x86 string instruction: may run again */
	FLOWS
};

/* Of other threads' accesses too. Where there are some, QEMU reports what both
 * loads and stores as one store. */
enum atomic {
	ATOMIC_NOT,
	ATOMIC_BOTH,		/* loads and stores */
	ATOMIC_STORE		/* only stores, but QEMU loads before */
};

struct decoded {
	enum flow flow;
	int unseen;		/* enum tally_unseen, or -1 */
	bool streaming;		/* its stores bypass the caches */
	enum atomic atomic;
	/* Bytes that are one access of it if QEMU performs them side by side;
	 * 0: what is side by side is still apart, or there is but one. */
	unsigned widest;
	/* DC ZVA: 1 + the register that has an address in what it zeroes. */
	unsigned zeroes;
};

struct decoded decode_x86_64(const unsigned char *p, size_t bytes);
struct decoded decode_aarch64(const unsigned char *p, size_t bytes);

#endif
