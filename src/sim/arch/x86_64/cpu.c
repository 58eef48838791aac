/* SPDX-License-Identifier: MIT */
/* Asks the CPU which vectors it has, and whether the system saves them. */
#include <cpuid.h>

#include "sim/arch/x86_64/units.h"

#define STATE_AVX 0x06		/* XCR0: SSE and AVX */
#define STATE_AVX512 0xe6	/* and the three parts of AVX-512 */

static unsigned saved_state(void)
{
	unsigned low, high;

	__asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
	return low;
}

static bool has(unsigned word, unsigned bits)
{
	return (word & bits) == bits;
}

/* How many of the engines below this machine can run. */
static unsigned runnable(void)
{
	unsigned a, b, c, d, saved;

	if (!__get_cpuid(1, &a, &b, &c, &d) ||
	    !has(c, bit_OSXSAVE | bit_AVX | bit_POPCNT))
		return 1;
	saved = saved_state();
	if (!has(saved, STATE_AVX) || !__get_cpuid_count(7, 0, &a, &b, &c, &d))
		return 1;
	if (!has(b, bit_AVX2 | bit_BMI | bit_BMI2))
		return 1;
	return has(saved, STATE_AVX512) &&
	       has(b, bit_AVX512F | bit_AVX512VL | bit_AVX512BW |
		      bit_AVX512DQ) ? 3 : 2;
}

const struct engine *engine_best(unsigned but)
{
	static const struct engine *const engine[] = {
		&engine_portable, &engine_avx2, &engine_avx512
	};
	const unsigned n = runnable();

	return but < n ? engine[n - 1 - but] : NULL;
}
