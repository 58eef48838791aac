/* SPDX-License-Identifier: MIT */
/* assay sim for people: which line (function, object) misses. */
#ifndef CLI_ANSWERS_SIM_ANSWER_H
#define CLI_ANSWERS_SIM_ANSWER_H

#include "cli/answers/answers.h"
#include "cli/option.h"
#include "report/report.h"

/* What a run's rows say. Zeroed: nothing yet. */
struct sim_answer {
	struct kept_rows misses;	/* the last one is the total */
	struct kept_rows reasons;	/* of --why */
	struct kept_rows rest;	/* rows that stand below */
	char cpu[80], title[300], why[400], sorted_by[40];
	unsigned threads;
};

/* Keeps a row. Returns non-zero: no memory. */
int sim_answer_add(struct sim_answer *answer, const struct assay_row *row);
/* "93 % of the L1D misses are at transpose.c:10, in transpose()". */
void sim_answer_sentence(const struct sim_answer *answer, struct phrase *out);
/* Adds up rows of lines beyond the first `most` (0: none). Non-zero: no
 * memory. */
int sim_answer_fold(struct sim_answer *answer, size_t most);
/* The names of the counts that are shown: what rows are sorted by, what the
 * sentence names, and others, as many as have room. */
#define MISS_COUNTS 10
struct miss_counts { const char *name[MISS_COUNTS]; size_t n; };
void sim_answer_counts(const struct sim_answer *answer, struct miss_counts *out,
		       const struct report_style *style);
/* The CPU, the table and its remarks. */
int sim_answer_table(const struct sim_answer *answer, struct report *report);
void sim_answer_fini(struct sim_answer *answer);

/* ---- --source (sim-source.c) ----------------------------------------------- */

/* The lines of source files that rows name, collected from the rows. */
struct sim_source {
	struct source_line *line;
	size_t lines;
	struct miss_counts counts;	/* beside each line */
};

/* Copies the rows' lines and counts. Returns non-zero: no memory. */
int sim_source_collect(struct sim_source *out, const struct sim_answer *answer,
		       const struct report_style *style);
/* Who writes the source. Each file begins with its name, or with why it is not
 * shown; then nothing follows. */
struct sim_source_writer {
	void (*begin)(void *ctx, const char *name, const char *why);
	/* value: of .counts; NULL: no code of the line was counted */
	void (*line)(void *ctx, int line, const double *value,
		     const char *text, size_t n);
	/* lines are left out before this one */
	void (*gap)(void *ctx, int line);
	/* missing: 0, or a line with counts that the file does not have */
	void (*end)(void *ctx, int missing);
};
/* root: the folder that names are relative to; NULL: the current one. */
void sim_source_each(const struct sim_source *source, const char *root,
		     const struct sim_source_writer *writer, void *ctx);
void sim_source_show(const struct sim_source *source, const char *root,
		     struct report *report);
void sim_source_fini(struct sim_source *source);

/* ---- totals (sim-totals.c) ------------------------------------------------- */

struct context;
/* The quantities of the record, level by level. */
int sim_totals(struct context *context, const struct assay_result *r);
/* A row "started": a program that another one started, and that is not
 * simulated. */
int sim_started(struct context *context, const struct assay_row *row);

/* ---- a part of the program (sim-part.c) ----------------------------------- */

/* Why the options about a part make no sense; NULL: they do. */
const char *sim_part_idle(const struct settings *s);
/* The type of rows that a table holds for them; NULL: they ask for none. */
const char *sim_part_rows(const struct settings *s);
/* Tells people what the row says; false: it is one for the table. */
bool sim_part_show(const struct settings *s, const struct assay_row *row,
		   struct report *report);

/* ---- data-answer.c -------------------------------------------------------- */

/* "in memory that f() allocated at x.c:3": false: it is no row by data. */
bool data_place(struct phrase *out, const struct assay_row *row);
/* What the row is about, in short; NULL: it is no row by data. */
const char *data_name(char *out, size_t room, const struct assay_row *row);

/* ---- why-answer.c --------------------------------------------------------- */

/* ": conflict misses: it walks 2 MiB, 4096 bytes at a time"; nothing if the
 * reason for that count of the row is not known. */
void why_add(struct phrase *out, const struct kept_rows *reasons,
	     const struct assay_row *row, const char *count);
/* The reasons of the first rows, without those of few misses unless all are
 * wanted. */
int why_table(const struct kept_rows *reasons, const struct kept_rows *misses,
	      struct report *report);

/* ---- parts of a row ------------------------------------------------------- */

/* The row of the loader and libc's start. */
bool miss_is_start(const struct assay_row *row);
/* A place of code as people see it; names of more than `most` bytes are short
 * ones. */
struct miss_place {
	char function[300];	/* the innermost inlined one, if there is one */
	char into[300];		/* the function that it was inlined into, or "" */
	char line[300];		/* "transpose.c:10", without folders; or "" */
	char object[200];	/* without folders */
};
void miss_place(struct miss_place *out, const struct assay_row *row,
		size_t most);
/* "push <- insert (list.h:31) <- main (x.c:20)": the next caller and its line;
 * false: no more. *rest is the text, and moves on. */
bool miss_caller(const char **rest, char *function, char *line, size_t room);
/* The name, if it has more than `most` bytes without the arguments of templates
 * and functions, and without controls. */
void miss_short_name(char *out, size_t room, const char *name, size_t most);

#endif
