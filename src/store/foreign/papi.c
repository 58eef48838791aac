/* SPDX-License-Identifier: MIT */
/*
 * PAPI's Counter Analysis Toolkit: a file for each event, called EVENT.SUFFIX.
 * The suffix says which benchmarks ran, and so what a line holds:
 *
 *	branch		a number per iteration for each of 11 kernels
 *	icache		the same, for kernels 1, 2, ...
 *	data.reads, data.writes		"# PTRN=p, STRIDE=s, ..." before
 *			"SIZE v1 v2 ..", a number per access for each thread
 *	flops		"#DP KERNEL" before "N RAW NORMED ADD SUB MUL DIV SQRT
 *			FMA TOTAL"
 *	vec		"# KERNEL" before "EXPECTED COUNT"
 *	instr		"# KERNEL" before "N*M COUNT EXPECTED RATIO"
 *
 * What is expected becomes the option `expected`, for --truth 'EVENT=expected'.
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "store/foreign/reader.h"

enum layout { BRANCH, ICACHE, READS, WRITES, FLOPS, VEC, INSTR, LAYOUTS };

static const struct {
	const char *suffix;
	int count, expected;	/* fields; expected -1: none */
	const char *per;	/* a rate; NULL: a count */
} layouts[LAYOUTS] = {
	[BRANCH] = { ".branch", 0, -1, "iteration" },
	[ICACHE] = { ".icache", 0, -1, "iteration" },
	[READS] = { ".data.reads", 1, -1, "access" },
	[WRITES] = { ".data.writes", 1, -1, "access" },
	[FLOPS] = { ".flops", 1, 9, NULL },
	[VEC] = { ".vec", 1, 0, NULL },
	[INSTR] = { ".instr", 1, 2, NULL },
};

static const char *const branches[] = { "1", "2", "3", "4", "4a", "4b", "5",
					"5a", "5b", "6", "7" };

struct cat {
	char event[ASSAY_NAME];
	char heading[160];	/* of the lines that follow: "kernel=..." */
	enum layout layout;
	unsigned lines;		/* with numbers */
};

bool foreign_papi_begins(const char *text, size_t bytes)
{
	(void)bytes;
	return reader_has_line(text, "# PTRN=") ||
	       reader_has_line(text, "# ExpectedInstrs EventCount") ||
	       (reader_has_line(text, "#") &&
		strstr(text, " RawEvtCnt NormdEvtCnt "));
}

/* Event and layout, by the file's name. */
static int find_layout(struct reader *r, struct cat *c)
{
	const char *slash = strrchr(r->scan.file, '/');
	const char *name = slash ? slash + 1 : r->scan.file;
	const size_t n = strlen(name);

	for (int i = 0; i < LAYOUTS; i++) {
		const size_t m = strlen(layouts[i].suffix);

		if (n <= m || strcmp(name + n - m, layouts[i].suffix))
			continue;
		c->layout = (enum layout)i;
		snprintf(c->event, sizeof(c->event), "%.*s", (int)(n - m),
			 name);
		return 0;
	}
	return error_set(r->scan.err, -ASSAY_EINVAL, "'%.200s' does not say "
			 "which event PAPI counted: a file is called "
			 "EVENT.branch, .icache, .data.reads, .data.writes, "
			 ".flops, .vec or .instr", r->scan.file);
}

/* "# PTRN=1, STRIDE=8" -> "PTRN=1;STRIDE=8"; "#DP FMA" -> "kernel=DP FMA" */
static void take_heading(struct cat *c, const char *line)
{
	const bool keys = c->layout == READS || c->layout == WRITES;
	size_t used = 0;

	line += strspn(line, "# ");
	if (keys ? !strchr(line, '=') : !isalpha((unsigned char)*line) ||
	    !strncmp(line, "ExpectedInstrs", 14) || strstr(line, "EvtCnt"))
		return;
	if (!keys)
		used = (size_t)snprintf(c->heading, sizeof(c->heading),
					"kernel=");
	for (; *line && used + 1 < sizeof(c->heading); line++)
		if (*line != ' ' || !keys)
			c->heading[used++] = *line == ',' || *line == ';' ?
					     ';' : *line;
	c->heading[used] = '\0';
}

/* The place of the field's count. */
static void name_place(char *out, size_t room, const struct cat *c,
		       const struct scan *s, unsigned field)
{
	const int expected = layouts[c->layout].expected;
	const char *per = layouts[c->layout].per;
	size_t used = (size_t)snprintf(out, room, "%s%s%s%s%s",
		per ? "per=" : "", per ? per : "",
		per && *c->heading ? ";" : "", c->heading,
		per || *c->heading ? ";" : "");

	if (c->layout == BRANCH && c->lines < 11)
		snprintf(out + used, room - used, "kernel=%s",
			 branches[c->lines]);
	else if (c->layout == BRANCH || c->layout == ICACHE)
		snprintf(out + used, room - used, "line=%u", c->lines + 1);
	else if (expected < 0)
		snprintf(out + used, room - used, "size=%s;place=thread %u",
			 s->field[0], field - 1);
	else if ((unsigned)expected < s->fields)
		snprintf(out + used, room - used, "%s%s%sexpected=%s",
			 expected ? "size=" : "", expected ? s->field[0] : "",
			 expected ? ";" : "", s->field[expected]);
}

static int take_field(struct reader *r, const struct cat *c, unsigned field)
{
	const char *text = r->scan.field[field], *per = layouts[c->layout].per;
	char place[400], why[ASSAY_WHY];
	const struct assay_count count = per ?
		build_rate(text, per, why, sizeof(why)) : build_count(text, 0);

	name_place(place, sizeof(place), c, &r->scan, field);
	return reader_add(r, place, c->event, 0, &count);
}

static int read_line(struct reader *r, struct cat *c)
{
	struct scan *s = &r->scan;
	const unsigned first = (unsigned)layouts[c->layout].count;
	uint64_t number;
	int rc = 0;

	if (!s->line[strspn(s->line, " \t")])
		return 0;
	if (!scan_is_text(s->line)) {
		reader_unused(r, "control characters, or no UTF-8");
		return 0;
	}
	if (*s->line == '#') {
		take_heading(c, s->line);
		return 0;
	}
	scan_words(s);
	if (s->fields <= first || scan_number(s->field[first], 0, &number) ==
				  SCAN_NOTHING) {
		reader_unused(r, "not a line of numbers");
		return 0;
	}
	rc = take_field(r, c, first);
	for (unsigned i = first + 1; i < s->fields && !rc &&
	     (c->layout == READS || c->layout == WRITES); i++)
		rc = take_field(r, c, i);
	c->lines++;
	return rc;
}

int foreign_papi_read(struct reader *r)
{
	struct cat c = { .lines = 0 };
	int rc = find_layout(r, &c);

	while (!rc && (rc = scan_line(&r->scan)) > 0)
		rc = read_line(r, &c);
	return rc;
}
