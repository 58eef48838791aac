/* SPDX-License-Identifier: MIT */
/* What suits the terminal, or the file, that a report goes to. */
#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "report/report.h"

static bool set(const char *name)
{
	const char *value = getenv(name);

	return value && *value;
}

static bool dumb(void)
{
	const char *term = getenv("TERM");

	return term && !strcmp(term, "dumb");
}

static bool wants_colour(bool terminal)
{
	if (set("NO_COLOR"))
		return false;
	if (set("FORCE_COLOR") || set("CLICOLOR_FORCE"))
		return true;
	return terminal && !dumb();
}

static unsigned terminal_columns(int fd, bool terminal)
{
	const char *text = getenv("COLUMNS");
	unsigned long asked = text ? strtoul(text, NULL, 10) : 0;
	struct winsize size;

	if (asked >= 20 && asked <= 1000)
		return (unsigned)asked;
	if (terminal && !ioctl(fd, TIOCGWINSZ, &size) && size.ws_col >= 20)
		return size.ws_col;
	return 80;
}

void report_style_detect(struct report_style *style, FILE *out,
			 enum report_colour colour)
{
	int fd = fileno(out);
	bool terminal = isatty(fd);

	style->utf8 = !strcmp(nl_langinfo(CODESET), "UTF-8") && !dumb();
	style->colour = colour == REPORT_COLOUR_AUTO ? wants_colour(terminal)
		: colour == REPORT_COLOUR_ON;
	style->columns = terminal_columns(fd, terminal);
	style->verbose = false;
	style->separator = ',';
}
