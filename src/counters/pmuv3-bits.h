/* SPDX-License-Identifier: MIT */
/*
 * Bits of the PMUv3 registers (Arm DDI 0487), and reading and writing single
 * event counters by PMSELR_EL0.
 */
#ifndef COUNTERS_PMUV3_BITS_H
#define COUNTERS_PMUV3_BITS_H

#include "counters/pmuv3-sysreg.h"

#define BIT(n) (UINT64_C(1) << (n))

#define PMCR_E		BIT(0)	/* enable */
#define PMCR_D		BIT(3)	/* count every 64th cycle */
#define PMCR_LC		BIT(6)	/* the cycle counter has 64 bits */
#define PMCR_LP		BIT(7)	/* event counters have, too (PMUv3p5) */
#define PMCR_N(pmcr)	((unsigned)((pmcr) >> 11) & 31)

/* PMEVTYPER<n>_EL0 and PMCCFILTR_EL0 */
#define FILTER_P	BIT(31)	/* do not count at EL1 */
#define FILTER_U	BIT(30)	/* do not count at EL0 */
#define FILTER_NSH	BIT(27)	/* count at EL2 */
#define FILTER_M	BIT(26)	/* count at EL3 if equal to P */

#define MDCR_EL3_SPME	BIT(17)	/* count in Secure state */
#define MDCR_EL3_TPM	BIT(6)	/* trap PMU accesses */
#define MDCR_EL2_HPMN	UINT64_C(31)	/* counters left to EL1 and EL0 */
#define MDCR_EL2_TPMCR	BIT(5)
#define MDCR_EL2_TPM	BIT(6)
#define MDCR_EL2_HPME	BIT(7)	/* enables EL2's own counters */
#define MDCR_EL2_HPMD	BIT(17)	/* do not count at EL2 */

#define SCR_EL3_NS	BIT(0)

#define PMUSERENR_EN	BIT(0)

/* ID_AA64DFR0_EL1.PMUVer */
#define PMUVER_P5	6
#define PMUVER_NONE	15

#define EVENT_SW_INCR	0x00
#define EVENT_CPU_CYCLES 0x11

static inline void counter_select(unsigned counter)
{
	write_sysreg(pmselr_el0, counter);
	sysreg_sync();
}

static inline uint64_t counter_read(unsigned counter)
{
	counter_select(counter);
	return read_sysreg(pmxevcntr_el0);
}

static inline void counter_write(unsigned counter, uint64_t value)
{
	counter_select(counter);
	write_sysreg(pmxevcntr_el0, value);
}

static inline uint64_t counter_type(unsigned counter)
{
	counter_select(counter);
	return read_sysreg(pmxevtyper_el0);
}

static inline void counter_set_type(unsigned counter, uint64_t type)
{
	counter_select(counter);
	write_sysreg(pmxevtyper_el0, type);
}

#endif
