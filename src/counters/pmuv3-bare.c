/* SPDX-License-Identifier: MIT */
/* The exception level of bare-metal code, by register. */
#include "counters/pmuv3-sysreg.h"
#include "counters/pmuv3.h"

unsigned pmuv3_level(void)
{
	return (unsigned)(read_sysreg(CurrentEL) >> 2) & 3;
}
