/* SPDX-License-Identifier: MIT */
/*
 * What one more step of work costs a program (--slope N,M): the program runs
 * with N, with M and, to verify, with 2M - N steps. Each count is taken as a
 * line through the first two runs; the third shows how far off the line it is.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assay.h"
#include "base/record.h"
#include "base/row.h"
#include "base/text.h"
#include "program/program.h"

enum { RUNS = 3, LINES = ASSAY_EVENTS + ASSAY_QUANTITIES };

static const char place[] = "{n}";

struct steps {
	simulate_fn *simulate;
	struct assay *assay;
	uint64_t n[RUNS];
	int status[RUNS];
	unsigned run;
	unsigned lines;
	char name[LINES][64];
	struct assay_value value[RUNS][LINES];
	assay_result_fn *result;
	assay_row_fn *row;
	void *ctx;
};

/* A line of the answer. */
struct slope {
	const char *name;
	struct assay_value step, fixed, off;
	double share;		/* of `off` in what the added steps cost */
};

/* ---- the runs ----------------------------------------------------------- */

static void keep(struct steps *s, const char *name, struct assay_value value)
{
	text_copy(s->name[s->lines], sizeof(s->name[0]), name);
	/* the reasons are the record's */
	if (value.why)
		value.why = "not counted";
	s->value[s->run][s->lines++] = value;
}

static int on_result(void *ctx, const struct assay_result *result)
{
	struct steps *s = ctx;
	const struct assay_record *r = result->record;

	s->lines = 0;
	for (unsigned e = 0; e < r->events; e++)
		keep(s, r->event[e].name, assay_record_value(r, e));
	for (int q = 0; q < ASSAY_QUANTITIES; q++)
		keep(s, assay_quantity_name(q), r->truth.of[q]);
	return s->result(s->ctx, result);
}

/* The rows of the largest run; the others say the same. */
static int on_row(void *ctx, const struct assay_row *row)
{
	struct steps *s = ctx;

	return s->run == RUNS - 1 ? s->row(s->ctx, row) : 0;
}

/* The argument with the number in each place for it. NULL: no memory. */
static char *fill_in(const char *argument, uint64_t n)
{
	const size_t room = strlen(argument) * 7 + 1;
	char *out = calloc(room, 1);
	const char *next;

	for (; out && (next = strstr(argument, place));
	     argument = next + sizeof(place) - 1)
		text_add(out, room, "", "%.*s%" PRIu64, (int)(next - argument),
			 argument, n);
	if (out)
		text_add(out, room, "", "%s", argument);
	return out;
}

static void free_all(char **arguments)
{
	for (size_t i = 0; arguments && arguments[i]; i++)
		free(arguments[i]);
	free(arguments);
}

/* NULL: no memory. */
static char **fill_in_all(char *const *arguments, uint64_t n)
{
	size_t all = 0;
	char **out;

	while (arguments[all])
		all++;
	out = calloc(all + 1, sizeof(*out));
	for (size_t i = 0; out && i < all; i++) {
		out[i] = fill_in(arguments[i], n);
		if (!out[i]) {
			free_all(out);
			return NULL;
		}
	}
	return out;
}

static int run(struct steps *s, const struct assay_simulation *what,
	       struct assay_error *err)
{
	struct assay_simulation one = *what;
	char **arguments = fill_in_all(what->program, s->n[s->run]);
	int rc;

	if (!arguments)
		return error_memory(err);
	one.program = arguments;
	if (s->run < RUNS - 1)
		one.callgrind = NULL;
	rc = s->simulate(s->assay, &one, on_result, on_row, s,
			 &s->status[s->run], err);
	free_all(arguments);
	if (rc == 0 && s->status[s->run] > 128)
		return error_set(err, -ASSAY_EIO, "signal %d ended the program "
				 "with {n} = %" PRIu64 ": there is no slope",
				 s->status[s->run] - 128, s->n[s->run]);
	if (rc == 0 && s->status[s->run] != s->status[0])
		return error_set(err, -ASSAY_EIO, "the program ended with %d "
				 "for {n} = %" PRIu64 ", and with %d for %"
				 PRIu64 ": there is no slope", s->status[0],
				 s->n[0], s->status[s->run], s->n[s->run]);
	return rc;
}

/* ---- the line ----------------------------------------------------------- */

/* false: the count is always 0, or not known. */
static bool fit(const struct steps *s, unsigned line, struct slope *out)
{
	const struct assay_value *a = &s->value[0][line],
				 *b = &s->value[1][line],
				 *c = &s->value[2][line];
	const double rise = b->number - a->number;

	*out = (struct slope){ .name = s->name[line] };
	if (a->why || b->why || c->why ||
	    (!a->number && !b->number && !c->number))
		return false;
	out->step.number = rise / (double)(s->n[1] - s->n[0]);
	out->fixed.number = a->number - out->step.number * (double)s->n[0];
	out->off.number = c->number - (b->number + rise);
	out->step.estimate = out->fixed.estimate = out->off.estimate =
		a->estimate || b->estimate || c->estimate;
	out->share = out->off.number ?
		     fabs(out->off.number) / fmax(fabs(rise), 1) : 0;
	return true;
}

static int put(const struct steps *s, const struct slope *line)
{
	struct assay_field field[] = {
		field_text("of", line->name),
		field_detail("work", "{n}"),
		field_value("per_unit", line->step),
		field_value("overhead", line->fixed),
		field_value("curvature", line->off),
		field_share("off_the_line", plain_value(line->share)),
	};

	return ROW_EMIT(s->row, s->ctx, "slope", field);
}

