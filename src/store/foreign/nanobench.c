/* SPDX-License-Identifier: MIT */
/*
 * nanoBench: "NAME: 1.00" per copy of the code, or "NAME: 1000" with
 * -no_normalization; -range adds " [MIN;MAX]". A number is the difference of
 * two runs, so that small ones below 0 occur.
 */
#include <ctype.h>
#include <string.h>

#include "store/foreign/reader.h"

/* Cuts the line into a name and a number. False: the line has another form. */
static bool take_apart(char *line, char **number)
{
	char *colon = strrchr(line, ':'), *end;
	uint64_t value;

	if (!colon || colon == line || colon[1] != ' ' ||
	    !isalpha((unsigned char)*line))
		return false;
	*number = colon + 2;
	end = *number + strcspn(*number, " ");
	if (*end && (strncmp(end, " [", 2) || line[strlen(line) - 1] != ']'))
		return false;
	*end = '\0';
	*colon = '\0';
	return scan_number(*number, 0, &value) != SCAN_NOTHING &&
	       !strchr(*number, ',') && !strpbrk(*number, "eE");
}

/* All lines have that form, and the first name begins with a capital. */
bool foreign_nanobench_begins(const char *text, size_t bytes)
{
	struct scan s = { .file = "", .text = text, .bytes = bytes };
	unsigned lines = 0;
	bool right = true;
	char *number;

	while (right && scan_line(&s) > 0) {
		if (!s.line[strspn(s.line, " \t")])
			continue;
		right = (lines++ || isupper((unsigned char)*s.line)) &&
			scan_is_text(s.line) && take_apart(s.line, &number);
	}
	scan_close(&s);
	return right && lines;
}

static int read_line(struct reader *r)
{
	char *line = r->scan.line, *number, why[ASSAY_WHY];
	struct assay_count c;
	bool rate;

	if (!line[strspn(line, " \t")])
		return 0;
	if (!scan_is_text(line) || !take_apart(line, &number)) {
		reader_unused(r, "not 'NAME: NUMBER'");
		return 0;
	}
	rate = strchr(number, '.') != NULL;
	c = rate ? build_rate(number, "copy", why, sizeof(why)) :
		   build_count(number, 0);
	return reader_add(r, rate ? "per=copy" : "", line, 0, &c);
}

int foreign_nanobench_read(struct reader *r)
{
	int rc;

	while ((rc = scan_line(&r->scan)) > 0) {
		rc = read_line(r);
		if (rc)
			break;
	}
	return rc;
}
