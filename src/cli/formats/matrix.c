/* SPDX-License-Identifier: MIT */
/* The table of commands and formats. See matrix.h. */
#define _GNU_SOURCE	/* FNM_CASEFOLD */
#include "cli/formats/matrix.h"

#include <ctype.h>
#include <fnmatch.h>
#include <string.h>

#include "base/text.h"
#include "cli/fleet/ranks.h"

#define BIT(id) (1u << REPORT_##id)
enum {
	TEXT = BIT(TEXT), CSV = BIT(CSV), JSON = BIT(JSON),
	TABLES = TEXT | CSV | JSON | BIT(MARKDOWN),
	PAGE = BIT(HTML),
	PICTURES = BIT(SVG) | BIT(GNUPLOT),
	METRICS = BIT(PROMETHEUS),
	COUNTS = METRICS | BIT(ACTION) | BIT(BENCHER),
	TIMES = BIT(GOOGLE)
};

struct row { const char *command, *verb; unsigned formats; const char *own; };

#define ROW(command, verb, formats, own) { command, verb, formats, own },
static const struct row rows[] = {
#include "cli/formats/matrix.def"
};
#undef ROW
enum { ROWS = sizeof(rows) / sizeof(*rows) };

static const struct row *find(const char *command, const char *verb)
{
	for (int i = 0; i < ROWS; i++)
		if (!strcmp(rows[i].command, command) &&
		    (!*rows[i].verb || !strcmp(rows[i].verb, verb)))
			return &rows[i];
	return NULL;	/* the test `formats` finds such a command */
}

static const struct row *row_of(const struct context *context)
{
	const struct settings *s = &context->settings;

	return find(context->command->name, s->args ? s->arg[0] : "");
}

/* ---- names --------------------------------------------------------------- */

static bool fits(const char *patterns, const char *path)
{
	const char *slash = strrchr(path, '/');
	char list[80], *rest = list;

	text_copy(list, sizeof(list), patterns);
	while (rest && *rest)
		if (!fnmatch(strsep(&rest, "|"), slash ? slash + 1 : path,
			     FNM_CASEFOLD))
			return true;
	return false;
}

/* Does any command write files of that name itself? */
static bool is_anyones(const char *path)
{
	for (int i = 0; i < ROWS; i++)
		if (fits(rows[i].own, path))
			return true;
	return false;
}

static void add_files(char *out, size_t room, const struct row *row)
{
	char own[80], *rest = own;

	for (int f = 0; f < REPORT_FORMATS_COUNT; f++)
		for (const char *const *file = report_files(f);
		     row->formats & 1u << f && *file; file++)
			text_add(out, room, ", ", "%s", *file);
	text_copy(own, sizeof(own), row->own);
	while (rest && *rest)
		text_add(out, room, ", ", "%s", strsep(&rest, "|"));
}

static void add_formats(char *out, size_t room, unsigned formats,
			const char *between)
{
	for (int f = 0; f < REPORT_FORMATS_COUNT; f++)
		if (formats & 1u << f)
			text_add(out, room, between, "%s",
				 report_format_name(f));
}

/* All verbs of the command together. */
static void join(struct row *out, const struct command *command, char own[80])
{
	*out = (struct row){ command->name, "", 0, own };
	*own = '\0';
	for (int i = 0; i < ROWS; i++) {
		if (strcmp(rows[i].command, command->name))
			continue;
		out->formats |= rows[i].formats;
		if (*rows[i].own)
			text_add(own, 80, "|", "%s", rows[i].own);
	}
}

void matrix_formats(char *out, size_t room, const struct command *command,
		    const char *verb)
{
	struct row row;
	char own[80];

	join(&row, command, own);
	*out = '\0';
	add_formats(out, room, verb ? find(command->name, verb)->formats :
		    row.formats, "|");
}

