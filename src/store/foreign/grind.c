/* SPDX-License-Identifier: MIT */
/*
 * Files of cachegrind and callgrind: the sums of one program's instructions,
 * loads and stores of user code, which are true for that run; and the misses of
 * a model of caches. Lines of functions are passed over:
 *
 *	cmd: PROGRAM		events: Ir Dr Dw		summary: N N N
 *
 * Callgrind's summary may be a few counts above its totals, which are right.
 */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "store/foreign/reader.h"

bool foreign_callgrind_begins(const char *text, size_t bytes)
{
	(void)bytes;
	return !strncmp(text, "# callgrind format", 18) ||
	       (reader_has_line(text, "creator: callgrind") &&
		reader_has_line(text, "events:"));
}

bool foreign_cachegrind_begins(const char *text, size_t bytes)
{
	(void)bytes;
	return reader_has_line(text, "cmd:") &&
	       reader_has_line(text, "events: Ir") &&
	       reader_has_line(text, "summary:");
}

/* What the sums are quantities of. */
static const struct {
	const char *event;
	enum assay_quantity quantity;
} known[] = {
	{ "Ir", ASSAY_Q_instructions }, { "Dr", ASSAY_Q_loads },
	{ "Dw", ASSAY_Q_stores },
};

#define EVENTS 32

struct grind {
	char event[EVENTS][32];
	unsigned events;
};

static int wrong(const struct reader *r, const char *at, const char *why)
{
	return scan_error(&r->scan, at, "%s", why);
}

static int read_events(struct reader *r, struct grind *g)
{
	struct scan *s = &r->scan;

	scan_words(s);
	g->events = 0;
	for (unsigned i = 1; i < s->fields; i++) {
		if (g->events == EVENTS || strlen(s->field[i]) >=
		    sizeof(*g->event))
			return wrong(r, s->field[i], "too many events, or a "
				     "name that is too long");
		text_copy(g->event[g->events++], sizeof(*g->event),
			  s->field[i]);
	}
	return 0;
}

static void know(struct build *b, const char *event, uint64_t value)
{
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (!strcmp(event, known[i].event))
			b->truth.of[known[i].quantity] = (struct assay_value){
				.number = (double)value,
			};
}

/* "summary: 4711 17": missing sums at the end are 0. */
static int read_sums(struct reader *r, const struct grind *g)
{
	struct scan *s = &r->scan;
	int rc = 0;

	scan_words(s);
	if (!g->events || s->fields < 2 || s->fields - 1 > g->events)
		return wrong(r, s->line, g->events ? "a sum for each event is "
			     "wanted" : "no line 'events:' stands above");
	for (unsigned i = 0; i < g->events && !rc; i++) {
		struct assay_count c = { .state = ASSAY_COUNT_PRESENT };

		if (i + 1 < s->fields &&
		    scan_number(s->field[i + 1], 0, &c.value) != SCAN_EXACT)
			return wrong(r, s->field[i + 1],
				     "a whole number is wanted");
		know(&r->build, g->event[i], c.value);
		rc = reader_add(r, "", g->event[i], 0, &c);
	}
	r->build.run++;
	return rc;
}

static bool begins(const char *line, const char *with)
{
	return !strncmp(line, with, strlen(with));
}

static int read_grind(struct reader *r, const char *sums)
{
	struct grind g = { .events = 0 };
	struct scan *s = &r->scan;
	int rc;

	while ((rc = scan_line(s)) > 0) {
		rc = 0;
		if (begins(s->line, "cmd:") && scan_is_text(s->line))
			snprintf(r->build.settings, sizeof(r->build.settings),
				 "cmd=%.100s", s->line + 4 +
				 strspn(s->line + 4, " "));
		else if (begins(s->line, "events:"))
			rc = read_events(r, &g);
		else if (begins(s->line, sums))
			rc = read_sums(r, &g);
		if (rc)
			return rc;
	}
	return rc;
}

int foreign_cachegrind_read(struct reader *r)
{
	return read_grind(r, "summary:");
}

int foreign_callgrind_read(struct reader *r)
{
	return read_grind(r, "totals:");
}
