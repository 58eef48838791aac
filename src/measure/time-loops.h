/* SPDX-License-Identifier: MIT */
/*
 * The timed loops of time_native, as part of time-arch-<isa>.c, which defines
 * before this what differs between instruction sets:
 *
 *  begin() end()	the counter before and after the timed code
 *  timed_load()	one load between two readings of the counter
 *  flush()		evicts a line from all caches
 *  ADD(to, what)	adds `what` to register `to`; ONE: the constant 1
 *  LOAD(at)		loads the pointer at register `at` into the register
 *  NEXT(times)	counts down; back to label 1 while any round is left
 *  STAMP_NAME	the name of the counter, if the ISA has another one
 */
#define CAT(a) #a
#define TEXT(a) CAT(a)
#define TIMES(n, text) ".rept " TEXT(n) "\n\t" text ".endr\n\t"

#define WAITS 64	/* rounds that delay a timed load, at most */

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

static void chase_1(void **head, uint64_t times)
{
	void *a = head[0];

	__asm__ volatile("1:\n\t" TIMES(TIME_UNROLL, LOAD("a"))
			 NEXT("times")
			 : [a] "+r"(a), [times] "+r"(times) :: "cc", "memory");
	head[0] = a;
}

static void chase_2(void **head, uint64_t times)
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

static void chase_4(void **head, uint64_t times)
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
		chase_1(head, times);
	else if (chains == 2)
		chase_2(head, times);
	else
		chase_4(head, times);
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

/*
 * Each address depends on the data loaded before. `loaded & nothing` is 0, but
 * neither the compiler nor the core knows.
 */
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
