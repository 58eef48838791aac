/* SPDX-License-Identifier: MIT */
/* Sets of CPUs. */
#include "base/cpulist.h"

#include <stdio.h>
#include <string.h>

#include "assay/error.h"

/* Takes digits off *text; CPULIST_CPUS or more: no number of a CPU. */
static unsigned read_number(const char **text)
{
	unsigned n = 0;

	if (**text < '0' || **text > '9')
		return CPULIST_CPUS;
	for (; **text >= '0' && **text <= '9'; ++*text)
		if (n < CPULIST_CPUS)
			n = n * 10 + (unsigned)(**text - '0');
	return n;
}

int cpulist_parse(struct cpulist *out, const char *text)
{
	struct cpulist list = { 0 };

	do {
		unsigned first = read_number(&text), last = first;

		if (*text == '-') {
			text++;
			last = read_number(&text);
		}
		if (last >= CPULIST_CPUS || first > last)
			return -ASSAY_EINVAL;
		for (unsigned cpu = first; cpu <= last; cpu++)
			cpulist_add(&list, cpu);
	} while (*text == ',' && text++);
	if (*text && strcmp(text, "\n"))
		return -ASSAY_EINVAL;
	*out = list;
	return 0;
}

bool cpulist_has(const struct cpulist *list, unsigned cpu)
{
	return cpu < CPULIST_CPUS && (list->bits[cpu / 64] >> cpu % 64 & 1);
}

static int hex_digit(char c)
{
	const char *const digits = "0123456789abcdef";
	const char *at = c ? strchr(digits, c) : NULL;

	return at ? (int)(at - digits) : -1;
}

int cpulist_parse_map(struct cpulist *out, const char *text)
{
	struct cpulist list = { 0 };
	size_t at = strcspn(text, "\n");
	unsigned cpu = 0;

	if (!at || text[at + (text[at] == '\n')])
		return -ASSAY_EINVAL;
	while (at--) {
		const int digit = hex_digit(text[at]);

		if (text[at] == ',')
			continue;
		if (digit < 0 || (digit && cpu >= CPULIST_CPUS))
			return -ASSAY_EINVAL;
		if (digit)
			list.bits[cpu / 64] |= (uint64_t)digit << cpu % 64;
		cpu += 4;
	}
	*out = list;
	return 0;
}

void cpulist_add(struct cpulist *list, unsigned cpu)
{
	if (cpu < CPULIST_CPUS)
		list->bits[cpu / 64] |= UINT64_C(1) << cpu % 64;
}

void cpulist_and(struct cpulist *list, const struct cpulist *other)
{
	for (size_t i = 0; i < CPULIST_CPUS / 64; i++)
		list->bits[i] &= other->bits[i];
}

unsigned cpulist_count(const struct cpulist *list)
{
	unsigned n = 0;

	for (size_t i = 0; i < CPULIST_CPUS / 64; i++)
		n += (unsigned)__builtin_popcountll(list->bits[i]);
	return n;
}

int cpulist_first(const struct cpulist *list)
{
	for (size_t i = 0; i < CPULIST_CPUS / 64; i++)
		if (list->bits[i])
			return (int)(64 * i) + __builtin_ctzll(list->bits[i]);
	return -1;
}

void cpulist_text(char *out, size_t room, const struct cpulist *list)
{
	size_t used = 0;

	*out = '\0';
	for (unsigned cpu = 0, last; cpu < CPULIST_CPUS; cpu = last + 1) {
		char range[16];
		int n;

		for (last = cpu; cpulist_has(list, last); last++)
			;
		if (last == cpu)
			continue;
		n = snprintf(range, sizeof(range), last - cpu > 1 ?
			     "%s%u-%u" : "%s%u", used ? "," : "", cpu,
			     last - 1);
		if (used + (size_t)n + sizeof(",...") > room) {
			snprintf(out + used, room - used, ",...");
			return;
		}
		memcpy(out + used, range, (size_t)n + 1);
		used += (size_t)n;
	}
}
