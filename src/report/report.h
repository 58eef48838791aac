/* SPDX-License-Identifier: MIT */
/*
 * Reports: rows of one type become a table for people, CSV, or JSON Lines.
 * The content is walked once; a sink draws it.
 */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "assay/error.h"
#include "assay/row.h"
#include "base/output/new-file.h"
#include "report/plot/plot.h"

/*
 * X(ID, sink, name): the constant sink_sink (sink.h) describes the format
 * REPORT_ID. docs/extending.md has the places of a new format.
 */
#define REPORT_FORMATS(X) \
	X(TEXT, text, "text") X(CSV, csv, "csv") X(JSON, json, "json") \
	X(MARKDOWN, markdown, "markdown") X(HTML, html, "html") \
	X(SVG, svg, "svg") X(GNUPLOT, gnuplot, "gnuplot") \
	X(PROMETHEUS, prometheus, "prometheus") \
	X(GOOGLE, tracker, "google-benchmark") \
	X(ACTION, tracker, "github-action-benchmark") \
	X(BENCHER, tracker, "bencher")
#define REPORT_ID(id, sink, name) REPORT_##id,
enum report_format { REPORT_FORMATS(REPORT_ID) };
#undef REPORT_ID

/*
 * Flags: what a format can show besides rows of one type. Notes, titles and
 * plots need no flag: a format without them prints nothing.
 */
enum report_room {
	REPORT_RECORDS = 1 << 0,	/* lines of records: docs/record.md */
	REPORT_MIXED_ROWS = 1 << 1,	/* rows of several types */
	REPORT_REASONS = 1 << 2,	/* why a value is absent or estimated */
	REPORT_PROSE = 1 << 3,		/* sentences; pages for people */
	REPORT_FILES = 1 << 4,		/* a file of another format, as is */
	REPORT_FIELDS = 1 << 5,		/* lines of fields, as perf stat -x */
	REPORT_DRAWN = 1 << 6,		/* the lines are those of JSON; a page,
					 * a picture or a list of numbers is
					 * made of them */
};

struct report_style {
	bool utf8;		/* signs and boxes may be UTF-8 */
	bool colour;
	bool verbose;		/* show DETAIL fields to people too */
	unsigned columns;	/* of the terminal; 0: unlimited */
	char separator;		/* CSV */
};

enum report_colour { REPORT_COLOUR_AUTO, REPORT_COLOUR_ON, REPORT_COLOUR_OFF };

/*
 * The style for `out`: UTF-8 if LC_ALL, LC_CTYPE or LANG, the first that is
 * set, names UTF-8 ("en_US.UTF-8", installed or not) or a locale that uses
 * UTF-8; colour from the terminal, TERM, NO_COLOR and FORCE_COLOR; columns from
 * the terminal or COLUMNS, 80 if `out` is no terminal.
 */
void report_style_detect(struct report_style *style, FILE *out,
			 enum report_colour colour);

struct report;

/* NULL only if out of memory. The FILE stays the caller's. */
struct report *report_open(FILE *out, enum report_format format,
			   const struct report_style *style);

const struct report_style *report_style(const struct report *report);
/* Has the report's format room for this? */
bool report_has(const struct report *report, enum report_room room);
/* The stream for lines that the caller formats itself, such as records. */
FILE *report_file(struct report *report);

/*
 * An assay_row_fn: ctx is a struct report *. "group|name" as a field's name
 * puts the columns of one group under a common heading for people; machines
 * read group_name.
 */
int report_row(void *ctx, const struct assay_row *row);

/*
 * A sentence for people; a {"t":"note"} line in JSON; nothing in CSV.
 */
void report_note(struct report *report, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * Prints to a stream of the caller's, such as stderr, whatever names hold
 * (text_harmless()). No colours.
 */
void report_say(FILE *out, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* A field of CSV, quoted where that is needed. */
void report_csv_text(FILE *out, const char *text, char separator);
/* A string of JSON, with its quotes. */
void report_json_text(FILE *out, const char *text);

/* Text or Markdown: no lines of one row each for programs. */
bool report_for_people(const struct report *report);

/*
 * For people the answer stands above the rows that it was drawn from:
 * report_hold() keeps all further rows in memory; report_answer() writes its
 * sentence ("": none), then the kept rows. Neither does anything in CSV and
 * JSON. report_release() writes the kept rows alone, as do report_push() and
 * report_close().
 */
void report_hold(struct report *report);
void report_answer(struct report *report, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void report_release(struct report *report);

/* Ends the current table and, for people, starts a titled part. */
void report_title(struct report *report, const char *title);

/* Ends the current table, so that the next row starts another. */
void report_flush(struct report *report);

/* Encloses preformatted lines of report_file(): a fenced block in Markdown. */
void report_fence(struct report *report, bool begin);

/*
 * Why fields were absent and which were estimates, each once: for formats
 * without REPORT_REASONS. fn gets a field's name (or several: "a, b") and the
 * reason.
 */
void report_remarks(struct report *report,
		    void (*fn)(void *ctx, const char *names, const char *why),
		    void *ctx);

/* A picture (plot/plot.h), for people only: nothing in CSV and JSON. */
void report_plot(struct report *report, const struct report_plot *plot);

/*
 * Shares of a whole as one bar of `width` columns per row; people only.
 * Negative shares take no room; what goes beyond the whole is cut off.
 */
void report_bar(char *out, size_t room, const double *share, size_t shares,
		unsigned width, const struct report_style *style);

/*
 * Flushes all output so far, that of report_file() too. Returns whether any
 * write failed; the errno of the first failure is kept for report_close().
 */
bool report_push(struct report *report);

/*
 * Ends the report. Returns 0, or -ASSAY_EIO if any write failed; then errno is
 * the reason of the first that did, or 0.
 */
int report_close(struct report *report);

/*
 * Where a report goes. "-": stdout. Any other path is written beside itself
 * and takes the name only when it is complete. append: the report is added to
 * the file's end in one piece, whoever else appends to the file.
 */
struct report_output {
	FILE *file;
	struct new_file new;	/* .file: NULL: not replaced */
	char *path;		/* of a file that is appended to, or NULL */
	char *text;		/* what is appended */
	size_t bytes;
};
int report_output_open(struct report_output *out, const char *path,
		       bool append, struct assay_error *err);
/* keep: the file takes its name, or gets the text; else it stays as it was. */
int report_output_close(struct report_output *out, bool keep,
			struct assay_error *err);

enum { REPORT_FORMATS_COUNT = REPORT_BENCHER + 1 };

/*
 * The format of a file by its name (sink.h); text for a name without an ending.
 * False: nothing writes files of that ending.
 */
bool report_format_of(enum report_format *out, const char *path);
/* Names of files that ask for the format: "*.csv", "*.tsv", NULL. */
const char *const *report_files(enum report_format format);
/* Is the format REPORT_DRAWN? */
bool report_is_drawn(enum report_format format);
/* The format of that name: "csv"; false: there is none. */
bool report_format_named(enum report_format *out, const char *name);
/* "csv" */
const char *report_format_name(enum report_format format);

#endif
