/* SPDX-License-Identifier: MIT */
/* Does a saved count's code count what its name says? */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "events/explain.h"

static enum code_layout layout_of(const struct cpu *cpu)
{
	if (cpu->geometry.isa == ISA_AARCH64)
		return CODE_PMUV3;
	return strcmp(cpu->match.vendor, "AuthenticAMD") ? CODE_INTEL :
							   CODE_AMD;
}

/* "r1e42" or "0x1e42": the codes of core PMUs. */
static bool parse(uint64_t *out, const char *code)
{
	const char *digits = code[0] == 'r' ? code + 1 :
			     !strncmp(code, "0x", 2) ? code + 2 : NULL;
	char *end;

	if (!digits || !*digits || strlen(digits) > 16)
		return false;
	*out = strtoull(digits, &end, 16);
	return !*end;
}

static void name_of(char out[ASSAY_NAME], const struct subject *s)
{
	const struct cpu_event *e = cpu_event_coded(s->target->cpu,
		explain_base(s->layout, s->config));

	explain_stem(out, s);
	if (e)
		snprintf(out, ASSAY_NAME, "%s", e->name);
	else if (!*out)
		snprintf(out, ASSAY_NAME, "no event that is known");
}

bool events_misprogrammed(char *why, size_t room, const struct cpu *cpu,
			  const char *name, const char *code)
{
	const struct events_target target = { .target = EVENTS_SIM,
					      .cpu = cpu };
	const struct cpu_event *meant = cpu_event_find(cpu, name);
	struct subject s = { .target = &target, .layout = layout_of(cpu) };
	char counted[ASSAY_NAME];
	uint64_t plain, kept;

	if (!meant || !parse(&s.config, code))
		return false;
	kept = code_kept(s.layout, s.config);
	plain = explain_base(s.layout, kept);
	if (s.layout != CODE_PMUV3)
		plain &= ~((uint64_t)explain_idle_bits(&s) << 8);
	if (plain == meant->code && explain_base(s.layout, kept) == kept)
		return false;
	if (plain == meant->code) {
		snprintf(why, room, "counted with %s: its edge, inv or cmask "
			 "make it count something else than %s, which is "
			 "r%llx", code, name, (unsigned long long)meant->code);
		return true;
	}
	name_of(counted, &s);
	snprintf(why, room, "counted with %s, which on %s is %s; %s is r%llx",
		 code, cpu->name, counted, name,
		 (unsigned long long)meant->code);
	return true;
}
