/* SPDX-License-Identifier: MIT */
/*
 * likwid's event files, perfmon_NAME_events.txt, as its generator reads them:
 * five patterns are tried in turn on each line, most of them anywhere in the
 * line. A line that fits none is skipped silently, and the UMASK lines below a
 * skipped EVENT line fall under the EVENT line before.
 */
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "tables/events/reading.h"

enum pattern { EVENT, UMASK3, UMASK1, DEFAULTS, OPTIONS, PATTERNS };

static const char *const patterns[PATTERNS] = {
	[EVENT] = "EVENT_([A-Z0-9_]*) +(0x[A-F0-9]+) +([A-Z0-9|]+)",
	[UMASK3] = "UMASK_([A-Z0-9_]*) *(0x[A-F0-9]+) *(0x[A-F0-9]+) *"
		   "(0x[A-F0-9]+)",
	[UMASK1] = "UMASK_([A-Z0-9_]*) *(0x[A-F0-9]+)",
	[DEFAULTS] = "DEFAULT_OPTIONS_([A-Z0-9_]*) *([xA-Z0-9_=,]*)",
	[OPTIONS] = "^OPTIONS_([A-Z0-9_]*) *([A-Z0-9_|]+)",
};

enum { GROUPS = 5 };

/* What the generator remembers from line to line. */
struct state {
	const struct reading *r;
	regex_t regex[PATTERNS];
	unsigned line;
	const char *event, *limit;	/* parts of the text */
	uint64_t select;
	const char *default_key, *defaults;
	const char *option_key, *options;
	/* Lines of options whose key no UMASK line had so far; 0: none. */
	unsigned unused_defaults, unused_options;
};

/* Ends the part in the line; parts behind it must have been read before. */
static const char *take(char *line, const regmatch_t *part)
{
	line[part->rm_eo] = '\0';
	return line + part->rm_so;
}

static uint64_t hex(char *line, const regmatch_t *part)
{
	return strtoull(take(line, part), NULL, 16);
}

/* ---- a UMASK line ------------------------------------------------------ */

/* The options that are fields of x86's event select register. */
static bool set_option(struct event_code *c, const char *name, uint64_t value)
{
	if (!strcmp(name, "THRESHOLD")) {
		c->cmask = (unsigned)value;
		c->given |= CODE_CMASK;
	} else if (!strcmp(name, "INVERT")) {
		c->inv = value != 0;
		c->given |= CODE_INV;
	} else if (!strcmp(name, "EDGE")) {
		c->edge = value != 0;
		c->given |= CODE_EDGE;
	} else if (!strcmp(name, "ANYTHREAD")) {
		c->any = value != 0;
		c->given |= CODE_ANY;
	} else {
		return false;
	}
	return true;
}

/* "EVENT_OPTION_THRESHOLD=0x1,..."; what is no field stays in `others`. */
static void set_defaults(struct event_code *c, const char *defaults,
			 char *others, size_t room)
{
	static const char prefix[] = "EVENT_OPTION_";
	char item[128], *value;

	*others = '\0';
	while (text_item(&defaults, item, sizeof(item))) {
		const char *name = item;

		if (!strncmp(name, prefix, strlen(prefix)))
			name += strlen(prefix);
		value = strchr(item, '=');
		if (!value)
			continue;
		*value++ = '\0';
		if (!set_option(c, name, strtoull(value, NULL, 0)))
			text_add(others, room, ",", "%s=%s", name, value);
	}
	c->options = others;
	if (*others)
		c->given |= CODE_OPTIONS;
}

