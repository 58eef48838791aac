/* SPDX-License-Identifier: MIT */
/*
 * The PMUv3 of AArch64 cores, programmed register by register (Arm DDI 0487,
 * chapter D13). Freestanding; at EL1, EL2 and EL3, and at EL0 where the
 * operating system leaves the registers to programs (PMUSERENR_EL0.EN).
 */
#ifndef COUNTERS_PMUV3_H
#define COUNTERS_PMUV3_H

#include <stdbool.h>
#include <stdint.h>

#include "counters/provider.h"

#define PMUV3_COUNTERS 31
#define PMUV3_CYCLES 31		/* the cycle counter's bit in every mask */

/* X(name, word): set-up mistakes that open() can make on purpose, to test
 * whether they are diagnosed. */
#define PMUV3_MISTAKES							\
	X(SPME_OFF, "spme-off")		/* MDCR_EL3.SPME */		\
	X(NSH_MISSING, "nsh-missing")	/* PMEVTYPER<n>_EL0.NSH */	\
	X(HPMN_0, "hpmn-0")		/* MDCR_EL2.HPMN */		\
	X(OVERFLOW, "overflow")		/* counters start near their end */ \
	X(OVERFLOW_LOST, "overflow-lost")	/* and the flag is cleared */

enum pmuv3_mistake {
	PMUV3_NO_MISTAKE,
#define X(name, word) PMUV3_##name,
	PMUV3_MISTAKES
#undef X
};

/* provider_config.pmuv3; NULL: no mistake is planted. */
struct pmuv3_setup {
	enum pmuv3_mistake planted;
};

/* What the registers say of the PMU; see pmuv3_identify(). */
struct pmuv3_identity {
	unsigned level;		/* exception level of the caller, 0 to 3 */
	unsigned version;	/* ID_AA64DFR0_EL1.PMUVer; 0 at EL0: hidden */
	unsigned counters;	/* PMCR_EL0.N as read at this level */
	bool has_el2, has_el3;
	uint64_t exists[2];	/* PMCEID0_EL0, PMCEID1_EL0 */
};

void pmuv3_identify(struct pmuv3_identity *out);

/* 1: the core has the event, 0: it has not, -1: PMCEID does not cover it. */
int pmuv3_exists(const struct pmuv3_identity *id, uint64_t event);

/*
 * Why an enabled counter (PMUV3_CYCLES: the cycle counter) does not count: the
 * mistake by name, and its cure. Never NULL; static.
 */
const char *pmuv3_diagnose(const struct pmuv3_identity *id, unsigned counter);

/* The exception level of the caller: pmuv3-bare.c in images, arch-aarch64.c in
 * programs of an operating system. */
unsigned pmuv3_level(void);

#endif
