/* SPDX-License-Identifier: MIT */
/* Declarations that the files of the judge share; private to this folder. */
#ifndef ANALYSIS_JUDGE_PARTS_H
#define ANALYSIS_JUDGE_PARTS_H

#include <math.h>

#include "analysis/judge/judge.h"

/* Shapes of one program, or a part of them. */
struct judge_list {
	struct judge_shape *const *shape;
	size_t shapes;
};

/* Room for the readings of the largest shape; off: distances to the truth. */
struct judge_room { double *off, *sorted; };

/* ---- spread.c: means, intervals, spikes ---------------------------------- */

/* Student's 99.5 % quantile with k degrees of freedom. */
double judge_student(unsigned k);
/* Lower 97.5 % bound of a standard deviation seen in n readings. */
double judge_least_sd(double sd, unsigned n);
double judge_mean(const double *value, size_t n);
double judge_sd(const double *value, size_t n);
double judge_median(double *value, size_t n);	/* sorts */
void judge_swap(const struct judge_row **row, size_t a, size_t b);
/* Moves the spikes among the first n readings of room->off and s->row behind
 * the other readings. Returns the number of the other readings. */
size_t judge_leave_out(struct judge_room *room, struct judge_shape *s,
		       size_t n);
/* Half-width of the 99 % confidence interval of the mean of n readings. */
double judge_half(double sd, size_t n, double mean, double scaled,
		  double resolution);

/* ---- label.c ------------------------------------------------------------- */

bool judge_is_rate(const struct judge_shape *s);
/* Tolerance for start and stop: 3 counts and a coarse resolution; 0.02 of a
 * rate. */
double judge_floor(const struct judge_shape *s);
double judge_margin(const struct judge_shape *s, enum judge_truth truth,
		    bool capped);
/* The shape's truth, or the middle of the truth's bounds. */
double judge_middle(const struct judge_shape *s);
void judge_label(struct judge_shape *s, bool no_margins);
static inline bool judge_known(const struct judge_shape *s)
{
	return s->label >= JUDGE_IN;
}
static inline bool judge_fails(const struct judge_shape *s)
{
	return s->label >= JUDGE_UNDER;
}

/* ---- measure.c ----------------------------------------------------------- */

/* Fills the truth of s from its rows, and moves spikes and counts below 0
 * behind the readings that count. */
void judge_collect(struct judge_shape *s, const struct judge_input *in,
		   struct judge_room *room);
/* Fills mean, interval and label of s; needs s->each. */
void judge_settle(struct judge_shape *s, const struct judge_input *in,
		  struct judge_room *room);
bool judge_is_unstable(const struct judge_shape *s);
/*
 * Checks failures against the scatter that the shapes of an event have in
 * common. Of many shapes some have readings that lie together by chance, and
 * intervals that are too narrow. A failure that the common scatter explains is
 * relabelled as unsure.
 */
void judge_pool(struct judge_list list);
/* Whether the shape's quantity varies from run to run by nature: cycles,
 * time. */
bool judge_is_restless(const struct judge_shape *s);
int judge_room_open(struct judge_room *room, size_t readings);
void judge_room_close(struct judge_room *room);

/* ---- covariate.c, least.c ------------------------------------------------ */

/* Finds how many counts each interrupt and each page fault adds in a program's
 * shapes. Returns 0 or -ASSAY_ENOMEM, as does judge_least(), which also
 * returns -ASSAY_EUNAVAIL without LAPACKE. */
int judge_covariates(struct judge_list list, const struct judge_input *in,
		     struct judge_each *each);
/* Finds the counts that any covariate adds, where interrupts and page faults do
 * not explain the distance (least.c). Needs labels. Leaves *each if what is
 * found explains too little. */
int judge_least(struct judge_list list, struct judge_each *each);
/* Value of a covariate in one row, NAN if not known; mean over a shape. */
double judge_covariate_at(const struct judge_row *row, int index);
double judge_covariate_mean(const struct judge_shape *s, int index);
/* Distance of reading i from its truth (without a truth: the count), less the
 * counts that covariates add; mean over the readings. */
