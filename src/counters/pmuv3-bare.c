/* SPDX-License-Identifier: MIT */
/* Where the code runs: on bare metal a register says it. */
#include "counters/pmuv3-sysreg.h"
#include "counters/pmuv3.h"

unsigned pmuv3_level(void)
{
	return (unsigned)(read_sysreg(CurrentEL) >> 2) & 3;
}
