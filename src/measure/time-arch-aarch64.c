/* SPDX-License-Identifier: MIT */
/*
 * The port to an AArch64 core: the virtual counter, and loops to time. That
 * counter runs at 24 MHz to 1 GHz; the clock's granule says how far single
 * loads can be told apart.
 */
#include "measure/time.h"

#include "kernels/draw.h"

#define WAITS 64	/* cycles, at most */

#define CAT(a) #a
#define TEXT(a) CAT(a)
#define TIMES(n, text) ".rept " TEXT(n) "\n\t" text "\n\t.endr\n\t"

static uint64_t begin(void *ctx)
{
	uint64_t now;

	(void)ctx;
	__asm__ volatile("dsb ld\n\tisb\n\tmrs %0, cntvct_el0\n\tisb"
			 : "=r"(now) :: "memory");
	return now;
}

static uint64_t end(void *ctx)
{
	return begin(ctx);
}

static uint64_t chained_adds(void *ctx, unsigned n)
{
	uint64_t x = 0, y = 1, times = n / 100;
	const uint64_t from = begin(ctx);

	__asm__ volatile("1:\n\t" TIMES(100, "add %[x], %[x], %[y]")
			 "subs %[times], %[times], #1\n\tb.ne 1b"
			 : [x] "+r"(x), [times] "+r"(times) : [y] "r"(y)
			 : "cc");
	return end(ctx) - from;
}

static uint64_t free_adds(void *ctx, unsigned n)
{
	uint64_t a = 0, b = 0, c = 0, d = 0, times = n / 112;
	const uint64_t from = begin(ctx);

	__asm__ volatile("1:\n\t"
			 TIMES(28, "add %[a], %[a], #1\n\t"
				   "add %[b], %[b], #1\n\t"
				   "add %[c], %[c], #1\n\t"
				   "add %[d], %[d], #1")
			 "subs %[times], %[times], #1\n\tb.ne 1b"
			 : [a] "+r"(a), [b] "+r"(b), [c] "+r"(c), [d] "+r"(d),
			   [times] "+r"(times) :: "cc");
	return end(ctx) - from;
}

static uint64_t adds(void *ctx, unsigned n, bool side_by_side)
{
	return side_by_side ? free_adds(ctx, n) : chained_adds(ctx, n);
}

static void walk_1(void **head, uint64_t times)
{
	void *a = head[0];

	__asm__ volatile("1:\n\t" TIMES(TIME_UNROLL, "ldr %[a], [%[a]]")
			 "subs %[times], %[times], #1\n\tb.ne 1b"
			 : [a] "+r"(a), [times] "+r"(times) :: "cc", "memory");
	head[0] = a;
}

static void walk_2(void **head, uint64_t times)
{
	void *a = head[0], *b = head[1];

	__asm__ volatile("1:\n\t"
			 TIMES(TIME_UNROLL, "ldr %[a], [%[a]]\n\t"
					    "ldr %[b], [%[b]]")
			 "subs %[times], %[times], #1\n\tb.ne 1b"
			 : [a] "+r"(a), [b] "+r"(b), [times] "+r"(times)
			 :: "cc", "memory");
	head[0] = a;
	head[1] = b;
}

static void walk_4(void **head, uint64_t times)
{
	void *a = head[0], *b = head[1], *c = head[2], *d = head[3];

	__asm__ volatile("1:\n\t"
			 TIMES(TIME_UNROLL, "ldr %[a], [%[a]]\n\t"
					    "ldr %[b], [%[b]]\n\t"
					    "ldr %[c], [%[c]]\n\t"
					    "ldr %[d], [%[d]]")
			 "subs %[times], %[times], #1\n\tb.ne 1b"
			 : [a] "+r"(a), [b] "+r"(b), [c] "+r"(c), [d] "+r"(d),
			   [times] "+r"(times) :: "cc", "memory");
	head[0] = a;
	head[1] = b;
	head[2] = c;
	head[3] = d;
}

static uint64_t chase(void *ctx, void **head, unsigned chains, uint64_t steps)
{
	const uint64_t times = steps / TIME_UNROLL;
	const uint64_t from = begin(ctx);

	if (chains == 1)
		walk_1(head, times);
	else if (chains == 2)
		walk_2(head, times);
	else
		walk_4(head, times);
	return end(ctx) - from;
}

/*
 * `wait` rounds of a loop, drawn at random, shift its phase against a coarse
 * counter, so that every phase is as likely as any other. The barrier behind it
 * lets nothing be loaded ahead.
 */
static inline uint32_t timed_load(void **where, uint64_t wait)
{
	uint64_t from, to;

	__asm__ volatile("1:\n\tsubs %[wait], %[wait], #1\n\tb.ne 1b\n\t"
			 "dsb ld\n\tisb\n\tmrs %[from], cntvct_el0\n\tisb\n\t"
			 "ldr %[at], [%[at]]\n\t"
			 "dsb ld\n\tisb\n\tmrs %[to], cntvct_el0\n\tisb"
			 : [to] "=&r"(to), [at] "+r"(*where),
			   [from] "=&r"(from), [wait] "+r"(wait)
			 :: "cc", "memory");
	return (uint32_t)(to - from);
}

static void each(void *ctx, void *const *list, void **head, unsigned n,
		 uint32_t *ticks)
{
	void *at = list ? NULL : *head;
	uint64_t seed = begin(ctx);

	for (unsigned i = 0; i < n; i++) {
		void *next = list ? list[i] : at;

		ticks[i] = timed_load(&next, 1 + draw_below(&seed, WAITS));
		at = next;
	}
	if (!list)
		*head = at;
}

static void flush(void *ctx, void *line)
{
	(void)ctx;
	__asm__ volatile("dc civac, %0\n\tdsb sy" :: "r"(line) : "memory");
}

const struct time_port time_native = {
	.begin = begin,
	.end = end,
	.adds = adds,
	.chase = chase,
	.each = each,
	.flush = flush,
};