void matrix_text(char *out, size_t room, const struct command *command)
{
	char own[80], formats[200] = "", files[300] = "";
	struct row row;

	join(&row, command, own);
	add_formats(formats, sizeof(formats), row.formats, ", ");
	add_files(files, sizeof(files), &row);
	snprintf(out, room, "Formats: %s. Names of files: %s%s. 'assay list "
		 "formats' lists those of all commands.", formats, files,
		 row.formats & TEXT ? ", and names without an ending: text, "
		 "or what -j and -x ask for" : "");
}

/* ---- what is asked for --------------------------------------------------- */

/* The word of --format; `ci` has a table of its own for it. */
static const char *word_of(const struct settings *s)
{
	return s->ci_format ? s->ci_format : s->format;
}

/* --format, -j and -x go before the name. False: the name alone counts. */
static bool by_option(const struct settings *s, enum report_format *out)
{
	if (word_of(s) && report_format_named(out, word_of(s)))
		return true;
	*out = s->separator ? REPORT_CSV : REPORT_JSON;
	return s->json || s->separator || (s->of && !strcmp(s->of, "json"));
}

enum report_format matrix_format(const struct context *context)
{
	const struct settings *s = &context->settings;
	enum report_format format;

	if (!by_option(s, &format))
		report_format_of(&format, ranks_pattern(context));
	return format;
}

bool matrix_is_own(const struct context *context)
{
	const struct settings *s = &context->settings;
	enum report_format format;

	return s->output && !by_option(s, &format) &&
	       fits(row_of(context)->own, ranks_pattern(context));
}

/* ---- mistakes ------------------------------------------------------------ */

/* Words of --format for the trace's format are sim's, those of ci its own. */
static int check_word(const struct row *row, const struct settings *s,
		      struct assay_error *err)
{
	const char *words[REPORT_FORMATS_COUNT + 1] = { NULL };
	char known[200] = "known: ";
	enum report_format format;

	if (!s->format || s->trace || report_format_named(&format, s->format))
		return 0;
	for (int f = 0; f < REPORT_FORMATS_COUNT; f++)
		words[f] = report_format_name(f);
	add_formats(known + 7, sizeof(known) - 7, row->formats, ", ");
	return error_unknown(err, "output format", s->format, words, known);
}

/* Numbers are not quoted, and a terminal acts on control characters. */
static int check_separator(const char *text, struct assay_error *err)
{
	if (!text || !strcmp(text, "\\t") || !strcmp(text, "\t") ||
	    (text[0] >= ' ' && text[0] <= '~' && !text[1] &&
	     !isalnum((unsigned char)text[0]) && !strchr("\".+-", text[0])))
		return 0;
	error_set(err, -ASSAY_EINVAL, "option '-x': '%.60s' is no separator: "
		  "one character that is no letter, digit or quote, and none "
		  "of . + -", text);
	error_add(err, "try: -x , or -x ';' or -x '\\t'");
	return -ASSAY_EINVAL;
}

static int two_formats(const struct settings *s, struct assay_error *err)
{
	enum report_format format;

	if (s->json && s->separator)
		return error_set(err, -ASSAY_EINVAL,
				 "-j and -x ask for two formats at once");
	if (word_of(s) && report_format_named(&format, word_of(s)) &&
	    ((s->json && format != REPORT_JSON) ||
	     (s->separator && format != REPORT_CSV)))
		return error_set(err, -ASSAY_EINVAL, "-j, -x and --format ask "
				 "for two formats at once");
	return 0;
}

static int no_such_file(const struct row *row, const char *path,
			struct assay_error *err)
{
	char known[300] = "";

	add_files(known, sizeof(known), row);
	error_set(err, -ASSAY_EINVAL, "option '--output': '%.80s' names no "
		  "kind of file that 'assay %s%s%s' writes", path,
		  row->command, *row->verb ? " " : "", row->verb);
	error_add(err, "known: %s%s", known, row->formats & TEXT ?
		  ", and names without an ending" : "");
	return -ASSAY_EINVAL;
}