static const enum assay_quantity answered[] = {
	ASSAY_Q_instructions, ASSAY_Q_l1d_refills, ASSAY_Q_l2_refills,
	ASSAY_Q_dram_reads, ASSAY_Q_mispredicts,
};

/* "12 345", "0.25" */
static void number_text(char *out, size_t room, double number)
{
	const double rounded = round(number);

	if (fabs(number) >= 100 || number == rounded) {
		text_groups(out, room, (uint64_t)fabs(rounded));
		if (rounded < 0 && strlen(out) + 1 < room) {
			memmove(out + 1, out, strlen(out) + 1);
			*out = '-';
		}
	} else {
		snprintf(out, room, "%.3g", number);
	}
}

static const char *plain_name(enum assay_quantity q)
{
	static const char *const names[ASSAY_QUANTITIES] = {
		[ASSAY_Q_instructions] = "instructions",
		[ASSAY_Q_l1d_refills] = "L1D refills",
		[ASSAY_Q_l2_refills] = "L2 refills",
		[ASSAY_Q_dram_reads] = "lines from memory",
		[ASSAY_Q_mispredicts] = "mispredicts",
	};

	return names[q];
}

/* The quantity that is farthest off its line, of those that people see. */
static void add_linearity(const struct steps *s, char *out, size_t room)
{
	const char *worst = NULL;
	double most = 0;
	struct slope line;

	for (size_t i = 0; i < sizeof(answered) / sizeof(*answered); i++) {
		const unsigned at = s->lines - ASSAY_QUANTITIES + answered[i];

		if (fit(s, at, &line) && line.share > most) {
			most = line.share;
			worst = plain_name(answered[i]);
		}
	}
	if (!worst)
		text_add(out, room, "; ", "%" PRIu64 " steps lie on the same "
			 "line", s->n[2]);
	else
		text_add(out, room, "; ", "at %" PRIu64 " steps %s are off "
			 "the line by %.2g %%", s->n[2], worst, 100 * most);
}

static int put_answer(const struct steps *s)
{
	char out[600] = "", fixed[40] = "", step[40];
	struct assay_field field;
	struct slope line;

	for (size_t i = 0; i < sizeof(answered) / sizeof(*answered); i++) {
		const unsigned at = s->lines - ASSAY_QUANTITIES + answered[i];

		if (!fit(s, at, &line) ||
		    (answered[i] != ASSAY_Q_instructions &&
		     !line.step.number))
			continue;
		number_text(step, sizeof(step), line.step.number);
		text_add(out, sizeof(out), ", ", "%s%s %s",
			 *out ? "" : "One step costs ", step,
			 plain_name(answered[i]));
		if (answered[i] == ASSAY_Q_instructions)
			number_text(fixed, sizeof(fixed), line.fixed.number);
	}
	if (*fixed)
		text_add(out, sizeof(out), "; ", "the program without a "
			 "step %s instructions", fixed);
	add_linearity(s, out, sizeof(out));
	field = field_text("answer", out);
	return row_emit(s->row, s->ctx, "answer", &field, 1);
}

static int put_all(const struct steps *s)
{
	struct slope line;
	int rc = put_answer(s);

	for (unsigned i = 0; i < s->lines && rc == 0; i++)
		if (fit(s, i, &line))
			rc = put(s, &line);
	return rc;
}

/* ---- the command -------------------------------------------------------- */

/* "1000,2000" */
static int parse(struct steps *s, const char *text, struct assay_error *err)
{
	char word[64];

	for (int i = 0; i < 2; i++)
		if (!text_item(&text, word, sizeof(word)) ||
		    text_count(&s->n[i], word, NULL) < 0)
			return error_set(err, -ASSAY_EINVAL, "a slope needs "
					 "two numbers of steps, as 1000,2000");
	if (text_item(&text, word, sizeof(word)) || s->n[1] <= s->n[0] ||
	    s->n[1] > INT64_MAX / 2)
		return error_set(err, -ASSAY_EINVAL, "a slope needs two "
				 "numbers of steps, the larger one last");
	s->n[2] = 2 * s->n[1] - s->n[0];
	return 0;
}

static bool has_place(char *const *arguments)
{
	for (size_t i = 1; arguments[0] && arguments[i]; i++)
		if (strstr(arguments[i], place))
			return true;
	return false;
}

int steps_simulate(simulate_fn *simulate, struct assay *assay,
		   const struct assay_simulation *what, assay_result_fn *result,
		   assay_row_fn *row, void *ctx, int *status,
		   struct assay_error *err)
{
	struct steps *s = calloc(1, sizeof(*s));
	int rc;

	if (!s)
		return error_memory(err);
	s->simulate = simulate;
	s->assay = assay;
	s->result = result;
	s->row = row;
	s->ctx = ctx;
	rc = parse(s, what->slope, err);
	if (rc == 0 && (!what->program || !has_place(what->program)))
		rc = error_set(err, -ASSAY_EINVAL, "no argument of the program "
			       "holds {n}, the place for the number of steps");
	for (s->run = 0; rc == 0 && s->run < RUNS; s->run++)
		rc = run(s, what, err);
	if (rc == 0)
		rc = put_all(s);
	if (rc == 0)
		*status = s->status[0];
	free(s);
	return rc;
}
