/* SPDX-License-Identifier: MIT */
/*
 * AArch64: no register tells user space how many counters there are. Each
 * counter is a register with a name of its own; user space may read it if
 * kernel.perf_user_access is 1 and the event asked for it.
 */
#include "counters/perf-group.h"
#include "counters/perf-user.h"
#include "counters/pmuv3.h"

#define CYCLE_COUNTER 31
#define ASK_FOR_USER_ACCESS 2	/* config1: rdpmc, see armv8 format/rdpmc */

bool perf_arch_leaf_a(uint32_t *eax, uint32_t *ebx, uint32_t *edx)
{
	(void)eax;
	(void)ebx;
	(void)edx;
	return false;
}

#define READ(n)								\
	case n:								\
		__asm__ volatile("mrs %0, pmevcntr" #n "_el0"		\
				 : "=r"(value));			\
		break;

uint64_t perf_arch_counter(uint32_t index)
{
	uint64_t value = 0;

	__asm__ volatile("isb" ::: "memory");
	switch (index) {
	READ(0) READ(1) READ(2) READ(3) READ(4) READ(5) READ(6) READ(7)
	READ(8) READ(9) READ(10) READ(11) READ(12) READ(13) READ(14) READ(15)
	READ(16) READ(17) READ(18) READ(19) READ(20) READ(21) READ(22)
	READ(23) READ(24) READ(25) READ(26) READ(27) READ(28) READ(29)
	READ(30)
	case CYCLE_COUNTER:
		__asm__ volatile("mrs %0, pmccntr_el0" : "=r"(value));
		break;
	}
	return value;
}

uint64_t perf_arch_user_config1(void)
{
	return ASK_FOR_USER_ACCESS;
}

/* Programs of an operating system run at EL0. */
unsigned pmuv3_level(void)
{
	return 0;
}
