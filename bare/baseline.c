/* SPDX-License-Identifier: MIT */
/*
 * Replacing the loops by stubs. Functions of the section assay_kernels begin at
 * multiples of 64 bytes (arch/count.h), so each multiple gets a branch to the
 * stub. A branch inside a longer loop is never reached.
 */
#include "baseline.h"

#include <stddef.h>

#define ALIGNMENT 64
#define MOST 512		/* places; 32 KiB of loops */

extern uint32_t image_loops[], image_loops_end[];
void baseline_stub(void);

uint64_t baseline_calls;

static uint32_t kept[MOST];

static size_t places(void)
{
	size_t bytes = (size_t)((uintptr_t)image_loops_end -
				(uintptr_t)image_loops);

	if (bytes > MOST * ALIGNMENT)
		__builtin_trap();
	return bytes / ALIGNMENT;
}

static uint32_t *place(size_t i)
{
	return image_loops + i * (ALIGNMENT / 4);
}

/* Makes the written instructions visible to instruction fetches. */
static void publish(void)
{
	for (size_t i = 0; i < places(); i++)
		__asm__ volatile("dc cvau, %0\n\tdsb ish\n\tic ivau, %0"
				 :: "r"(place(i)) : "memory");
	__asm__ volatile("dsb ish\n\tisb" ::: "memory");
}

void baseline_install(void)
{
	for (size_t i = 0; i < places(); i++) {
		uintptr_t offset = (uintptr_t)baseline_stub -
				   (uintptr_t)place(i);

		kept[i] = *place(i);
		*place(i) = 0x14000000u | (uint32_t)(offset >> 2 & 0x3ffffff);
	}
	publish();
	baseline_calls = 0;
}

void baseline_remove(void)
{
	for (size_t i = 0; i < places(); i++)
		*place(i) = kept[i];
	publish();
}
