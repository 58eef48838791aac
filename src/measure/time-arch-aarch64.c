/* SPDX-License-Identifier: MIT */
/*
 * The ports to an AArch64 core. time_native reads the virtual counter, which
 * runs at 24 MHz to 1 GHz: its granule limits how well times of single loads
 * can be distinguished. time_cycles stamps single loads with the cycle counter,
 * where the Linux kernel lets user space read it. All else is timed with the
 * virtual counter: the cycle counter stands still while other threads run.
 */
#include "measure/time.h"

#include "kernels/draw.h"

#define ONE "#1"
#define STAMP_NAME "the generic timer"
#define ADD(to, what) "add %[" to "], %[" to "], " what "\n\t"
#define LOAD(at) "ldr %[" at "], [%[" at "]]\n\t"
#define NEXT(times) "subs %[" times "], %[" times "], #1\n\tb.ne 1b"

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

/*
 * `wait` rounds of a loop, drawn at random, delay the load, so that every phase
 * of a coarse counter is equally likely. The barrier behind the loop lets no
 * load execute early.
 */
#define TIMED_LOAD(counter, ticks, at, wait) do {			\
	uint64_t from, to;						\
									\
	__asm__ volatile("1:\n\tsubs %[left], %[left], #1\n\tb.ne 1b\n\t" \
			 "dsb ld\n\tisb\n\tmrs %[t0], " counter		\
			 "\n\tisb\n\tldr %[to], [%[to]]\n\t"		\
			 "dsb ld\n\tisb\n\tmrs %[t1], " counter		\
			 "\n\tisb"					\
			 : [t1] "=&r"(to), [to] "+r"(at),		\
			   [t0] "=&r"(from), [left] "+r"(wait)		\
			 :: "cc", "memory");				\
	(ticks) = (uint32_t)(to - from);				\
} while (0)

static inline uint32_t timed_load(void **where, uint64_t wait)
{
	uint32_t ticks;

	TIMED_LOAD("cntvct_el0", ticks, *where, wait);
	return ticks;
}

static inline uint32_t cycled_load(void **where, uint64_t wait)
{
	uint32_t ticks;

	TIMED_LOAD("pmccntr_el0", ticks, *where, wait);
	return ticks;
}

static void flush(void *ctx, void *line)
{
	(void)ctx;
	__asm__ volatile("dc civac, %0\n\tdsb sy" :: "r"(line) : "memory");
}

#include "measure/time-loops.h"

static uint64_t cycles(void *ctx)
{
	const struct time_stamps *s = ctx;
	uint64_t now;

	if (!s->ready(s->ctx))
		return 0;
	__asm__ volatile("dsb ld\n\tisb\n\tmrs %0, pmccntr_el0\n\tisb"
			 : "=r"(now) :: "memory");
	return now;
}

static void each_in_cycles(void *ctx, void *const *list, void **head,
			   unsigned n, uint32_t *ticks)
{
	const struct time_stamps *s = ctx;
	const bool ready = s->ready(s->ctx);
	void *at = list ? NULL : *head;
	uint64_t seed = begin(NULL);

	for (unsigned i = 0; i < n; i++) {
		void *next = list ? list[i] : at;

		if (ready) {
			ticks[i] = cycled_load(&next,
					       1 + draw_below(&seed, WAITS));
		} else {
			next = *(void *volatile *)next;
			ticks[i] = UINT32_MAX;
		}
		at = next;
	}
	if (!list)
		*head = at;
}

static const struct time_port in_cycles = {
	.begin = begin,
	.end = end,
	.adds = adds,
	.chase = chase,
	.each = each_in_cycles,
	.serial = serial,
	.flush = flush,
	.stamp = cycles,
	.stamp_name = "the cycle counter (PMCCNTR)",
};

const struct time_port *const time_cycles = &in_cycles;
