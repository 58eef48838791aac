/* SPDX-License-Identifier: MIT */
/* The doctor's findings on paper. */
#include "cli/commands/findings.h"

#include <string.h>

#include "base/row.h"
#include "report/cell.h"
#include "report/wrap.h"

#define INDENT 29		/* where evidence begins */
#define BRIEF_LINES 40

static void put_answer(FILE *out, const struct report_style *style,
		       const struct findings *all)
{
	wrap_print(out, all->answer, 0, 0, style->columns);
	fputs("next: ", out);
	wrap_print(out, all->next, 6, 6, style->columns);
	fputc('\n', out);
	wrap_print(out, all->machine, 0, 0, style->columns);
}

static void put_sign(FILE *out, const struct report_style *style,
		     const char *state)
{
	const struct assay_field field = field_text("state", state);
	const struct cell_sign *sign = cell_sign(&field);
	const char *mark = "?";

	if (sign)
		mark = style->utf8 ? sign->sign : sign->ascii;
	if (sign && style->colour)
		fprintf(out, "  \033[%sm%s\033[0m", sign->colour, mark);
	else
		fprintf(out, "  %s", mark);
	fprintf(out, "%*s", (int)((style->utf8 ? 2 : 5) - text_width(mark)),
		"");
}

/* Continuation lines stand below the first one. */
static void put_lines(FILE *out, const char *text, unsigned columns)
{
	fprintf(out, "%*s", INDENT, "");
	wrap_print(out, text, INDENT, INDENT, columns);
}

static void put_finding(FILE *out, const struct report_style *style,
			const struct finding *f)
{
	unsigned at = style->utf8 ? 4 : 7;
	unsigned width = text_width(f->what);

	put_sign(out, style, f->state);
	fputs(f->what, out);
	if (at + width + 2 > INDENT)
		fprintf(out, "\n%*s", INDENT, "");
	else
		fprintf(out, "%*s", (int)(INDENT - at - width), "");
	wrap_print(out, f->evidence, INDENT, INDENT, style->columns);
	if (*f->effect)
		put_lines(out, f->effect, style->columns);
}

static void put_heading(FILE *out, const struct report_style *style,
			const char *text)
{
	fprintf(out, style->colour ? "\033[1m%s\033[0m\n" : "%s\n", text);
}

static void put_findings(FILE *out, const struct report_style *style,
			 const struct findings *all)
{
	const char *part = "";

	for (size_t i = 0; i < all->count; i++) {
		const struct finding *f = &all->finding[i];

		if (strcmp(part, f->part)) {
			if (i)
				fputc('\n', out);
			put_heading(out, style, f->part);
			part = f->part;
		}
		put_finding(out, style, f);
	}
}

static bool cured_before(const struct findings *all, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(all->finding[i].cure, all->finding[n].cure))
			return true;
	return false;
}

static void put_cures(FILE *out, const struct report_style *style,
		      const struct findings *all)
{
	bool any = false;

	for (size_t i = 0; i < all->count; i++) {
		const struct finding *f = &all->finding[i];

		if (!*f->cure || !strcmp(f->state, "ok") ||
		    cured_before(all, i))
			continue;
		if (!any) {
			fputc('\n', out);
			put_heading(out, style, "what to do");
		}
		any = true;
		fprintf(out, "  %-*s", INDENT - 2, f->what);
		if (text_width(f->what) + 4 > INDENT)
			fprintf(out, "\n%*s", INDENT, "");
		wrap_print(out, f->cure, INDENT, INDENT, style->columns);
	}
}

/* Is that finding, if it is there, a bad one? "": any. */
static bool is_bad(const struct findings *all, const char *what)
{
	for (size_t i = 0; i < all->count; i++)
		if (!strcmp(all->finding[i].state, "bad") &&
		    (!*what || !strcmp(all->finding[i].what, what)))
			return true;
	return false;
}

static void put_summary(FILE *out, const struct report_style *style,
			const struct findings *all)
{
	static const char always[] = "topo --measure; run and sweep --on "
		"time (levels and shares by timing), --on sim:CPU (simulated "
		"counters), --on replay:FILE (saved ones); verify and judge "
		"--on sim:CPU";
	static const char software[] = "; software events such as "
		"-e page-faults,task-clock";
	static const char none[] = "hardware events (-e cycles, -e "
		"cache-misses ...), verify of this CPU";
	const bool counts = !is_bad(all, "software events");
	char text[400];

	fputs("\nworks here:     ", out);
	snprintf(text, sizeof(text), "%s%s", always, counts ? software : "");
	wrap_print(out, all->can_count
		   ? "everything: hardware events, simulation, replay, time"
		   : text, 16, 16, style->columns);
	if (all->can_count)
		return;
	fputs("does not work:  ", out);
	snprintf(text, sizeof(text), "%s%s", none, counts ? "" :
		 "; software events");
	wrap_print(out, text, 16, 16, style->columns);
}

void findings_full(FILE *out, const struct report_style *style,
		   const struct findings *all)
{
	put_answer(out, style, all);
	fputc('\n', out);
	put_findings(out, style, all);
	put_summary(out, style, all);
	put_cures(out, style, all);
}

/* ---- brief -------------------------------------------------------------- */

/* How much is said of each finding; the most that leaves room is chosen. */
enum detail { EVIDENCE_AND_CURE, CURE, NEITHER };

