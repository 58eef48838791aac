/* SPDX-License-Identifier: MIT */
/*
 * Identifying the PMU, and finding out why a counter does not count. Every
 * register is read only at the levels that may read it: MDCR_EL3 and SCR_EL3 at
 * EL3, MDCR_EL2 at EL2 and above.
 */
#include "counters/pmuv3-bits.h"
#include "counters/pmuv3.h"

void pmuv3_identify(struct pmuv3_identity *out)
{
	uint64_t pfr;

	*out = (struct pmuv3_identity){ .level = pmuv3_level() };
	if (out->level) {
		pfr = read_sysreg(id_aa64pfr0_el1);
		out->has_el2 = pfr >> 8 & 15;
		out->has_el3 = pfr >> 12 & 15;
		out->version = read_sysreg(id_aa64dfr0_el1) >> 8 & 15;
		if (!out->version || out->version == PMUVER_NONE)
			return;
	}
	out->counters = PMCR_N(read_sysreg(pmcr_el0));
	out->exists[0] = read_sysreg(pmceid0_el0);
	out->exists[1] = read_sysreg(pmceid1_el0);
}

int pmuv3_exists(const struct pmuv3_identity *id, uint64_t event)
{
	uint64_t low = event & 0x3f;

	if (event >= 0x40 && (event < 0x4000 || event > 0x403f))
		return -1;
	return id->exists[low >> 5] >>
	       ((low & 31) + (event >= 0x4000 ? 32 : 0)) & 1;
}

static uint64_t filter_of(unsigned counter)
{
	return counter == PMUV3_CYCLES ? read_sysreg(pmccfiltr_el0) :
					 counter_type(counter);
}

static const char *secure(const struct pmuv3_identity *id, unsigned counter)
{
	uint64_t mdcr = read_sysreg(mdcr_el3);

	(void)id;
	if (counter != PMUV3_CYCLES && !(mdcr & MDCR_EL3_SPME) &&
	    !(read_sysreg(scr_el3) & SCR_EL3_NS))
		return "SPME off: MDCR_EL3.SPME is 0, so nothing is counted in "
		       "Secure state; set bit 17";
	return NULL;
}

static const char *partition(const struct pmuv3_identity *id, unsigned counter)
{
	uint64_t mdcr = read_sysreg(mdcr_el2);
	unsigned left = (unsigned)(mdcr & MDCR_EL2_HPMN);

	if (counter != PMUV3_CYCLES && counter >= left &&
	    !(mdcr & MDCR_EL2_HPME))
		return left ? "HPMN too small: MDCR_EL2.HPMN reserves this "
			      "counter for EL2, and HPME is 0; set HPMN to "
			      "PMCR_EL0.N" :
			      "HPMN 0: MDCR_EL2.HPMN reserves all counters for "
			      "EL2, and HPME is 0; set HPMN to PMCR_EL0.N";
	if (id->level == 2 && counter < left && mdcr & MDCR_EL2_HPMD)
		return "HPMD on: MDCR_EL2.HPMD forbids counting at EL2; clear "
		       "bit 17";
	return NULL;
}

static const char *filter(const struct pmuv3_identity *id, unsigned counter)
{
	uint64_t type = filter_of(counter);

	if (id->level == 2 && !(type & FILTER_NSH))
		return "NSH missing: the counter's filter leaves EL2 out; set "
		       "bit 27 of PMEVTYPER<n>_EL0 or PMCCFILTR_EL0";
	if (id->level == 3 && !(type & FILTER_M) != !(type & FILTER_P))
		return "M differs from P: the counter's filter leaves EL3 out";
	if ((id->level == 1 && type & FILTER_P) ||
	    (id->level == 0 && type & FILTER_U))
		return "P or U set: the counter's filter leaves this level "
		       "out";
	return NULL;
}

const char *pmuv3_diagnose(const struct pmuv3_identity *id, unsigned counter)
{
	const char *why = NULL;

	if (!id->counters && counter != PMUV3_CYCLES)
		return id->level < 2 ?
		       "HPMN 0: PMCR_EL0.N is 0, EL2 keeps all counters "
		       "(MDCR_EL2.HPMN) or there are none" :
		       "PMCR_EL0.N is 0: this core has no event counters";
	if (id->level == 3)
		why = secure(id, counter);
	if (!why && id->level >= 2 && id->has_el2)
		why = partition(id, counter);
	if (!why)
		why = filter(id, counter);
	return why ? why : "the counter stands still while PMSWINC_EL0 is "
			   "written, and no register tells why";
}
