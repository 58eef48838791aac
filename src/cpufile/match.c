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

/* The steppings of a pattern that names some, "GenuineIntel-6-55-[01234]". */
static void match_steppings(struct cpu_match *out, const char *pattern)
{
	struct cpu_match trial = *out;

	trial.steppings = 0;
	if (!out->models || table_pattern_matches(pattern, &trial))
		return;
	trial.steppings = 1;
	for (unsigned i = 0; i < CPU_MATCHES; i++) {
		trial.stepping[0] = i;
		if (table_pattern_matches(pattern, &trial))
			out->stepping[out->steppings++] = i;
	}
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
	match_steppings(&found, pattern);
	*out = found;
	return true;
}

static bool match_of_pattern(struct cpu_match *out, const char *pattern)
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

bool match_find(struct cpu_match *out, const struct event_tables *tables,
		const struct table_cpu *cpu)
{
	struct cpu_match own;
	const bool known = match_of_pattern(out, table_known_pattern(cpu));
	const bool found = tables && match_of_pattern(&own,
					event_tables_pattern(tables, cpu));

	if (found && (!known || !own.models))
		*out = own;
	return known || found;
}

bool match_is_32_bit(const struct cpu_match *m)
{
	const uint64_t armv8 = 0xd00, a32 = 0xd01, r52 = 0xd13;

	return m->implementer == 0x41 &&
	       (m->part < armv8 || m->part == a32 || m->part == r52);
}
