/* SPDX-License-Identifier: MIT */
/* Sets of CPUs. */
#include "base/cpulist.h"

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
			list.bits[cpu / 64] |= UINT64_C(1) << cpu % 64;
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
