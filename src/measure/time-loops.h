/* SPDX-License-Identifier: MIT */
/*
 * The port to a core: the loops that are timed. Part of time-arch-<isa>.c, which
 * has before it what differs between instruction sets:
 *
 *  begin() end()	stamps before and after what is timed
 *  timed_load()	one load between two stamps
 *  flush()		a line out of all caches
 *  ADD(to, what)	an addition to a register, ONE: of 1
 *  LOAD(at)		a load of what the register points to into it
 *  NEXT(times)	one round less, and back to label 1 while any is left
 *  STAMP_NAME	the name of the counter, if there is another one
 */
#define CAT(a) #a
#define TEXT(a) CAT(a)
#define TIMES(n, text) ".rept " TEXT(n) "\n\t" text ".endr\n\t"

#define WAITS 64	/* rounds before a timed load, at most */

/* Register adds: one per cycle and chain on every core known. */
static uint64_t chained_adds(void *ctx, unsigned n)
{
	uint64_t x = 0, y = 1, times = n / 100;
	const uint64_t from = begin(ctx);

	__asm__ volatile("1:\n\t" TIMES(100, ADD("x", "%[y]"))
			 NEXT("times")
			 : [x] "+r"(x), [times] "+r"(times) : [y] "r"(y)
			 : "cc");
	return end(ctx) - from;
}

static uint64_t free_adds(void *ctx, unsigned n)
{
	uint64_t a = 0, b = 0, c = 0, d = 0, times = n / 112;
	const uint64_t from = begin(ctx);

	__asm__ volatile("1:\n\t"
			 TIMES(28, ADD("a", ONE) ADD("b", ONE)
				   ADD("c", ONE) ADD("d", ONE))
			 NEXT("times")
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

	__asm__ volatile("1:\n\t" TIMES(TIME_UNROLL, LOAD("a"))
			 NEXT("times")
			 : [a] "+r"(a), [times] "+r"(times) :: "cc", "memory");
	head[0] = a;
}

static void walk_2(void **head, uint64_t times)
{
	void *a = head[0], *b = head[1];

	__asm__ volatile("1:\n\t"
			 TIMES(TIME_UNROLL, LOAD("a") LOAD("b"))
			 NEXT("times")
			 : [a] "+r"(a), [b] "+r"(b), [times] "+r"(times)
			 :: "cc", "memory");
	head[0] = a;
	head[1] = b;
}

static void walk_4(void **head, uint64_t times)
{
	void *a = head[0], *b = head[1], *c = head[2], *d = head[3];

	__asm__ volatile("1:\n\t"
			 TIMES(TIME_UNROLL, LOAD("a") LOAD("b")
					    LOAD("c") LOAD("d"))
			 NEXT("times")
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

/* No address is changed by what was loaded, but no compiler or core knows. */
static uint64_t serial(void *ctx, void *const *list, unsigned n)
{
	const uint64_t from = begin(ctx);
	uintptr_t loaded = 0, nothing = 0;

	__asm__ volatile("" : "+r"(nothing));
	for (unsigned i = 0; i < n; i++)
		loaded = *(const volatile uintptr_t *)((uintptr_t)list[i] +
						       (loaded & nothing));
	return end(ctx) - from;
}

const struct time_port time_native = {
	.begin = begin,
	.end = end,
	.adds = adds,
	.chase = chase,
	.each = each,
	.serial = serial,
	.flush = flush,
#ifdef STAMP_NAME
	.stamp_name = STAMP_NAME,
#endif
};
