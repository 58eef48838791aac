/* SPDX-License-Identifier: MIT */
/*
 * toplev --valcsv: the counts behind its ratios, with the heading
 *
 *	Timestamp,CPU,Group,Event,Value,Perf-event,Index,STDDEV,MULTI,Nodes
 *
 * A count that ran for less than MULTI = 100 percent of the time was scaled.
 */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "store/foreign/reader.h"

enum { TIMESTAMP, CPU, EVENT, VALUE, PERF_EVENT, STDDEV, MULTI, COLUMNS };
static const char *const names[COLUMNS] = {
	"Timestamp", "CPU", "Event", "Value", "Perf-event", "STDDEV", "MULTI",
};

struct toplev {
	int column[COLUMNS];	/* -1: the table lacks it */
	char separator;
	char time[32];
	unsigned repeat;
	bool any;
};

bool foreign_toplev_begins(const char *text, size_t bytes)
{
	(void)bytes;
	return reader_has_line(text, "Timestamp,CPU,Group,Event,Value,") ||
	       reader_has_line(text, "Timestamp;CPU;Group;Event;Value;");
}

static void read_heading(struct toplev *t, struct scan *s)
{
	t->separator = s->line[strlen(names[TIMESTAMP])];
	scan_split_quoted(s, t->separator);
	for (int c = 0; c < COLUMNS; c++) {
		t->column[c] = -1;
		for (unsigned i = 0; i < s->fields; i++)
			if (!strcmp(s->field[i], names[c]))
				t->column[c] = (int)i;
	}
}

static const char *cell(const struct toplev *t, const struct scan *s, int c)
{
	return t->column[c] >= 0 && (unsigned)t->column[c] < s->fields ?
	       s->field[t->column[c]] : "";
}

static struct assay_count count_of(const struct toplev *t,
				   const struct scan *s)
{
	const char *multi = cell(t, s, MULTI), *deviation = cell(t, s, STDDEV);
	uint64_t hundredths = 10000;
	const bool known = scan_number(multi, 2, &hundredths) <= SCAN_ROUNDED;
	const bool estimate = !known || hundredths < 10000 || *deviation;

	return estimate ? build_estimate(cell(t, s, VALUE), 0) :
			  build_count(cell(t, s, VALUE), 0);
}

static int read_row(struct reader *r, struct toplev *t)
{
	struct scan *s = &r->scan;
	struct assay_count c;
	char place[64];
	const char *time;

	scan_split_quoted(s, t->separator);
	time = cell(t, s, TIMESTAMP);
	if (!*cell(t, s, EVENT) || !*cell(t, s, VALUE)) {
		reader_unused(r, "not a count of toplev");
		return 0;
	}
	if (t->any && *time && strcmp(time, t->time))
		t->repeat++;
	t->any = true;
	text_copy(t->time, sizeof(t->time), time);
	if (*time)
		text_copy(r->build.settings, sizeof(r->build.settings),
			  "repetitions=intervals");
	snprintf(place, sizeof(place), "%s%.40s",
		 *cell(t, s, CPU) ? "place=" : "", cell(t, s, CPU));
	c = count_of(t, s);
	if (build_code(&r->build, cell(t, s, EVENT), cell(t, s, PERF_EVENT)))
		return error_set(s->err, -ASSAY_ENOMEM, "out of memory");
	return reader_add(r, place, cell(t, s, EVENT), t->repeat, &c);
}

int foreign_toplev_read(struct reader *r)
{
	struct toplev t = { .separator = '\0' };
	struct scan *s = &r->scan;
	int rc;

	while ((rc = scan_line(s)) > 0) {
		rc = 0;
		if (!strncmp(s->line, "Timestamp", 9))
			read_heading(&t, s);
		else if (!scan_is_text(s->line) || !t.separator)
			reader_unused(r, "not a count of toplev");
		else if (*s->line && *s->line != '#')
			rc = read_row(r, &t);
		if (rc)
			break;
	}
	return rc;
}
