/* SPDX-License-Identifier: MIT */
/*
 * The port to an AArch64 core: the virtual counter, and loops to time. That
 * counter runs at 24 MHz to 1 GHz; the clock's granule says how far single
 * loads can be told apart.
 */
#include "measure/time.h"

#include "kernels/draw.h"

#define ONE "#1"
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

static void flush(void *ctx, void *line)
{
	(void)ctx;
	__asm__ volatile("dc civac, %0\n\tdsb sy" :: "r"(line) : "memory");
}

#include "measure/time-loops.h"
