/* SPDX-License-Identifier: MIT */
/* The counts of perf stat's lines, whatever their syntax. */
#include "store/foreign/perf.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static struct assay_count absent(const char *why)
{
	return (struct assay_count){ .state = ASSAY_COUNT_ABSENT, .why = why };
}

/* ---- one number ---------------------------------------------------------- */

/* Sets the times. perf scales a count that did not run all the time, so this
 * goes back to what the counter showed: to about 0.01 % of it. */
static struct assay_count set_times(struct assay_count c,
				    const struct perf_row *row)
{
	uint64_t hundredths;
	long double enabled;

	if (scan_number(row->runtime, 0, &c.running) > SCAN_ROUNDED ||
	    scan_number(row->percent, 2, &hundredths) > SCAN_ROUNDED)
		return absent("perf wrote no running time");
	c.enabled = c.running;
	if (!c.running && c.state == ASSAY_COUNT_SCALED)
		c.enabled = c.running = 1;
	if (hundredths >= 10000)
		return c;
	if (!c.running || !hundredths)
		return absent("the event was never on a counter");
	enabled = (long double)c.running * 10000 / hundredths;
	if (c.value >> 63 || enabled >= 0x1p63L)
		return absent("an estimate beyond 2^63");
	c.state = ASSAY_COUNT_SCALED;
	c.enabled = (uint64_t)(enabled + 0.5L);
	c.value = (uint64_t)((long double)c.value * c.running / c.enabled +
			     0.5L);
	return c;
}

/* Times are counted in ns; other units are no counts. */
static struct assay_count in_unit(const struct perf_row *row, char *why,
				  size_t room)
{
	const char *unit = row->unit ? row->unit : "";
	const int shift = !strcmp(unit, "msec") ? 6 : 0;

	if (shift || !*unit || !strcmp(unit, "ns"))
		return row->variation ? build_estimate(row->value, shift) :
					build_count(row->value, shift);
	snprintf(why, room, "%.60s %.20s, and a record holds whole counts",
		 row->value, unit);
	return absent(why);
}

static struct assay_count count_of(const struct perf_row *row, char *why,
				   size_t room)
{
	struct assay_count c;
	uint64_t hundredths;

	if (!strcmp(row->value, "<not counted>"))
		return absent("perf: not counted");
	if (!strcmp(row->value, "<not supported>"))
		return absent("perf: not supported");
	c = in_unit(row, why, room);
	if (c.state == ASSAY_COUNT_ABSENT)
		return c;
	if (!row->runtime || !row->percent) {	/* scaled? not known */
		c.state = ASSAY_COUNT_SCALED;
		c.enabled = c.running = 1;
		return c.value >> 63 ? absent("an estimate beyond 2^63") : c;
	}
	c = set_times(c, row);
	if (row->variation && c.state != ASSAY_COUNT_ABSENT &&
	    scan_number(row->variation, 2, &hundredths) <= SCAN_ROUNDED)
		c.error = (double)c.value * (double)hundredths / 1e4;
	return c;
}

/* ---- raw counts, of -v --------------------------------------------------- */

/* The number that ends the text, behind a blank, which is cut off. */
static bool last_number(char *text, uint64_t *out)
{
	char *blank = strrchr(text, ' ');

	if (!blank || !isdigit((unsigned char)blank[1]) ||
	    scan_number(blank + 1, 0, out) != SCAN_EXACT)
		return false;
	*blank = '\0';
	return true;
}

