/* SPDX-License-Identifier: MIT */
/* The source of a program on a page, with counts and reasons by line. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "cli/answers/sim-answer.h"
#include "cli/plots/shown.h"

struct sheet {
	struct page *page;
	const struct sim_answer *answer;
	const struct sim_source *source;
	const char *file;
};

static void begin(void *ctx, const char *name, const char *why)
{
	struct sheet *s = ctx;

	s->file = name;
	if (why)
		page_text(s->page, "%s: the source %s.", name, why);
	else
		page_source_begin(s->page, name, s->source->counts.name,
				  s->source->counts.n);
}

/* "L1D: cold misses: ...; DTLB: ...", of the rows "why" of that line. */
static void find_why(const struct sheet *s, int line, struct phrase *out)
{
	const struct kept_rows *reasons = &s->answer->reasons;
	char place[8300];

	snprintf(place, sizeof(place), "%s:%d", s->file, line);
	for (size_t i = 0; i < reasons->rows; i++) {
		const struct assay_row *row = &reasons->row[i];

		if (!strcmp(row_text(row, "line"), place))
			phrase_add(out, "%s%s: %s", out->used ? "; " : "",
				   row_text(row, "level"),
				   row_text(row, "reason"));
	}
}

static void line(void *ctx, int number, const double *value, const char *text,
		 size_t n)
{
	struct sheet *s = ctx;
	struct phrase why = { .used = 0 };

	if (value)
		find_why(s, number, &why);
	page_source_line(s->page, number, value, s->source->counts.n, text, n,
			 why.text);
}

static void gap(void *ctx, int number)
{
	static const char dots[] = "...";
	struct sheet *s = ctx;

	(void)number;
	page_source_line(s->page, 0, NULL, s->source->counts.n, dots,
			 strlen(dots), NULL);
}

static void end(void *ctx, int missing)
{
	struct sheet *s = ctx;

	page_source_end(s->page);
	if (missing)
		page_text(s->page, "The file ends before line %d: it is not "
			  "the one that was compiled.", missing);
}

void shown_source(struct page *page, const struct context *context,
		  const struct run_file *run)
{
	static const struct sim_source_writer writer = { begin, line, gap,
							 end };
	const struct settings *settings = &context->settings;
	struct sim_answer answer = { .threads = 0 };
	struct sim_source source = { .lines = 0 };
	struct sheet sheet = { page, &answer, &source, "" };
	int rc = 0;

	if (!settings->source || !run_file_row(run, "blame"))
		return;
	for (size_t i = 0; i < run->rows.rows && !rc; i++)
		rc = sim_answer_add(&answer, &run->rows.row[i]);
	rc = rc ? rc : sim_source_collect(&source, &answer,
		&(struct report_style){ .columns = 160 });
	page_part(page, "Source");
	if (!rc && source.lines)
		sim_source_each(&source, settings->source_root, &writer,
				&sheet);
	else
		page_text(page, "No row has a line of source: compile with "
			  "-g.");
	sim_source_fini(&source);
	sim_answer_fini(&answer);
}
