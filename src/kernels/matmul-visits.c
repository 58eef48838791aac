/* SPDX-License-Identifier: MIT */
/*
 * What matmul misses under LRU, visit by visit: a visit hits if fewer than
 * `ways` other units of its set were visited since its last visit (Mattson's
 * reuse distance). Exact; the cost grows with n^3, so for small n only.
 * Freestanding.
 */
#include "kernels/matmul.h"

#include "kernels/arithmetic.h"

#define MOST_ENTRIES 4096
#define MOST_VISITS (UINT64_C(1) << 24)
#define NO_UNIT UINT32_MAX

enum { FACTOR_A, FACTOR_B, SUM_READ, SUM_WRITTEN, PARTS };

/* The units of each set, the last visited one first. */
struct recency {
	uint64_t sets, ways;
	uint32_t unit[MOST_ENTRIES];
	uint64_t misses[PARTS];
};

struct product {
	struct recency *recency;
	uint64_t n, per;
	uint64_t matrix;	/* doubles from one matrix to the next */
};

static void visit(struct recency *r, uint64_t unit, unsigned part)
{
	uint32_t *set = &r->unit[unit % r->sets * r->ways];
	uint32_t moved = set[0], next;
	uint64_t way = 0;

	if (moved == unit)
		return;
	set[0] = (uint32_t)unit;
	while (++way < r->ways) {
		next = set[way];
		set[way] = moved;
		if (next == unit)
			return;
		moved = next;
	}
	r->misses[part]++;
}

static uint64_t unit_of(const struct product *p, unsigned matrix, uint64_t row,
			uint64_t column)
{
	return (matrix * p->matrix + row * p->n + column) / p->per;
}

static void textbook(const struct product *p)
{
	for (uint64_t i = 0; i < p->n; i++)
		for (uint64_t j = 0; j < p->n; j++) {
			for (uint64_t k = 0; k < p->n; k++) {
				visit(p->recency, unit_of(p, 0, i, k),
				      FACTOR_A);
				visit(p->recency, unit_of(p, 1, k, j),
				      FACTOR_B);
			}
			visit(p->recency, unit_of(p, 2, i, j), SUM_WRITTEN);
		}
}

/*
 * How many columns from j on have their element of row k of B in one unit, and
 * their element of row i of C in one unit.
 */
static uint64_t together(const struct product *p, uint64_t i, uint64_t k,
			 uint64_t j)
{
	uint64_t b = p->per - (k * p->n + j) % p->per;
	uint64_t c = p->per - (i * p->n + j) % p->per;

	return b < c ? b : c;
}

/*
 * The inner loop alternates between a unit of B and one of C. They are the two
 * last visited units: after one visit of each, their further visits hit.
 */
static void interchange(const struct product *p)
{
	for (uint64_t i = 0; i < p->n; i++) {
		for (uint64_t j = 0; j < p->n; j++)
			visit(p->recency, unit_of(p, 2, i, j), SUM_WRITTEN);
		for (uint64_t k = 0; k < p->n; k++) {
			visit(p->recency, unit_of(p, 0, i, k), FACTOR_A);
			for (uint64_t j = 0; j < p->n;
			     j += together(p, i, k, j)) {
				visit(p->recency, unit_of(p, 1, k, j),
				      FACTOR_B);
				visit(p->recency, unit_of(p, 2, i, j),
				      SUM_READ);
			}
		}
	}
}

static void multiply(const struct product *p, bool interchanged)
{
	for (int part = 0; part < PARTS; part++)
		p->recency->misses[part] = 0;
	if (interchanged)
		interchange(p);
	else
		textbook(p);
}

static bool affordable(const struct matmul *m, uint64_t per)
{
	uint64_t inner = m->interchange ? m->n / per + 2 : m->n;

	/* n <= 4096: no overflow */
	return 2 * m->n * m->n * inner <= MOST_VISITS;
}

bool matmul_visits(const struct matmul *m, uint64_t per, uint64_t sets,
		   uint64_t ways, bool warm, struct matmul_misses *out)
{
	struct recency r = { .sets = sets, .ways = ways };
	struct product p = {
		.recency = &r, .n = m->n, .per = per,
		.matrix = (m->n * m->n * 8 + MATMUL_ALIGN - 1) / MATMUL_ALIGN *
			  (MATMUL_ALIGN / 8),
	};

	if (!sets || ways < 2 || sets > MOST_ENTRIES / ways ||
	    !affordable(m, per))
		return false;
	for (uint64_t i = 0; i < sets * ways; i++)
		r.unit[i] = NO_UNIT;
	for (int run = 0; run <= warm; run++)
		multiply(&p, m->interchange);
	out->a = r.misses[FACTOR_A];
	out->b = r.misses[FACTOR_B];
	out->c_load = r.misses[SUM_READ];
	out->c_store = r.misses[SUM_WRITTEN];
	return true;
}
