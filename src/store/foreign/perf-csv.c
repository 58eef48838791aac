/* SPDX-License-Identifier: MIT */
/* Files of perf stat -x SEPARATOR. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "store/foreign/perf.h"

static const char started[] = "# started on ";

struct perf_file {
	struct perf_state state;
	char separator[PERF_SEPARATOR];	/* "": not found yet */
	bool old;		/* no line has RUNTIME and PERCENT */
};

static bool is_number(const char *field, size_t least, size_t most)
{
	const size_t n = strspn(field, "0123456789");

	return n >= least && n <= most && !field[n];
}

/* "48,,page-faults,491880,100,00,..": fields cannot be told from decimals. The
 * line is split. */
static bool is_locale(struct scan *s)
{
	scan_split(s, ",");
	for (unsigned i = 3; i + 1 < s->fields; i++)
		if (is_number(s->field[i + 1], 2, 2) &&
		    is_number(s->field[i], 1, 3) &&
		    is_number(s->field[i - 1], 4, 20) &&
		    isalpha((unsigned char)*s->field[i - 2]))
			return true;
	return false;
}

static int wrong_locale(struct reader *r)
{
	while (scan_line(&r->scan) > 0 && !is_locale(&r->scan))
		;
	scan_error(&r->scan, r->scan.line, "perf wrote commas between fields "
		   "and within numbers");
	error_add(r->scan.err, "try: LC_ALL=C perf stat -x, ..., or -x ';'");
	return -ASSAY_EPARSE;
}

/* Takes the separator of the line if the line has a count. */
static bool has_separator(struct perf_file *f, struct scan *s)
{
	struct perf_row row;

	if (!perf_find_separator(f->separator, s->line, '.') &&
	    !perf_find_separator(f->separator, s->line, ','))
		return false;
	scan_split(s, f->separator);
	if (perf_take_apart(&row, s, f->separator, false))
		return true;
	for (unsigned i = 0; i + 1 < s->fields; i++)	/* as it was */
		memcpy(s->field[i + 1] - strlen(f->separator), f->separator,
		       strlen(f->separator));
	*f->separator = '\0';
	return false;
}

/* Separator and layout of the file: those of the first line that has both. */
static bool survey(struct perf_file *f, struct scan *s, bool *locale)
{
	const char *first = strstr(s->text, started);
	char *line;

	while (!*f->separator && scan_line(s) > 0)
		if (scan_is_text(s->line) && !has_separator(f, s))
			*locale |= is_locale(s);
	*locale &= !*f->separator;
	line = first ? strchr(first, '\n') : NULL;
	f->old = !*f->separator && !*locale && line;
	if (f->old) {
		line += strspn(line, "\n\r 0123456789.<notcuedspr>");
		f->separator[0] = perf_between(*line) ? *line : '\0';
	}
	f->state.marked = first != NULL;
	return *f->separator;
}

bool foreign_perf_csv_begins(const char *text, size_t bytes)
{
	struct scan s = { .file = "", .text = text, .bytes = bytes };
	struct perf_file f = { .old = false };
	bool locale = false;
	const bool found = survey(&f, &s, &locale);

	scan_close(&s);
	return found || locale;
}

/* A further metric of the event above: nothing stands before the metric. */
static bool is_metric(const struct scan *s)
{
	unsigned i = perf_time_of(s->field[0]) != NULL;

	while (i < s->fields && !*s->field[i])
		i++;
	return i >= 4 && i + 2 >= s->fields;
}

static int read_line(struct reader *r, struct perf_file *f)
{
	struct scan *s = &r->scan;
	struct perf_row row;

	if (!strncmp(s->line, started, sizeof(started) - 1))
		perf_new_run(r, &f->state);
	if (*s->line == '#' || !s->line[strspn(s->line, " \t")])
		return 0;
	if (!scan_is_text(s->line)) {
		reader_unused(r, "control characters, or no UTF-8");
		return 0;
	}
	if (perf_take_raw(r, &f->state))
		return 0;
	scan_split(s, f->separator);
	if (perf_take_apart(&row, s, f->separator, f->old))
		return perf_take(r, &f->state, &row);
	if (!is_metric(s))
		reader_unused(r, "not a count of perf");
	return 0;
}

int foreign_perf_csv_read(struct reader *r)
{
	struct scan survey_of = r->scan;
	struct perf_file f = { .old = false };
	bool locale = false;
	int rc;

	survey(&f, &survey_of, &locale);
	scan_close(&survey_of);
	if (locale)
		return wrong_locale(r);
	while ((rc = scan_line(&r->scan)) > 0) {
		rc = read_line(r, &f);
		if (rc)
			break;
	}
	free(f.state.raw);
	return rc;
}
