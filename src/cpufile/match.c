/* SPDX-License-Identifier: MIT */
/* A table's pattern as the `match` of a CPU file; see match.h. */
#include "cpufile/match.h"

#include <stdio.h>
#include <string.h>

enum { MODELS = 256 };

static bool is_model(const char *pattern, struct cpu_match *m, unsigned model)
{
	m->models = 1;
	m->model[0] = model;
	m->steppings = CPU_MATCHES;
	for (unsigned i = 0; i < CPU_MATCHES; i++)
		m->stepping[i] = i;
	return table_pattern_matches(pattern, m);
}

/* "GenuineIntel-6-": the vendor and the family, in decimal. */
static bool match_x86(struct cpu_match *out, const char *pattern)
{
	static const char *const vendors[] = { "GenuineIntel", "AuthenticAMD" };
	struct cpu_match found = { .vendor = "" }, trial;
	unsigned family, models = 0;

	for (int i = 0; i < 2; i++)
		if (!strncmp(pattern, vendors[i], strlen(vendors[i])))
			found.vendor = vendors[i];
	if (!*found.vendor ||
	    sscanf(pattern + strlen(found.vendor), "-%u-", &family) != 1)
		return false;
	found.family = family;
	trial = found;
	for (unsigned m = 0; m < MODELS; m++)
		if (is_model(pattern, &trial, m) && models++ < CPU_MATCHES)
			found.model[models - 1] = m;
	found.models = models > CPU_MATCHES ? 0 : models;
	*out = found;
	return true;
}

bool match_of_pattern(struct cpu_match *out, const char *pattern)
{
	unsigned long long midr;

	if (!pattern || !*pattern)
		return false;
	if (sscanf(pattern, "0x%llx", &midr) != 1)
		return match_x86(out, pattern);
	*out = (struct cpu_match){ .implementer = midr >> 24 & 0xff,
				   .part = midr >> 4 & 0xfff, .vendor = "" };
	return true;
}

const char *match_pattern(const struct event_tables *tables,
			  const struct table_cpu *cpu)
{
	const char *known = table_known_pattern(cpu);

	return known && *known ? known : event_tables_pattern(tables, cpu);
}
