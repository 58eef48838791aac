/* SPDX-License-Identifier: MIT */
/* assay ci: may this change go in? */
#include <string.h>

#include "assay/ci.h"
#include "base/text.h"
#include "cli/progress.h"
#include "cli/rows.h"
#include "cli/context.h"

/* ---- the answer ---------------------------------------------------------- */

/* "main (heap.c:18)" */
static void place_text(char *out, size_t room, const struct assay_row *row)
{
	const char *file = row_text(row, "file"), *slash = strrchr(file, '/');

	*out = '\0';
	if (!*row_text(row, "function"))
		return;
	snprintf(out, room, " in %s", row_text(row, "function"));
	if (*file)
		text_add(out, room, " ", "(%s:%.0f)", slash ? slash + 1 : file,
			 row_number(row, "line"));
}

/* The budget that is exceeded by most. */
static const struct assay_row *worst(const struct kept_rows *kept)
{
	const struct assay_row *out = NULL;

	for (size_t i = 0; i < kept->rows; i++) {
		const struct assay_row *row = &kept->row[i];

		if (strcmp(row->type, "budget") ||
		    strcmp(row_text(row, "verdict"), "over"))
			continue;
		if (!out || row_number(row, "change") >
		    row_number(out, "change"))
			out = row;
	}
	return out;
}

static void answer(struct context *context, const struct kept_rows *kept,
		   const struct assay_ci_outcome *o)
{
	const struct assay_row *row = worst(kept);
	char place[600];

	if (o->unjudged == o->budgets) {
		report_note(context->report, "Nothing could be judged.");
		return;
	}
	if (!row) {
		report_note(context->report, "It may go in: none of %u budgets "
			    "is exceeded%s.", o->budgets - o->unjudged,
			    o->better ? ", and it got better" : "");
		return;
	}
	place_text(place, sizeof(place), row);
	report_note(context->report, "It got worse: %u of %u budgets %s "
		    "exceeded; %s %+.2f %%, %.0f more%s.", o->over, o->budgets,
		    o->over == 1 ? "is" : "are", row_text(row, "quantity"),
		    100 * row_number(row, "change"), row_number(row, "more"),
		    place);
}

static void show(struct context *context, const struct kept_rows *kept,
		 const struct assay_ci_outcome *o)
{
	answer(context, kept, o);
	for (size_t i = 0; i < kept->rows; i++)
		report_row(context->report, &kept->row[i]);
}

/* ---- the command --------------------------------------------------------- */

/* 3: over a budget; 4: nothing could be judged; 125 to 127 as env(1). */
static int exit_of(const struct assay_ci_outcome *o)
{
	if (o->over)
		return EXIT_CHECK;
	return o->unjudged == o->budgets ? EXIT_NO_COUNTERS : EXIT_OK;
}

static int failed(struct context *context, const struct assay_error *err)
{
	const int code = complain(context, err);

	if (interrupt_seen())
		return EXIT_INTERRUPTED;
	switch (err->code) {
	case -ASSAY_EUNAVAIL:
		return EXIT_NO_COUNTERS;
	case -ASSAY_ENOENT:
		return strstr(err->text, "no program") ? EXIT_NOT_FOUND : code;
	case -ASSAY_EPERM:
		return EXIT_NOT_RUNNABLE;
	case -ASSAY_EINVAL:
		return strstr(err->text, "cannot be simulated") ?
		       EXIT_NOT_RUNNABLE : code;
	}
	return code == EXIT_USAGE ? code : EXIT_OWN;
}

static int run(struct context *context)
{
	const struct settings *s = &context->settings;
	struct kept_rows kept = { .fn = NULL };
	struct assay_ci_outcome outcome = { .budgets = 0 };
	const struct assay_ci ci = {
		.folder = s->folder, .cpu = s->cpu_name,
		.layouts = s->layouts > 0 ? (unsigned)s->layouts : 0,
		.most = s->most > 0 ? (unsigned)s->most : 0,
		.stopped = interrupt_stops,
	};
	struct assay_error err = { 0 };
	int rc;

	if (s->args < 3)
		return complain_text("ci", EXIT_USAGE, "two builds are needed: "
				     "assay ci ab BASE HEAD [-- ARG...]");
	interrupt_catch();
	rc = assay_ci_ab(context->assay, &ci, s->arg[1], s->arg[2], s->program,
			 keep_row, &kept, &outcome, &err);
	if (rc < 0) {
		kept_rows_free(&kept);
		return failed(context, &err);
	}
	context->partial = true;
	show(context, &kept, &outcome);
	kept_rows_free(&kept);
	return exit_of(&outcome);
}

static const struct option ci_options[] = {
	TEXT('C', "directory", "DIR", folder,
	  "work in this folder: of assay-ci.yaml, and of the programs"),
	TEXT(0, "cpu", "NAME", cpu_name,
	  "the CPU to simulate: a name, or a CPU file"),
	NUMBER(0, "layouts", "N", layouts, 1,
	  "layouts of stack, heap and pages; the builds are compared pair by "
	  "pair"),
	NUMBER(0, "most", "N", most, 0,
	  "lines to show for each budget"),
	{ 0 }
};

static const struct option *const options[] = {
	ci_options, output_options, common_options, NULL
};

static const struct example examples[] = {
	{ "assay ci ab old/words new/words -- 20000",
	  "two builds of one program, under equal conditions" },
	{ 0 }
};

const struct command ci_command = {
	.name = "ci",
	.group = "check",
	.summary = "may this change go in? two builds, or one with a baseline",
	.arguments = "ab BASE HEAD [-- ARG...]",
	.args = 3,
	.program = true,
	.options = options,
	.text = "Runs.",
	.example = examples,
	.run = run,
};
