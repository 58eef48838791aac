/* SPDX-License-Identifier: MIT */
/*
 * likwid-perfctr -o FILE.csv: tables, padded with commas. Of each group, and of
 * each marked region, the table "Raw" has the counts of each thread:
 *
 *	TABLE,Region sum,Group 1 Raw,L3,3
 *	Region Info,HWThread 0,HWThread 1
 *	RDTSC Runtime [s],0.1,0.1
 *	Event,Counter,HWThread 0,HWThread 1
 *	INSTR_RETIRED_ANY,FIXC0,4711,17
 *
 * Each group is counted in its own slice of the time, so that the counts of
 * several groups are estimates. Tables of sums and of metrics are passed over.
 */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "store/foreign/reader.h"

#define THREADS 1024

struct likwid {
	char region[128], group[64];
	char thread[THREADS][16];
	unsigned threads;
	bool raw, events;	/* in a table of counts; behind its heading */
	bool several;		/* groups */
	bool begun;
};

bool foreign_likwid_begins(const char *text, size_t bytes)
{
	(void)bytes;
	return reader_has_line(text, "TABLE,") && strstr(text, " Raw,") &&
	       strstr(text, "\nEvent,Counter,");
}

static bool is_raw(const char *field)
{
	unsigned group;
	int n = 0;

	return sscanf(field, "Group %u Raw%n", &group, &n) == 1 && n &&
	       !field[n];
}

/* A region's name may hold commas: it ends before "Group N Raw". */
static void begin_table(struct likwid *l, const struct scan *s)
{
	size_t used = 0;
	unsigned k = 1;

	*l->region = *l->group = '\0';
	l->events = false;
	l->threads = 0;
	for (; k < s->fields && !is_raw(s->field[k]); k++)
		used += used < sizeof(l->region) ? (size_t)snprintf(
			l->region + used, sizeof(l->region) - used, "%s%s",
			used ? "," : "", s->field[k]) : 0;
	l->raw = k < s->fields;
	if (l->raw && k + 1 < s->fields)
		text_copy(l->group, sizeof(l->group), s->field[k + 1]);
	if (!strncmp(l->region, "Region ", 7))
		memmove(l->region, l->region + 7, strlen(l->region + 7) + 1);
}

/* "HWThread 0" or, before version 5, "Core 0". */
static void name_threads(struct likwid *l, const struct scan *s,
			 unsigned from)
{
	l->threads = 0;
	for (unsigned i = from; i < s->fields && *s->field[i] &&
	     l->threads < THREADS; i++) {
		const char *blank = strchr(s->field[i], ' ');

		text_copy(l->thread[l->threads++], sizeof(*l->thread),
			  blank ? blank + 1 : s->field[i]);
	}
}

static void name_place(char *out, size_t room, const struct likwid *l,
		       unsigned thread)
{
	snprintf(out, room, "%s%s%sgroup=%s;place=thread %s",
		 *l->region ? "region=" : "", l->region,
		 *l->region ? ";" : "", l->group, l->thread[thread]);
}

static struct assay_count count_of(const struct likwid *l, const char *text)
{
	const char *why = !strcmp(text, "-") ? "likwid: the counter was not "
			  "set" : !strcmp(text, "nan") ? "likwid: nan" : NULL;

	if (why)
		return (struct assay_count){ .state = ASSAY_COUNT_ABSENT,
					     .why = why };
	return l->several ? build_estimate(text, 0) : build_count(text, 0);
}

static int take_row(struct reader *r, const struct likwid *l)
{
	const struct scan *s = &r->scan;
	int rc = build_code(&r->build, s->field[0], s->field[1]) ?
		error_set(s->err, -ASSAY_ENOMEM, "out of memory") : 0;

	for (unsigned i = 0; i < l->threads && i + 2 < s->fields && !rc; i++) {
		const struct assay_count c = count_of(l, s->field[i + 2]);
		char place[256];

		name_place(place, sizeof(place), l, i);
		rc = reader_add(r, place, s->field[0], 0, &c);
	}
	return rc;
}

static int take_runtime(struct reader *r, const struct likwid *l)
{
	const struct scan *s = &r->scan;
	int rc = 0;

	for (unsigned i = 0; i < l->threads && i + 1 < s->fields && !rc; i++) {
		const struct assay_count c = build_count(s->field[i + 1], 9);
		char place[256];

		name_place(place, sizeof(place), l, i);
		if (c.state != ASSAY_COUNT_ABSENT)
			rc = reader_add(r, place, NULL, 0, &c);
	}
	return rc;
}

static int read_row(struct reader *r, struct likwid *l)
{
	const struct scan *s = &r->scan;
	const char *first = s->field[0];

	if (!strcmp(first, "CPU name:") && s->fields > 1)
		text_copy(r->build.machine.cpu, sizeof(r->build.machine.cpu),
			  s->field[1]);
	if (!l->raw)
		return 0;
	if (!strcmp(first, "Region Info"))
		name_threads(l, s, 1);
	else if (!strcmp(first, "Event"))
		name_threads(l, s, 2), l->events = true;
	else if (!strcmp(first, "RDTSC Runtime [s]"))
		return take_runtime(r, l);
	else if (l->events && s->fields > 2)
		return take_row(r, l);
	return 0;
}

static int read_line(struct reader *r, struct likwid *l)
{
	struct scan *s = &r->scan;
	const bool table = !strncmp(s->line, "TABLE,", 6);

	if (!scan_is_text(s->line)) {
		reader_unused(r, "control characters, or no UTF-8");
		return 0;
	}
	l->begun |= table || !strncmp(s->line, "STRUCT,", 7);
	if (!l->begun && s->line[strspn(s->line, " \t-")])
		reader_unused(r, "it stands before likwid's tables");
	scan_split(s, ",");
	if (table)
		begin_table(l, s);
	else if (!strcmp(s->field[0], "STRUCT"))
		l->raw = false;
	else
		return read_row(r, l);
	return 0;
}

int foreign_likwid_read(struct reader *r)
{
	struct likwid l = { .several = strstr(r->scan.text, "Group 2 Raw") };
	int rc;

	while ((rc = scan_line(&r->scan)) > 0) {
		rc = read_line(r, &l);
		if (rc)
			break;
	}
	return rc;
}
