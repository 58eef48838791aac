/* SPDX-License-Identifier: MIT */
/*
 * What Linux 6.12 makes of perf's modifier p (arch/x86/events/core.c,
 * intel/core.c, amd/core.c and amd/ibs.c there; drivers/perf/arm_pmu*.c).
 */
#include "events/explain/explain.h"
#include "tables/events/tables.h"

/* The code in place of r3c, cycles, for p and pp, and for ppp; r3c itself where
 * PEBS takes the event. */
static const struct alias { const char *pattern; uint64_t pp, ppp; } aliases[] = {
	{ "GenuineIntel-6-(2A|2D)", 0x108001c2, 0x108001c2 },
	{ "GenuineIntel-6-(3A|3C|3D|3E|3F|45|46|47|4F|56)", 0x108001c2,
	  0x108001c0 },
	{ "GenuineIntel-6-(4E|5E|8E|9E|A5|A6|55|55-[0-9A-F])", 0x108000c0,
	  0x108001c0 },
	{ "GenuineIntel-6-(6A|6C|7D|7E|8C|8D|A7|8F|CF|AD|AE|97|9A|B7|BA|BF|AA|"
	  "AC|B5|BD|C6|5C|5F|7A|86|96|9C|BE|AF|B6)", 0x3c, 0x3c },
};

static int intel(const struct subject *s, const struct cpu_match *match)
{
	const struct alias *known = NULL;
	uint64_t code = s->config;

	for (size_t i = 0; i < sizeof(aliases) / sizeof(aliases[0]); i++)
		if (table_pattern_matches(aliases[i].pattern, match))
			known = &aliases[i];
	if (!known)
		return explain_remark(s, "What Linux programs for p on this "
				      "CPU is not known here.");
	if (code_kept(s->layout, code) == 0x3c)
		code = s->precise > 2 ? known->ppp : known->pp;
	return explain_remark(s, "Linux refuses p for a count. For samples "
			      "Linux programs %sr%llx%s.",
			      code == s->config ? "the same code, " : "",
			      (unsigned long long)code,
			      code == s->config ? "" : ", another code");
}

static int amd(const struct subject *s)
{
	const bool ibs = s->config == 0x76 || s->config == 0xc1;

	return explain_remark(s, ibs && s->precise < 3 ?
			      "With p Linux hands this event to IBS, which "
			      "samples operations: the core's PMU does not "
			      "count the event." :
			      "Linux refuses p for this event: IBS, which takes "
			      "AMD's precise samples, has no such event.");
}

int explain_precise(const struct subject *s)
{
	const struct cpu *cpu = s->target->cpu;
	const struct cpu_match *match = cpu ? &cpu->match : s->target->match;
	int rc = explain_remark(s, "The modifier p asks for precise samples. "
				"assay takes no samples, and counts the event "
				"without p.");

	if (rc || !s->coded || !match)
		return rc;
	switch (s->layout) {
	case CODE_INTEL:
		return intel(s, match);
	case CODE_AMD:
		return amd(s);
	default:
		return explain_remark(s, "Linux's driver of this PMU does not "
				      "read p.");
	}
}
