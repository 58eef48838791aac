/* SPDX-License-Identifier: MIT */
/* Building cycles of pointers: random, linear, and of pairs. */
#include "measure/chain.h"

#include "kernels/draw.h"

#define LINE 64

void *chain_at(const struct chain *c, uint64_t i)
{
	uint64_t at = i * c->step + (c->wrap ? i * c->skew % c->wrap : 0);

	if (c->scatter)
		at += draw_below(&(uint64_t){ i }, c->step / LINE) * LINE;
	return c->base + at;
}

void chain_extend(const struct chain *c, uint64_t from, uint64_t to,
		  uint64_t *seed)
{
	if (!from && to) {
		void **first = chain_at(c, 0);

		*first = first;
		from = 1;
	}
	for (uint64_t i = from; i < to; i++) {
		const uint64_t first = c->window ? i - i % c->window : 0;
		void **fresh = chain_at(c, i);
		/* a new window goes behind an earlier one's first element */
		void **after = chain_at(c, i > first ?
			first + draw_below(seed, i - first) :
			draw_below(seed, i / c->window) * c->window);

		*fresh = *after;
		*after = fresh;
	}
}

void chain_linear(const struct chain *c, uint64_t elements)
{
	for (uint64_t i = 0; i < elements; i++)
		*(void **)chain_at(c, i) = chain_at(c, (i + 1) % elements);
}

void chain_double(const struct chain *c, uint64_t elements, uint64_t gap)
{
	for (uint64_t i = 0; i < elements; i++) {
		void **one = chain_at(c, i);
		void **two = (void **)((unsigned char *)one + gap);

		*two = *one;
		*one = two;
	}
}
