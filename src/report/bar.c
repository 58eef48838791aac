/* SPDX-License-Identifier: MIT */
/* Shares of a whole as one bar. */
#include <math.h>
#include <string.h>

#include "report/report.h"

#define PARTS 8

struct look { const char *utf8, *ascii, *colour; };
static const struct look looks[PARTS] = {
	{ "█", "#", "32" }, { "▓", "=", "36" }, { "▒", "-", "33" },
	{ "░", ".", "31" }, { "▚", "+", "35" }, { "▞", "x", "34" },
	{ "▖", "o", "37" }, { "▝", ":", "90" },
};

struct pen { char *out; size_t room; };

static void put(struct pen *pen, const char *text)
{
	size_t n = strlen(text);

	if (n >= pen->room)
		return;
	memcpy(pen->out, text, n + 1);
	pen->out += n;
	pen->room -= n;
}

static void part(struct pen *pen, unsigned cells, const struct look *look,
		 const struct report_style *style)
{
	char colour[16];

	if (!cells)
		return;
	if (style->colour) {
		snprintf(colour, sizeof(colour), "\033[%sm", look->colour);
		put(pen, colour);
	}
	while (cells--)
		put(pen, style->utf8 ? look->utf8 : look->ascii);
	if (style->colour)
		put(pen, "\033[0m");
}

/*
 * Each part ends where the sum of the shares so far ends, rounded, so that
 * rounding never loses a column.
 */
void report_bar(char *out, size_t room, const double *share, size_t shares,
		unsigned width, const struct report_style *style)
{
	struct pen pen = { out, room };
	double sum = 0;
	unsigned used = 0;

	if (!room)
		return;
	*out = '\0';
	for (size_t i = 0; i < shares && i < PARTS; i++) {
		double end;

		if (isfinite(share[i]) && share[i] > 0)
			sum += share[i];
		end = round(width * (sum < 1 ? sum : 1));
		part(&pen, (unsigned)end - used, &looks[i], style);
		used = (unsigned)end;
	}
	while (used++ < width)
		put(&pen, " ");
}
