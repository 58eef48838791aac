/* SPDX-License-Identifier: MIT */
/* The port to an x86-64 core: the time-stamp counter, and loops to time. */
#include "measure/time.h"

#include "kernels/draw.h"

#define WAITS 64	/* cycles, at most */

#define CAT(a) #a
#define TEXT(a) CAT(a)
#define TIMES(n, text) ".rept " TEXT(n) "\n\t" text "\n\t.endr\n\t"

static uint64_t begin(void *ctx)
{
	uint32_t low, high;

	(void)ctx;
	__asm__ volatile("lfence\n\trdtsc\n\tlfence"
			 : "=a"(low), "=d"(high) :: "memory");
	return (uint64_t)high << 32 | low;
}

static uint64_t end(void *ctx)
{
	uint32_t low, high;

	(void)ctx;
	__asm__ volatile("rdtscp\n\tlfence"
			 : "=a"(low), "=d"(high) :: "rcx", "memory");
	return (uint64_t)high << 32 | low;
}

/* Register adds: one per cycle and chain on every core known. */
static uint64_t chained_adds(void *ctx, unsigned n)
{
	uint64_t x = 0, y = 1, times = n / 100;
	const uint64_t from = begin(ctx);

	__asm__ volatile("1:\n\t" TIMES(100, "addq %[y], %[x]")
			 "decq %[times]\n\tjnz 1b"
			 : [x] "+r"(x), [times] "+r"(times) : [y] "r"(y)
			 : "cc");
	return end(ctx) - from;
}

static uint64_t free_adds(void *ctx, unsigned n)
{
	uint64_t a = 0, b = 0, c = 0, d = 0, times = n / 112;
	const uint64_t from = begin(ctx);

	__asm__ volatile("1:\n\t"
			 TIMES(28, "addq $1, %[a]\n\taddq $1, %[b]\n\t"
				   "addq $1, %[c]\n\taddq $1, %[d]")
			 "decq %[times]\n\tjnz 1b"
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

	__asm__ volatile("1:\n\t" TIMES(TIME_UNROLL, "movq (%[a]), %[a]")
			 "decq %[times]\n\tjnz 1b"
			 : [a] "+r"(a), [times] "+r"(times) :: "cc", "memory");
	head[0] = a;
}

static void walk_2(void **head, uint64_t times)
{
	void *a = head[0], *b = head[1];

	__asm__ volatile("1:\n\t"
			 TIMES(TIME_UNROLL, "movq (%[a]), %[a]\n\t"
					    "movq (%[b]), %[b]")
			 "decq %[times]\n\tjnz 1b"
			 : [a] "+r"(a), [b] "+r"(b), [times] "+r"(times)
			 :: "cc", "memory");
	head[0] = a;
	head[1] = b;
}

static void walk_4(void **head, uint64_t times)
{
	void *a = head[0], *b = head[1], *c = head[2], *d = head[3];

	__asm__ volatile("1:\n\t"
			 TIMES(TIME_UNROLL, "movq (%[a]), %[a]\n\t"
					    "movq (%[b]), %[b]\n\t"
					    "movq (%[c]), %[c]\n\t"
					    "movq (%[d]), %[d]")
			 "decq %[times]\n\tjnz 1b"
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
 * The load waits for the first stamp by the fence, the second stamp waits for
 * the load. `wait` rounds of a loop before it shift its phase against a counter
 * that moves in steps coarser than a cycle; drawn at random, every phase is as
 * likely as any other, whatever is timed. That its branch is mispredicted does
 * no harm: the fence lets nothing be loaded ahead.
 */
static inline uint32_t timed_load(void **where, uint64_t wait)
{
	uint32_t ticks, from;

	__asm__ volatile("1:\n\tdecq %[wait]\n\tjnz 1b\n\t"
			 "lfence\n\t"
			 "rdtscp\n\tmovl %%eax, %[from]\n\tlfence\n\t"
			 "movq (%[at]), %[at]\n\t"
			 "rdtscp\n\tsubl %[from], %%eax\n\tlfence"
			 : "=&a"(ticks), [at] "+r"(*where),
			   [from] "=&r"(from), [wait] "+r"(wait)
			 :: "rcx", "rdx", "cc", "memory");
	return ticks;
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
	__asm__ volatile("clflush (%0)" :: "r"(line) : "memory");
}

const struct time_port time_native = {
	.begin = begin,
	.end = end,
	.adds = adds,
	.chase = chase,
	.each = each,
	.flush = flush,
};