/* "CBOX" of "CBOX0C0|CBOX1C0"; "" for counters of the core. */
static void set_unit(struct event_code *c, char unit[32])
{
	text_copy(unit, 32, c->counters);
	unit[strspn(unit, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")] = '\0';
	c->fixed = !strcmp(unit, "FIXC");
	if (c->fixed || !strcmp(unit, "PMC"))
		*unit = '\0';
	c->unit = unit;
}

/* A number is read up to its first lower-case digit. */
static const char *cut_number(const char *line, const regmatch_t *part)
{
	const char next = line[part->rm_eo];

	return next >= 'a' && next <= 'f' ? "a number is read only up to its "
		"first lower-case digit" : "";
}

static void set_numbers(struct event_code *c, char *line,
			const regmatch_t part[GROUPS], bool three)
{
	c->selects = c->umasks = 1;
	c->given = CODE_SELECT | CODE_UMASK;
	if (three) {
		c->given |= CODE_EXTENSION | CODE_FILTER;
		c->filter = hex(line, &part[4]);
		c->extension = hex(line, &part[3]);
	}
	c->umask[0] = hex(line, &part[2]);
}

/* strtoull() gives UINT64_MAX for a number that 64 bits cannot hold. */
static bool too_large(const struct event_code *c)
{
	return c->select[0] == UINT64_MAX || c->umask[0] == UINT64_MAX ||
	       c->extension == UINT64_MAX || c->filter == UINT64_MAX;
}

/* Options that no event has. */
static int unused(struct state *s, unsigned *line, const char *key,
		  const char *options)
{
	struct entry e = reading_entry(s->r, ENTRY_LIKWID, *line);

	if (!*line)
		return 0;
	*line = 0;
	e.kind = ENTRY_UNREAD;
	e.name = key;
	e.group = s->event;
	e.operands = options;
	e.why = "no UMASK line of that name follows in the event, so no event "
		"has the options";
	return s->r->fn(s->r->ctx, &e);
}

static int end_defaults(struct state *s)
{
	return unused(s, &s->unused_defaults, s->default_key, s->defaults);
}

static int end_options(struct state *s)
{
	return unused(s, &s->unused_options, s->option_key, s->options);
}

/* Options of a key that begins the name are for a group of unit masks, on
 * purpose. */
static int use_options(struct state *s, const char *name)
{
	const size_t n = strlen(s->option_key);
	int rc;

	if (!strncmp(name, s->option_key, n))
		s->unused_options = 0;
	if (strstr(name, s->default_key))
		s->unused_defaults = 0;
	rc = end_options(s);
	if (!n || strcmp(name, s->option_key))
		s->options = "";
	return rc;
}

static int read_umask(struct state *s, char *line,
		      const regmatch_t part[GROUPS], bool three)
{
	struct entry e = reading_entry(s->r, ENTRY_LIKWID, s->line);
	char others[512] = "", unit[32];
	int rc;

	e.why = cut_number(line, &part[three ? 4 : 2]);
	set_numbers(&e.code, line, part, three);
	e.code.select[0] = s->select;
	e.name = take(line, &part[1]);
	rc = use_options(s, e.name);
	e.group = s->event;
	e.operands = s->options;
	e.code.counters = s->limit;
	set_unit(&e.code, unit);
	if (strstr(e.name, s->default_key))
		set_defaults(&e.code, s->defaults, others, sizeof(others));
	if (!rc && too_large(&e.code))
		return reading_bad(s->r, &e, false, "a number of the event is "
				   "larger than 64 bits");
	return rc ? rc : s->r->fn(s->r->ctx, &e);
}

/* ---- lines ------------------------------------------------------------- */

static int skipped(struct state *s, char *line)
{
	struct entry e = reading_entry(s->r, ENTRY_LIKWID, s->line);
	char name[ENTRY_NAME];

	line += strspn(line, " \t\r");
	if (!*line)
		return 0;
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(line, " \t\r"),
		 line);
	e.kind = ENTRY_UNREAD;
	e.name = name;
	e.text = line;
	e.group = s->event;
	e.why = "likwid's generator skips the line: it wants "
		"EVENT_NAME 0xHEX COUNTERS or UMASK_NAME 0xHEX, in capitals, "
		"with blanks between";
	return s->r->fn(s->r->ctx, &e);
}

static int read_line(struct state *s, char *line)
{
	regmatch_t part[GROUPS];
	int p = 0, rc = 0;

	if (*line == '#')
		return 0;
	while (p < PATTERNS && regexec(&s->regex[p], line, GROUPS, part, 0))
		p++;
	switch ((enum pattern)p) {
	case EVENT:
		rc = end_options(s);
		s->limit = take(line, &part[3]);
		s->select = hex(line, &part[2]);
		s->event = take(line, &part[1]);
		s->options = "";
		return rc;
	case UMASK3:
	case UMASK1:
		return read_umask(s, line, part, p == UMASK3);
	case DEFAULTS:
		rc = end_defaults(s);
		s->defaults = take(line, &part[2]);
		s->default_key = take(line, &part[1]);
		s->unused_defaults = s->line;
		return rc;
	case OPTIONS:
		rc = end_options(s);
		s->options = take(line, &part[2]);
		s->option_key = take(line, &part[1]);
		s->unused_options = s->line;
		return rc;
	default:
		return skipped(s, line);
	}
}

int read_likwid_events(const struct reading *r, char *text)
{
	struct state s = { .r = r, .event = "", .limit = "", .default_key = "",
			   .defaults = "", .option_key = "", .options = "" };
	char *line;
	int rc = 0, compiled = 0;

	while (compiled < PATTERNS && !rc)
		if (regcomp(&s.regex[compiled], patterns[compiled],
			    REG_EXTENDED))
			rc = error_memory(r->err);
		else
			compiled++;
	while (!rc && (line = strsep(&text, "\n"))) {
		s.line++;
		rc = read_line(&s, line);
	}
	if (!rc)
		rc = end_options(&s);
	if (!rc)
		rc = end_defaults(&s);
	while (compiled > 0)
		regfree(&s.regex[--compiled]);
	return rc;
}
