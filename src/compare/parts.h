/* SPDX-License-Identifier: MIT */
/*
 * What the files of this room share. A source holds groups of records: the
 * repetitions of one shape. A group of the old source and its partner of a new
 * one are a pair; a pair has changes, one for each quantity.
 */
#ifndef COMPARE_PARTS_H
#define COMPARE_PARTS_H

#include "analysis/compare/compare.h"
#include "assay.h"
#include "store/places.h"
#include "store/store.h"

/* ---- source.c ------------------------------------------------------------ */

struct source {
	const char *name;
	struct store store;
	struct places places;
};

/* Reads a file, or runs the job on "sim:CPU". Ends with source_fini(). */
int source_read(struct source *out, struct assay *assay, const char *name,
		const struct assay_job *job, struct assay_error *err);
void source_fini(struct source *source);

/* ---- groups.c ------------------------------------------------------------ */

#define GROUPS_MOST 1024u

struct group {
	const struct assay_record **record;
	size_t records;
	const struct place_row *place;	/* of the first record */
	size_t places;
};

struct groups {
	struct group *group;
	size_t groups;
};

int groups_make(struct groups *out, const struct source *source,
		struct assay_error *err);
void groups_fini(struct groups *groups);

/* "chase elements 4096 order shuffled", or the program's title. */
const char *groups_label(char *out, size_t room, const struct group *group);

/* The group that the one of `from` is compared with, or NULL. */
const struct group *groups_partner(const struct groups *in,
				   const struct group *of,
				   const struct groups *from);

/* ---- quantities.c -------------------------------------------------------- */

struct change {
	char name[ASSAY_NAME];
	const char *unit;	/* or NULL */
	struct compare_change by;
	char why[200];		/* by.why, if it is made here */
	size_t values[2];	/* readings: old, new */
	size_t pair;
};

struct pair {
	const struct group *old, *new;
	struct change *change;
	size_t changes, room;
};

/* Fills pair->change. Free it. Returns 0 or -ASSAY_ENOMEM. */
int quantities_compare(struct pair *pair, struct assay_error *err);

/* Why nothing of the two records can be compared, or NULL. */
const char *quantities_barred(const struct assay_record *old,
			      const struct assay_record *new);

/* The unsigned size of a change relative to the old value; INFINITY from 0. */
double change_size(const struct compare_change *change);

/* ---- lines.c ------------------------------------------------------------- */

/* A line of a function, old beside new. NULL: there was none. */
struct line_pair { const struct place_row *old, *new; };

struct lines {
	struct line_pair *pair;	/* lines of one function stand together */
	size_t pairs;
};

/* The lines of both groups; those of one function are paired in their order. */
int lines_make(struct lines *out, const struct pair *pair,
	       struct assay_error *err);
void lines_fini(struct lines *lines);

/* "a.c" of "dir/a.c" */
const char *lines_base_name(const char *path);
/* The column of that name, or -1. */
int lines_column(const char *name);
/* 0: there is no such line. */
double lines_old(const struct line_pair *pair, int column);
double lines_new(const struct line_pair *pair, int column);
/* Of the line that is there now, or was. */
const struct place_row *lines_row(const struct line_pair *pair);
/* Do both lines belong to one function? */
bool lines_alike(const struct line_pair *a, const struct line_pair *b);

/* The function, and its line, that hold most of a change up or down. */
struct held {
	const struct place_row *line;	/* NULL: not known */
	double change;			/* of the function */
};
struct held lines_held(const struct lines *lines, int column, bool up);

/* ---- limits.c ------------------------------------------------------------ */

/* A limit on one pair. */
struct judged {
	enum compare_kept kept;
	double change, old;	/* not of COMPARE_NOT_JUDGED */
	char why[300];
};
void limits_judge(struct judged *out, const struct compare_limit *limit,
		  const struct pair *pair, const struct lines *lines);

/* ---- answer.c ------------------------------------------------------------ */

struct counted { unsigned state[COMPARE_UNKNOWN + 1]; };

/* The change that the first sentence names, or NULL. */
const struct change *answer_head(const struct pair *pair, size_t pairs);

/* "worse: dram_reads 12 -> 48 (+300.0 %), 30 of them in main (a.c:7)". */
void answer_say(char *out, size_t room, const struct change *head,
		const struct lines *lines, const struct counted *counted);
/* "main (a.c:7)", or "". */
void answer_place(char *out, size_t room, const struct held *held);

#endif
