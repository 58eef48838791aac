/* SPDX-License-Identifier: MIT */
/* What the parts of the judge share: private to its folder. */
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
 * the others. Returns how many those others are. */
size_t judge_leave_out(struct judge_room *room, struct judge_shape *s,
		       size_t n);
/* 99 % half-width of the mean of n readings. */
double judge_half(double sd, size_t n, double mean, double scaled,
		  double resolution);

/* ---- label.c ------------------------------------------------------------- */

bool judge_is_rate(const struct judge_shape *s);
/* What start and stop add: 3 counts, or 0.02 of a rate. */
double judge_floor(const struct judge_shape *s);
double judge_margin(const struct judge_shape *s, enum judge_truth truth,
		    bool capped);
/* The truth, or the middle of its bounds. */
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

/* From the rows of s its truth and the readings that count. */
void judge_collect(struct judge_shape *s, const struct judge_input *in,
		   struct judge_room *room);
/* And then, once .each is known, mean, interval and label. */
void judge_settle(struct judge_shape *s, const struct judge_input *in,
		  struct judge_room *room);
bool judge_is_unstable(const struct judge_shape *s);
/*
 * Of many shapes some have readings that lie together by chance, so that their
 * own interval is too small. A failure must also stand before the scatter that
 * the event's shapes have in common; what does not is unsure.
 */
void judge_pool(struct judge_list list);
/* A quantity that differs from run to run by nature. */
bool judge_is_restless(const struct judge_shape *s);
int judge_room_open(struct judge_room *room, size_t readings);
void judge_room_close(struct judge_room *room);

/* ---- covariate.c, least.c ------------------------------------------------ */

/* Finds how many counts each interrupt and each page fault adds in a program's
 * shapes. Returns 0 or -ASSAY_ENOMEM, as does judge_least(). */
int judge_covariates(struct judge_list list, const struct judge_input *in,
		     struct judge_each *each);
/* The same for any covariates, where these two do not explain all: least.c.
 * Needs labels; each is emptied if it explains too little. */
int judge_least(struct judge_list list, struct judge_each *each);
/* Of one reading, NAN if not known; their mean. */
double judge_covariate_at(const struct judge_row *row, int index);
double judge_covariate_mean(const struct judge_shape *s, int index);
/* Distance of reading i to its truth, less the covariates' counts; the count
 * where no truth is known. */
double judge_off_at(const struct judge_shape *s, size_t i);
double judge_off_mean(const struct judge_shape *s);
/* Index of the covariate, or -1. */
int judge_covariate(const struct judge_input *in, const char *name);

/* ---- line.c -------------------------------------------------------------- */

/* Whether t varies enough to tell a constant from a share. */
bool judge_leverage(struct judge_list list, double factor);
bool judge_round(double factor, const struct judge_shape *s);
/* Which line fits every shape with a truth, and its numbers. */
enum judge_line judge_fit(struct judge_list list, double *factor,
			  double *constant);
/* A factor alone, over a region. */
bool judge_factor(struct judge_list list, double *factor, double *misfit);

/* ---- facts.c ------------------------------------------------------------- */

/* A scope of a program: all its shapes (.region == false), or a stretch. */
void judge_gather(struct judge_facts *f, struct judge_list list, bool region);
/* A scope of several others. */
void judge_combine(struct judge_facts *f, const struct judge_facts *part,
		   enum assay_class class_);
bool judge_is_hidden(const char *quantity);
bool judge_is_alive(const struct judge_shape *s);

/* ---- decide.c ------------------------------------------------------------ */

/* The only place where a class is decided. */
enum assay_class judge_decide(const struct judge_facts *f);
enum judge_sure judge_surety(const struct judge_facts *f,
			     enum assay_class class_);
/* Exact, or exact less something. */
bool judge_is_right(enum assay_class class_);
bool judge_is_failure(enum assay_class class_);

/* ---- event.c ------------------------------------------------------------- */

struct judge_sink {
	judge_verdict_fn *verdict;
	void *ctx;
};
/* All of one event on one machine; sorts the shapes by their parameter. */
int judge_event(struct judge_shape *shape, size_t shapes,
		const struct judge_sink *sink);

/* ---- region.c ------------------------------------------------------------ */

/* The first numeric key that varies; "" if none does. Fills .parameter. */
const char *judge_parameter(struct judge_list list);
/* End of the stretch of equal labels that begins at `from`; its label. */
size_t judge_stretch(struct judge_list list, size_t from,
		     enum judge_label *label);

/* ---- law.c, doubt.c, microcode.c ----------------------------------------- */

/* End of the events of one program and shape that begin at `from`. */
size_t judge_place(struct judge_list list, size_t from);
/* Marks what the events of one place say of each other; sorted by event. */
void judge_doubts(struct judge_list place);
/* Marks what is empty; with a sink hands out violated laws. One machine's
 * shapes, sorted by program and shape. */
int judge_laws(struct judge_list list, const struct judge_sink *sink);
int judge_microcodes(struct judge_list list, const struct judge_sink *sink);

/* ---- say.c, sentence.c, next.c, give.c ----------------------------------- */

struct judge_words {
	char text[JUDGE_TEXT];
	size_t used;
};
void judge_add(struct judge_words *w, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* "1.6 %": of a part; never 0. */
void judge_add_percent(struct judge_words *w, double part);
/* "604 583", "0.28" */
void judge_add_number(struct judge_words *w, double number);
/* In whole steps of the shape's counts, or of its rates' digits. */
double judge_step(const struct judge_shape *s, double number);
/* "+8 %", "2.01 times", "1 count more": how far m is from t > 0. */
void judge_add_off(struct judge_words *w, const struct judge_shape *s);
/* The part that made the class of a scope of several; or NULL. */
const struct judge_verdict *judge_leading(const struct judge_verdict *v);
void judge_sentence(struct judge_words *w, const struct judge_verdict *v);
void judge_next(struct judge_words *w, const struct judge_verdict *v);
/* Fills .class_, .sure, .text, .next and hands the verdict out. */
int judge_give(struct judge_verdict *v, const struct judge_sink *sink);

#endif
