/* SPDX-License-Identifier: MIT */
/* The style (UTF-8, colour, columns) for a terminal or a file. */
#define _GNU_SOURCE	/* newlocale */
#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
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

/* The locale's name nearly always names its encoding; loading the locale
 * instead opens ten files. */
static bool wants_utf8(void)
{
	const char *name = getenv(set("LC_ALL") ? "LC_ALL" :
				  set("LC_CTYPE") ? "LC_CTYPE" : "LANG");
	const char *dot = name ? strchr(name, '.') : NULL;
	const size_t n = dot ? strcspn(dot + 1, "@") : 0;
	locale_t locale;
	bool utf8;

	if (!name || !*name || !strcmp(name, "C") || !strcmp(name, "POSIX"))
		return false;
	if (dot)
		return (n == 5 && !strncasecmp(dot + 1, "UTF-8", n)) ||
		       (n == 4 && !strncasecmp(dot + 1, "utf8", n));
	locale = newlocale(LC_CTYPE_MASK, name, (locale_t)0);
	if (locale == (locale_t)0)
		return false;
	utf8 = !strcmp(nl_langinfo_l(CODESET, locale), "UTF-8");
	freelocale(locale);
	return utf8;
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

	style->utf8 = wants_utf8() && !dumb();
	style->colour = colour == REPORT_COLOUR_AUTO ? wants_colour(terminal)
		: colour == REPORT_COLOUR_ON;
	style->columns = terminal_columns(fd, terminal);
	style->verbose = false;
	style->separator = ',';
}
