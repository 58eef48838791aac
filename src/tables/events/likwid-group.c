/* SPDX-License-Identifier: MIT */
/*
 * likwid's performance groups. A section begins with its keyword and ends with
 * an empty line; blanks separate words, and the last word of a metric is the
 * formula. LONG often repeats the formulas with names of events.
 */
#include <string.h>

#include "base/text.h"
#include "tables/events/reading.h"

enum section { NONE, SHORT, EVENTSET, METRICS, LONG, LUA, SECTIONS };

static const char *const keywords[SECTIONS] = {
	[SHORT] = "SHORT", [EVENTSET] = "EVENTSET", [METRICS] = "METRICS",
	[LONG] = "LONG", [LUA] = "LUA",
};

/* Takes blanks off both ends. */
static char *trim(char *text)
{
	char *end = text + strlen(text);

	text += strspn(text, " \t\r\n\f\v");
	while (end > text && strchr(" \t\r\n\f\v", end[-1]))
		*--end = '\0';
	return text;
}

static int unread(const struct reading *r, struct entry *e, const char *why)
{
	e->kind = ENTRY_UNREAD;
	e->why = why;
	return r->fn(r->ctx, e);
}

static int read_member(const struct reading *r, struct entry *e, char *line)
{
	char *rest = line, *counter = strsep(&rest, " "), *options;

	e->kind = ENTRY_MEMBER;
	if (rest)
		rest += strspn(rest, " ");
	e->code.counters = counter;
	e->name = rest && *rest ? strsep(&rest, " ") : counter;
	options = strchr(counter, ':');
	if (options) {
		*options++ = '\0';
		e->code.options = options;
		e->code.given |= CODE_OPTIONS;
	}
	if (e->name == counter)
		return unread(r, e, "the line has no event");
	return r->fn(r->ctx, e);
}

static int read_metric(const struct reading *r, struct entry *e, char *line)
{
	char *last = strrchr(line, ' ');

	e->kind = ENTRY_METRIC;
	e->formula = last ? last + 1 : line;
	if (last) {
		*last = '\0';
		e->name = trim(line);
	}
	return r->fn(r->ctx, e);
}

/* "name = formula" */
static int read_prose(const struct reading *r, struct entry *e, char *line)
{
	char *equal = strstr(line, " = ");

	if (!equal)
		return 0;
	*equal = '\0';
	e->kind = ENTRY_PROSE;
	e->name = trim(line);
	e->formula = trim(equal + 3);
	return r->fn(r->ctx, e);
}

static enum section section_of(const char *line)
{
	for (int s = SHORT; s < SECTIONS; s++)
		if (!strncmp(line, keywords[s], strlen(keywords[s])))
			return (enum section)s;
	return NONE;
}

static int read_line(const struct reading *r, struct entry *e,
		     enum section section, char *line)
{
	switch (section) {
	case EVENTSET:
		return read_member(r, e, line);
	case METRICS:
		return read_metric(r, e, line);
	case LONG:
		return read_prose(r, e, line);
	default:
		return 0;
	}
}

int read_likwid_group(const struct reading *r, char *text)
{
	const char *slash = strrchr(r->file, '/');
	enum section section = NONE, next;
	char group[ENTRY_NAME], *line;
	unsigned number = 0;
	int rc = 0;

	text_copy(group, sizeof(group), slash ? slash + 1 : r->file);
	group[strcspn(group, ".")] = '\0';
	while (!rc && (line = strsep(&text, "\n"))) {
		struct entry e = reading_entry(r, ENTRY_LIKWID, ++number);

		next = section_of(line);
		if (next)
			section = next;
		if (*line == '#' || next || !strncmp(line, "REQUIRE_NOHT", 12))
			continue;
		line = trim(line);
		if (!*line && section != LONG)
			section = NONE;
		e.group = group;
		if (*line)
			rc = read_line(r, &e, section, line);
	}
	return rc;
}

/* ---- counters ------------------------------------------------------------ */

/* Lines of the array begin with a brace and the name: {"PMC0", PMC0, .. The
 * names are moved to the beginning of the text. */
int read_likwid_counters(const struct reading *r, char *text)
{
	struct entry e = reading_entry(r, ENTRY_LIKWID, 1);
	char *list = text, *out = text, *line;

	while ((line = strsep(&text, "\n"))) {
		size_t n;

		line += strspn(line, " \t");
		if (strncmp(line, "{\"", 2) || !(n = strcspn(line + 2, "\"")))
			continue;
		*out++ = '|';
		memmove(out, line + 2, n);
		out += n;
	}
	if (out == list)
		return 0;
	memcpy(out, "|", 2);
	e.kind = ENTRY_COUNTERS;
	e.operands = list;
	return r->fn(r->ctx, &e);
}
