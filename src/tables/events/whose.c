/* SPDX-License-Identifier: MIT */
/* Whose a table is: by the patterns of mapfile.csv, or by known names. */
#include <ctype.h>
#include <regex.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "tables/events/tables.h"

static const struct known_cpu {
	const char *pattern, *names;
} known_cpus[] = {
#define KNOWN_CPU(pattern, names) { pattern, names },
#include "tables/events/known-cpus.def"
#undef KNOWN_CPU
};
#define KNOWN (sizeof(known_cpus) / sizeof(known_cpus[0]))

/* ---- patterns ---------------------------------------------------------- */

enum { PATTERN_BYTES = 128 };

/* The patterns are anybody's. Counted repetitions and references to groups
 * could take unbounded memory and time: such a pattern matches nothing. */
static bool compile(regex_t *out, const char *pattern)
{
	char text[PATTERN_BYTES + 8];

	if (!*pattern || strlen(pattern) >= PATTERN_BYTES ||
	    strpbrk(pattern, "{\\") || strstr(pattern, "++") ||
	    strstr(pattern, "**"))
		return false;
	snprintf(text, sizeof(text), "^(%s)$", pattern);
	return regcomp(out, text, REG_EXTENDED | REG_ICASE | REG_NOSUB) == 0;
}

static bool matches(const regex_t *regex, const char *text)
{
	return regexec(regex, text, 0, NULL, 0) == 0;
}

/* A pattern with a stepping wants one. */
static bool matches_model(const regex_t *regex, const struct cpu_match *m,
			  unsigned model)
{
	char text[64];

	snprintf(text, sizeof(text), "%s-%u-%X", m->vendor,
		 (unsigned)m->family, model);
	if (matches(regex, text))
		return true;
	for (unsigned i = 0; i < m->steppings; i++) {
		snprintf(text, sizeof(text), "%s-%u-%X-%X", m->vendor,
			 (unsigned)m->family, model, (unsigned)m->stepping[i]);
		if (matches(regex, text))
			return true;
	}
	return false;
}

/* A MIDR as Linux writes patterns: variant and revision 0. */
static bool matches_midr(const regex_t *regex, const struct cpu_match *m)
{
	char text[32];

	snprintf(text, sizeof(text), "0x%016llx",
		 (unsigned long long)(m->implementer << 24 | 0xf << 16 |
				      m->part << 4));
	return matches(regex, text);
}

bool table_pattern_matches(const char *pattern, const struct cpu_match *match)
{
	bool found = false;
	regex_t regex;

	if (!compile(&regex, pattern))
		return false;
	if (match->implementer)
		found = matches_midr(&regex, match);
	for (unsigned i = 0; i < match->models && !found; i++)
		found = matches_model(&regex, match,
				      (unsigned)match->model[i]);
	regfree(&regex);
	return found;
}

/* ---- names ------------------------------------------------------------- */

/* "cortex-a76" of "arm/cortex-a76". */
static const char *last_part(const char *table)
{
	const char *slash = strrchr(table, '/');

	return slash ? slash + 1 : table;
}

static bool in_words(const char *words, const char *name)
{
	const size_t bytes = strlen(name);

	for (; *words; words += strspn(words, " ")) {
		const size_t word = strcspn(words, " ");

		if (word == bytes && !strncasecmp(words, name, bytes))
			return true;
		words += word;
	}
	return false;
}

static bool has_name(const struct known_cpu *k, const struct table_cpu *cpu)
{
	for (const char *const *name = cpu->names; *name; name++)
		if (in_words(k->names, last_part(*name)))
			return true;
	return false;
}

static const struct known_cpu *find_known(const struct table_cpu *cpu)
{
	for (size_t i = 0; i < KNOWN; i++)
		if (has_name(&known_cpus[i], cpu))
			return &known_cpus[i];
	for (size_t i = 0; i < KNOWN && cpu->match; i++)
		if (table_pattern_matches(known_cpus[i].pattern, cpu->match))
			return &known_cpus[i];
	return NULL;
}

const char *table_known_names(const struct table_cpu *cpu)
{
	const struct known_cpu *k = find_known(cpu);

	return k ? k->names : NULL;
}

const char *table_known_pattern(const struct table_cpu *cpu)
{
	const struct known_cpu *k = find_known(cpu);

	return k ? k->pattern : NULL;
}

bool table_named_known(const char *table, const struct table_cpu *cpu,
		       const char *known)
{
	table = last_part(table);
	for (const char *const *name = cpu->names; *name; name++)
		if (text_equal(last_part(*name), table))
			return true;
	return known && in_words(known, table);
}

bool table_named(const char *table, const struct table_cpu *cpu)
{
	return table_named_known(table, cpu, table_known_names(cpu));
}