double judge_off_at(const struct judge_shape *s, size_t i);
double judge_off_mean(const struct judge_shape *s);
/* Index of the covariate called `name`, or -1. */
int judge_covariate(const struct judge_input *in, const char *name);

/* ---- line.c -------------------------------------------------------------- */

/* Whether the largest truth is at least `factor` times the smallest, which
 * separates a constant from a share. */
bool judge_leverage(struct judge_list list, double factor);
bool judge_round(double factor, const struct judge_shape *s);
/* The simplest line that fits every shape with a truth; its coefficients. */
enum judge_line judge_fit(struct judge_list list, double *factor,
			  double *constant);
/* Whether a factor alone fits; for regions and single shapes. */
bool judge_factor(struct judge_list list, double *factor, double *misfit);

/* ---- facts.c ------------------------------------------------------------- */

/* Facts of all shapes of a program, or (region) of one stretch of them. */
void judge_gather(struct judge_facts *f, struct judge_list list, bool region);
/* Adds the facts of a part to a scope of several parts. */
void judge_combine(struct judge_facts *f, const struct judge_facts *part,
		   enum assay_class class_);
bool judge_is_hidden(const char *quantity);
bool judge_is_alive(const struct judge_shape *s);

/* ---- decide.c ------------------------------------------------------------ */

enum judge_sure judge_surety(const struct judge_facts *f,
			     enum assay_class class_);
/* Whether the counts of this class can be trusted, at least after
 * correction. */
bool judge_is_right(enum assay_class class_);
bool judge_is_failure(enum assay_class class_);

/* ---- event.c ------------------------------------------------------------- */

struct judge_sink {
	judge_verdict_fn *verdict;
	void *ctx;
};
/* Judges all programs of one event on one machine. */
int judge_event(struct judge_shape *shape, size_t shapes,
		const struct judge_sink *sink);

/* ---- region.c ------------------------------------------------------------ */

/* The first numeric key whose values differ between the shapes; "" if there is
 * none. Fills .parameter of the shapes. */
const char *judge_parameter(struct judge_list list);
/* End of the stretch of equal labels that begins at shape `from`; *label: the
 * label of the stretch. */
size_t judge_stretch(struct judge_list list, size_t from,
		     enum judge_label *label);

/* ---- law.c, doubt.c, microcode.c ----------------------------------------- */

/* End of the place that begins at `from`: shapes of one program and shape text,
 * one for each event. */
size_t judge_place(struct judge_list list, size_t from);
/* Marks truths that other events of the place refute, and counters that are
 * found wrong; the place is sorted by event. */
void judge_doubts(struct judge_list place);
/* Marks events that read 0 although a part of the event does not; with a sink
 * hands out violated laws. The list holds the shapes of one machine, sorted by
 * program and shape. */
int judge_laws(struct judge_list list, const struct judge_sink *sink);
int judge_microcodes(struct judge_list list, const struct judge_sink *sink);

/* ---- say.c, sentence.c, next.c, give.c ----------------------------------- */

struct judge_words {
	char text[JUDGE_TEXT];
	size_t used;
};
void judge_add(struct judge_words *w, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Adds a share as "1.6 %"; never as 0. */
void judge_add_percent(struct judge_words *w, double part);
/* "604 583", "0.28", "3.35 x 10^15" */
void judge_add_number(struct judge_words *w, double number);
/* "2.01 times" */
void judge_add_times(struct judge_words *w, double factor);
/* Rounds a number to whole steps of the shape's resolution. */
double judge_step(const struct judge_shape *s, double number);
/* Adds how far the mean is from the truth: "8 % more", "2.01 times" or
 * "1 count more". */
void judge_add_off(struct judge_words *w, const struct judge_shape *s);
/* The part whose class a scope of several parts took over, or NULL. */
const struct judge_verdict *judge_leading(const struct judge_verdict *v);
void judge_sentence(struct judge_words *w, const struct judge_verdict *v);
void judge_next(struct judge_words *w, const struct judge_verdict *v);
/* Fills .class_, .sure, .text, .next and hands the verdict out. */
int judge_give(struct judge_verdict *v, const struct judge_sink *sink);

#endif