bool perf_take_raw(struct reader *r, struct perf_state *s)
{
	struct assay_count c = { .state = ASSAY_COUNT_PRESENT };
	char text[256], *colon;

	text_copy(text, sizeof(text), r->scan.line);
	if (!last_number(text, &c.running) || !last_number(text, &c.enabled) ||
	    !last_number(text, &c.value))
		return false;
	colon = text + strlen(text) - 1;
	if (colon <= text || *colon != ':' || c.running > c.enabled)
		return false;
	*colon = '\0';
	if (!s->raw)
		s->raw = calloc(PERF_RAWS, sizeof(*s->raw));
	if (!s->raw || s->raws == PERF_RAWS || strlen(text) >= ASSAY_NAME)
		return true;
	if (c.running < c.enabled)
		c.state = ASSAY_COUNT_SCALED;
	if (!c.running && c.enabled)
		c = absent("the event was never on a counter");
	if (c.state == ASSAY_COUNT_SCALED &&
	    (long double)c.value * c.enabled / c.running >= 0x1p63L)
		c = absent("an estimate beyond 2^63");
	s->raw[s->raws].count = c;
	s->raw[s->raws].used = false;
	text_copy(s->raw[s->raws++].event, ASSAY_NAME, text);
	return true;
}

/* Adds the raw counts of the row's event: one, or of -r one for each run.
 * Returns how many, or an error. */
static int add_raws(struct reader *r, struct perf_state *s,
		    const struct perf_row *row, const char *place)
{
	int n = 0, rc;

	for (unsigned i = 0; i < s->raws; i++) {
		struct perf_raw *raw = &s->raw[i];

		if (raw->used || strcmp(raw->event, row->event))
			continue;
		raw->used = true;
		rc = reader_add(r, place, row->event, (unsigned)n,
				&raw->count);
		if (rc)
			return rc;
		n++;
		if (!row->variation)
			break;
	}
	return n;
}

/* ---- lines that belong together ------------------------------------------ */

void perf_new_run(struct reader *r, struct perf_state *s)
{
	r->build.run += s->any;
	s->any = s->intervals = false;
	s->repeat = s->raws = 0;
	*s->time = *s->first = *s->before = '\0';
}

/*
 * Output of several runs in one file without "# started on": a run begins where
 * time goes back, or where the first event comes again.
 */
static bool comes_again(const struct perf_state *s, const struct perf_row *row,
			const char *key)
{
	if (!s->any || s->marked)
		return false;
	if (row->time)
		return s->intervals && strtod(row->time, NULL) <
				       strtod(s->time, NULL);
	return !strcmp(key, s->first) && strcmp(key, s->before);
}

static void note_time(struct reader *r, struct perf_state *s,
		      const char *time)
{
	text_copy(r->build.settings, sizeof(r->build.settings),
		  "repetitions=intervals");
	if (s->intervals && strcmp(time, s->time))
		s->repeat++;
	s->intervals = true;
	text_copy(s->time, sizeof(s->time), time);
}

/* "place=CPU0;cgroup=/user" */
static void name_place(char *out, size_t room, const struct perf_row *row,
		       bool summary)
{
	const char *place = summary ? "summary" : row->place;

	snprintf(out, room, "%s%s%s%s%s", place ? "place=" : "",
		 place ? place : "", place && row->cgroup ? ";" : "",
		 row->cgroup ? "cgroup=" : "", row->cgroup ? row->cgroup : "");
	for (char *c = out; *c; c++)	/* a ';' in a thread's name */
		if (*c == ';' && strncmp(c, ";cgroup=", 8))
			*c = ':';
}

int perf_take(struct reader *r, struct perf_state *s,
	      const struct perf_row *row)
{
	/* the sums behind the intervals have a word, or no time */
	const bool summary = row->time ? !strcmp(row->time, "summary") :
					 s->intervals;
	char place[600], key[sizeof(s->first)], why[ASSAY_WHY];
	struct assay_count c;
	int rc;

	name_place(place, sizeof(place), row, summary);
	snprintf(key, sizeof(key), "%.120s %.120s", row->event, place);
	if (comes_again(s, row, key))
		perf_new_run(r, s);
	if (!s->any)
		text_copy(s->first, sizeof(s->first), key);
	text_copy(s->before, sizeof(s->before), key);
	s->any = true;
	if (row->time && !summary)
		note_time(r, s, row->time);
	rc = *place || row->time ? 0 : add_raws(r, s, row, place);
	if (rc)
		return rc < 0 ? rc : 0;
	c = count_of(row, why, sizeof(why));
	return reader_add(r, place, row->event,
			  row->time && !summary ? s->repeat : 0, &c);
}
