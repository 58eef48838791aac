/* SPDX-License-Identifier: MIT */
/*
 * What assay stat takes from outside, as any bytes: lists of CPUs, lines of a
 * control FIFO, and events in braces on a PMU of so many counters. Lists hold
 * what they say, lines end, and what is packed fits.
 */
#define _GNU_SOURCE
#include "fuzz.h"

#include <fcntl.h>
#include <unistd.h>

#include "stat/stat.h"
#include "base/cpulist.h"

static void parse_cpus(const uint8_t *data, size_t bytes)
{
	char *text = malloc(bytes + 1);
	struct cpulist list;
	unsigned n = 0;

	need(text);
	memcpy(text, data, bytes);
	text[bytes] = '\0';
	if (cpulist_parse(&list, text) == 0) {
		need(text[0] >= '0' && text[0] <= '9');
		for (unsigned cpu = 0; cpu < CPULIST_CPUS; cpu++)
			n += cpulist_has(&list, cpu);
		need(n > 0);
	}
	free(text);
}

/* As many answers as known lines, and then nothing more. */
static void read_lines(const uint8_t *data, size_t bytes)
{
	struct stat_control control = { .answers = -1 };
	size_t lines = 0, seen = 0;
	int fd[2];

	need(pipe2(fd, O_CLOEXEC | O_NONBLOCK) == 0);
	if (bytes > 4096)
		bytes = 4096;
	need(write(fd[1], data, bytes) == (ssize_t)bytes);
	for (size_t i = 0; i < bytes; i++)
		lines += data[i] == '\n';
	control.commands = fd[0];
	while (stat_control_next(&control) != STAT_NOTHING)
		seen++;
	need(seen == lines);
	need(control.used < sizeof(control.line));
	close(fd[0]);
	close(fd[1]);
}

struct pmu { unsigned counters, picky; };

static bool fits(void *ctx, const struct group *group, const unsigned *event,
		 unsigned n)
{
	const struct pmu *pmu = ctx;
	unsigned hardware = 0, picky = 0;

	need(n > 0 && n <= group->events);
	for (unsigned i = 0; i < n; i++) {
		need(event[i] < group->events);
		hardware += group->event[event[i]].family == ENCODING_RAW;
		picky += group->event[event[i]].config == pmu->picky;
	}
	return hardware <= pmu->counters && picky <= 1;
}

static void check_packing(const struct packing *p, const struct group *group,
			  const unsigned char *brace, struct pmu *pmu)
{
	unsigned in[ASSAY_EVENTS], n;

	need(p->sets >= 1 && p->sets <= ASSAY_EVENTS);
	for (unsigned s = 0; s < p->sets; s++) {
		n = 0;
		for (unsigned e = 0; e < group->events; e++)
			if (p->set[e] == s)
				in[n++] = e;
		need(n == 0 || fits(pmu, group, in, n));
	}
	for (unsigned e = 0; e < group->events; e++) {
		need(p->set[e] < p->sets || p->set[e] >= PACKING_NEVER);
		for (unsigned f = 0; f < e; f++)
			need(brace[e] == PACKING_LOOSE ||
			     brace[e] != brace[f] || p->set[e] == p->set[f]);
	}
}

static void pack(const uint8_t *data, size_t bytes)
{
	struct group *group = calloc(1, sizeof(*group));
	unsigned char brace[ASSAY_EVENTS];
	struct packing packing;
	struct pmu pmu;

	need(group);
	pmu = (struct pmu){ bytes ? data[0] % 9 : 4, bytes ? data[0] : 0 };
	for (size_t i = 1; i < bytes && group->events < ASSAY_EVENTS; i++) {
		struct encoding *e = &group->event[group->events];

		e->family = data[i] & 1 ? ENCODING_RAW : ENCODING_SOFTWARE;
		e->config = data[i];
		brace[group->events++] = data[i] & 2 ? PACKING_LOOSE :
						       data[i] >> 6;
	}
	packing_make(&packing, group, brace, fits, &pmu);
	check_packing(&packing, group, brace, &pmu);
	free(group);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
	parse_cpus(data, bytes);
	read_lines(data, bytes);
	pack(data, bytes);
	return 0;
}