/* What follows from the answer, and what is well, is for the full form. */
static bool is_brief(const struct findings *all, const struct finding *f)
{
	const bool counting = !strcmp(f->part, "counters") ||
			      !strcmp(f->part, "permission");

	if (!strcmp(f->part, "measured"))
		return true;
	if (!all->can_count && counting &&
	    (!strcmp(f->state, "bad") || !strcmp(f->what, "--on perf")))
		return false;
	return !strcmp(f->state, "bad") || !strcmp(f->state, "warn");
}

/* What is shown: first what is bad. */
struct brief {
	const struct finding *finding[FINDINGS];
	size_t count;
};

static void choose_findings(struct brief *out, const struct findings *all)
{
	out->count = 0;
	for (int other = 0; other < 2; other++)
		for (size_t i = 0; i < all->count; i++) {
			const struct finding *f = &all->finding[i];

			if (is_brief(all, f) && !!strcmp(f->state, "bad") == other)
				out->finding[out->count++] = f;
		}
}

/* "EVIDENCE: EFFECT"; evidence may be a line of the kernel's log. */
static void brief_text(char *out, size_t room, const struct finding *f,
		       enum detail detail)
{
	int length = (int)strlen(f->evidence);

	while (length && strchr(".:!", f->evidence[length - 1]))
		length--;
	if (*f->effect && detail != EVIDENCE_AND_CURE)
		snprintf(out, room, "%s", f->effect);
	else if (*f->effect)
		snprintf(out, room, "%.*s: %s", length, f->evidence, f->effect);
	else
		snprintf(out, room, "%s", f->evidence);
}

static unsigned lines_of(const char *text, unsigned columns, unsigned indent)
{
	const unsigned room = columns ? columns : ~0u;

	return wrap_count(text, room < indent + 20 ? 20 : room - indent, " ");
}

/* Where the brief form's text begins: behind the sign and the longest name. */
static unsigned brief_indent(const struct report_style *style)
{
	return style->utf8 ? 23 : 26;
}

static unsigned brief_lines(const struct finding *f, enum detail detail,
			    const struct report_style *style)
{
	const unsigned indent = brief_indent(style);
	char text[sizeof(f->evidence) + sizeof(f->effect) + 2];
	unsigned lines;

	brief_text(text, sizeof(text), f, detail);
	lines = lines_of(text, style->columns, indent);
	if (*f->cure && detail != NEITHER)
		lines += lines_of(f->cure, style->columns, indent + 4);
	return lines;
}

static void put_brief(FILE *out, const struct report_style *style,
		      const struct finding *f, enum detail detail)
{
	char text[sizeof(f->evidence) + sizeof(f->effect) + 2];
	const unsigned indent = brief_indent(style);
	const int pad = 19 - (int)text_width(f->what);

	brief_text(text, sizeof(text), f, detail);
	put_sign(out, style, f->state);
	fprintf(out, "%s%*s", f->what, pad > 0 ? pad : 1, "");
	wrap_print(out, text, indent + (unsigned)(pad > 0 ? 0 : 1 - pad),
		   indent, style->columns);
	if (!*f->cure || detail == NEITHER)
		return;
	fprintf(out, "%*sdo: ", (int)indent, "");
	wrap_print(out, f->cure, indent + 4, indent + 4, style->columns);
}

/* Those for which there is no room, by name. */
static void put_rest(FILE *out, const struct report_style *style,
		     const struct brief *brief, size_t from)
{
	char text[2048] = "";
	size_t used = 0;

	for (size_t i = from; i < brief->count && used < sizeof(text); i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used,
					 "%s%s", used ? ", " : "and: ",
					 brief->finding[i]->what);
	if (!used)
		return;
	fputs("  ", out);
	wrap_print(out, text, 2, 7, style->columns);
}

static enum detail choose_detail(const struct brief *brief,
				 const struct report_style *style,
				 unsigned room)
{
	enum detail detail = EVIDENCE_AND_CURE;

	for (; detail < NEITHER; detail++) {
		unsigned lines = 0;

		for (size_t i = 0; i < brief->count; i++)
			lines += brief_lines(brief->finding[i], detail, style);
		if (lines <= room)
			break;
	}
	return detail;
}

/* Lines that remain for findings beside the answer, the summary and the end. */
static unsigned brief_room(const struct report_style *style,
			   const struct findings *all)
{
	const unsigned head = lines_of(all->answer, style->columns, 0) +
			      lines_of(all->next, style->columns, 6) +
			      lines_of(all->machine, style->columns, 0);

	return BRIEF_LINES - 6 - (all->can_count ? 1 : 6) -
	       (head < 12 ? head : 12);
}

static void put_all_brief(FILE *out, const struct report_style *style,
			  const struct findings *all)
{
	struct brief brief;
	unsigned room = brief_room(style, all), lines;
	enum detail detail;
	size_t i;

	choose_findings(&brief, all);
	detail = choose_detail(&brief, style, room);
	for (i = 0; i < brief.count; i++) {
		lines = brief_lines(brief.finding[i], detail, style);
		if (lines > room)
			break;
		room -= lines;
		put_brief(out, style, brief.finding[i], detail);
	}
	put_rest(out, style, &brief, i);
}

void findings_brief(FILE *out, const struct report_style *style,
		    const struct findings *all)
{
	char legend[200];

	put_answer(out, style, all);
	put_summary(out, style, all);
	fputc('\n', out);
	snprintf(legend, sizeof(legend), "%s does not work, %s disturbs or "
		 "limits measurements; all %zu findings, with evidence and "
		 "what to do: assay doctor -v", style->utf8 ? "✗" : "FAIL",
		 "!", all->count);
	put_all_brief(out, style, all);
	wrap_print(out, legend, 0, 0, style->columns);
}
