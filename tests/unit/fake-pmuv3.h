/* SPDX-License-Identifier: MIT */
/*
 * A PMUv3 in memory, behind the names that the driver uses: counters, filters,
 * traps and partitions as Arm DDI 0487 says, as far as the driver depends on
 * them. To be included before anything of counters/pmuv3*.
 */
#ifndef TEST_FAKE_PMUV3_H
#define TEST_FAKE_PMUV3_H

#include <stdbool.h>
#include <stdint.h>

#define FAKE_REGISTERS							\
	X(CurrentEL, 0) X(id_aa64pfr0_el1, 1) X(id_aa64dfr0_el1, 1)	\
	X(pmuserenr_el0, 0) X(pmcr_el0, 0) X(pmselr_el0, 0)		\
	X(pmceid0_el0, 0) X(pmceid1_el0, 0) X(pmcntenset_el0, 0)	\
	X(pmcntenclr_el0, 0) X(pmovsset_el0, 0) X(pmovsclr_el0, 0)	\
	X(pmintenset_el1, 1) X(pmintenclr_el1, 1) X(pmswinc_el0, 0)	\
	X(pmccntr_el0, 0) X(pmccfiltr_el0, 0) X(pmxevtyper_el0, 0)	\
	X(pmxevcntr_el0, 0) X(mdcr_el2, 2) X(mdcr_el3, 3) X(scr_el3, 3)

enum fake_register {
#define X(name, level) FAKE_##name,
	FAKE_REGISTERS
#undef X
	FAKE_COUNT
};

#define FAKE_MOST 31

struct fake {
	unsigned level, counters;
	bool has_el2, has_el3, wide;
	uint64_t reg[FAKE_COUNT];
	uint64_t type[FAKE_MOST], value[FAKE_MOST];
	uint64_t enabled, overflow, interrupts, cycles;
	bool selr_unsynced;
	unsigned wrong;		/* accesses that would trap or race */
	uint32_t broken;	/* counters that never count */
};

extern struct fake fake;

uint64_t fake_read(enum fake_register r);
void fake_write(enum fake_register r, uint64_t value);
void fake_sync(void);

/* Code runs at the core's level: n instructions in `cycles` cycles. */
void fake_run(uint64_t n, uint64_t cycles);

#define COUNTERS_PMUV3_SYSREG_H		/* in place of the real one */
#define read_sysreg(name) fake_read(FAKE_##name)
#define write_sysreg(name, value) fake_write(FAKE_##name, value)
#define sysreg_sync() fake_sync()

#endif
