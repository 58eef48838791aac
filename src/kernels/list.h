/* SPDX-License-Identifier: MIT */
/*
 * Linked lists of lines, which chase and pages load from: laid out in an order,
 * followed natively or into a trace, with the closed form of the code. flush
 * links its lines with list_link(). Freestanding.
 */
#ifndef KERNELS_LIST_H
#define KERNELS_LIST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/access.h"
#include "base/geometry.h"
#include "kernels/expect.h"

enum list_order {
	LIST_LINEAR,
	LIST_PING_PONG,		/* first, last, second, last but one ... */
	LIST_SHUFFLED,		/* one random cycle (Sattolo) */
	LIST_FISHER_YATES,	/* a random order of visiting */
	LIST_PAGE_LOCAL,	/* random pages, the lines of each in a row */
};
extern const char *const list_orders[];

struct list {
	unsigned char *base;	/* borrowed; NULL will do for list_expect() */
	uint64_t elements;
	uint64_t spacing;	/* bytes between elements, >= 64 */
	uint64_t chains;	/* 1, 2 or 4; divides elements */
	enum list_order order;
	uint64_t seed;
};

/*
 * Links the elements in the list's order. Successive elements go to the chains
 * round robin, so that following all chains side by side loads the elements in
 * the same order for any number of chains.
 */
void list_link(const struct list *list);

/* Follows all chains to their ends, `passes` times. */
void list_run(const struct list *list, uint64_t passes);

/*
 * Joins the end of each chain to its head, which goes to head[] (room for 4).
 * Returns the number of chains.
 */
unsigned list_close(const struct list *list, void **head);

/* As list_run(), into a trace, with the instruction counts of `isa`. */
void list_trace(const struct list *list, uint64_t passes, enum isa isa,
		struct access_trace *port);

/* As struct kernel's expect(). */
void list_expect(const struct list *list, uint64_t passes, enum isa isa,
		 const struct geometry *geometry, bool warm,
		 struct assay_expectation *out);

/*
 * Completes passes and accesses (-1: not given), so that accesses == elements *
 * passes; accesses are rounded down to complete passes. Returns NULL, or a
 * sentence that says what is wrong.
 */
const char *list_resolve(int64_t elements, int64_t *passes, int64_t *accesses);

#define LIST_MOST_ACCESSES (INT64_C(1) << 50)

#endif