/* -j and -x with the name of another format. */
static int contradiction(const char *path, enum report_format asked,
			 struct assay_error *err)
{
	error_set(err, -ASSAY_EINVAL, "option '--output': %s asks for another "
		  "format than the name '%.80s'",
		  asked == REPORT_CSV ? "-x" : "-j", path);
	error_add(err, "try: another name, or --format %s, whatever the name",
		  report_format_name(asked));
	return -ASSAY_EINVAL;
}

/* The name after -o, where --format leaves the choice to the name. */
static int check_name(const struct row *row, const struct settings *s,
		      const char *path, struct assay_error *err)
{
	enum report_format named, asked;
	const bool own = fits(row->own, path),
		   known = report_format_of(&named, path) &&
			   !is_anyones(path);

	if (!own && (!known || !(row->formats & 1u << named)))
		return no_such_file(row, path, err);
	if (by_option(s, &asked) && (own || (named != asked &&
					     named != REPORT_TEXT)))
		return contradiction(path, asked, err);
	return 0;
}

/* What `bare` writes to its file is never what -j prints. */
static int check_file(const struct row *row, const char *path,
		      struct assay_error *err)
{
	const struct row text = { row->command, row->verb, TEXT, row->own };

	return check_name(&text, &(struct settings){ 0 }, path, err);
}

static int check_format(const struct row *row, enum report_format format,
			struct assay_error *err)
{
	char known[200] = "";

	if (row->formats & 1u << format)
		return 0;
	add_formats(known, sizeof(known), row->formats, ", ");
	error_set(err, -ASSAY_EINVAL, "'assay %s%s%s' has no output of the "
		  "format %s", row->command, *row->verb ? " " : "", row->verb,
		  report_format_name(format));
	error_add(err, "known: %s", known);
	return -ASSAY_EINVAL;
}

int matrix_check(const struct context *context, struct assay_error *err)
{
	const struct settings *s = &context->settings;
	const struct row *row = row_of(context);
	const enum report_format format = matrix_format(context);
	enum report_format named;
	int rc = check_word(row, s, err);

	rc = rc ? rc : two_formats(s, err);
	rc = rc ? rc : check_separator(s->separator, err);
	if (!rc && s->file)
		rc = check_file(row, s->file, err);
	if (!rc && s->output && strcmp(s->output, "-") &&
	    !(word_of(s) && report_format_named(&named, word_of(s))))
		rc = check_name(row, s, ranks_pattern(context), err);
	if (!rc && !matrix_is_own(context) &&
	    (s->output || format != REPORT_TEXT))
		rc = check_format(row, format, err);
	if (!rc && s->append && !s->output)
		rc = error_set(err, -ASSAY_EINVAL, "--append needs -o FILE");
	if (!rc && s->append && report_is_drawn(format))
		rc = error_set(err, -ASSAY_EINVAL, "--append: '%.40s' is one "
			       "page, picture or list; nothing can be added "
			       "to it", s->output);
	return rc;
}

/* ---- the list ------------------------------------------------------------ */

static void list_row(struct report *report, const struct row *row)
{
	char name[40] = "", formats[200] = "", files[300] = "";
	const struct assay_field field[] = {
		field_text("command", name), field_text("formats", formats),
		field_text("own", row->own), field_detail("files", files),
	};

	snprintf(name, sizeof(name), "%s%s%s", row->command,
		 *row->verb ? " " : "", row->verb);
	add_formats(formats, sizeof(formats), row->formats, " ");
	add_files(files, sizeof(files), row);
	ROW_EMIT(report_row, report, "formats", field);
}

int matrix_list(struct context *context)
{
	const struct settings *s = &context->settings;
	const char *command = s->args > 1 ? s->arg[1] : NULL;
	int n = 0;

	report_note(context->report, "The name after -o chooses the format, or "
		    "--format does; -v lists the names.");
	for (int i = 0; i < ROWS; i++) {
		if (command && strcmp(command, rows[i].command))
			continue;
		list_row(context->report, &rows[i]);
		n++;
	}
	return n ? EXIT_OK : unknown_command("list", command);
}
