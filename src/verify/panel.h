/* SPDX-License-Identifier: MIT */
/* The counts of many shapes beside what is true of them, and the verdicts. */
#ifndef VERIFY_PANEL_H
#define VERIFY_PANEL_H

#include "analysis/fit/fit.h"
#include "verify/evidence.h"
#include "base/certificate.h"
#include "cpus/cpu.h"
#include "sim/sim.h"

#define PANEL_EVENTS 512

struct panel_event {
	char name[ASSAY_NAME], code[48];
	const char *claim_text;		/* borrowed from the CPU file */
	const struct expr *counts;	/* the claim over signals, or NULL */
	const char *quantity;	/* static: what was claimed of it by name, or
				 * NULL */
	const struct expr *says;	/* the vendor's text, or NULL */
	const char *says_text, *erratum;	/* borrowed: why they differ */
	double said;		/* by the vendor's text where that is furthest
				 * from the claim; NAN: nowhere */
	double apart;
	size_t said_row;
	char why[ASSAY_WHY];	/* not counted, and why */
	bool estimated;		/* somewhere it was only an estimate */
	bool unasked;		/* no verdict on it is wanted */
	char torn[320];		/* what witnesses said where they contradict
				 * each other most */
	double apart_by;	/* there, as a share */
};

struct panel {
	struct panel_event *event;
	size_t events;
	struct fit_row *row;
	double *count, *claim;	/* rows x PANEL_EVENTS */
	double *low, *high;	/* the same: what all witnesses allow; NAN: they
				 * say nothing, or contradict each other */
	unsigned char *heard;	/* the same: who spoke, and agreed */
	double *beside;		/* of each row: so many more counts may be of
				 * what the system did; 0: there was none */
	size_t rows, room;
	struct panel_shape {
		char kernel[24], text[160];
		char size[40];	/* the first option of text */
		char microcode[24];	/* of the machine that ran it, or "" */
	} *shape;
	size_t shapes;
	struct panel_witness {
		unsigned spoke, silent;	/* shapes */
		const char *why;	/* silent, the first time; static */
	} witness[WITNESSES];
	bool real_machine;	/* counts of a real machine, with whatever
				 * happened beside */
};

int panel_init(struct panel *panel, struct assay_error *err);
void panel_fini(struct panel *panel);

/* Appends an event; one more of that name is none. Its index, or -1: full. */
int panel_add_event(struct panel *panel, const char *name, const char *code);
/* The event of that name (any case), or -1. */
int panel_find(const struct panel *panel, const char *name);
/* All events of a CPU file that it counts; all: the others with reasons. */
void panel_add_cpu(struct panel *panel, const struct cpu *cpu, bool all);

/* What a CPU file says that the event counts; borrows from it. */
void panel_know(struct panel *panel, size_t event, const struct cpu_event *e);

/* A further shape; rows that follow belong to it. 0 or -ASSAY_ENOMEM. */
int panel_add_shape(struct panel *panel, const char *kernel, const char *text);
/* The first row of the shape after that row's. */
size_t panel_next_shape(const struct panel *panel, size_t row);
/*
 * A further row, a repetition of the last shape: nothing counted, nothing
 * claimed. signal: what was true of it, with the claims that follow from it;
 * or NULL. Returns its index or -ASSAY_ENOMEM.
 */
int panel_add_row(struct panel *panel, const uint64_t *signal,
		  const struct geometry *geometry);
/* Repetition `repeat` of a record into that row. */
void panel_count(struct panel *panel, size_t row,
		 const struct assay_record *record, unsigned repeat);
/* An event must have counted low .. high of the quantity in that row. */
void panel_claim(struct panel *panel, size_t row, const char *event,
		 enum assay_quantity quantity, double low, double high);

/*
 * What the witnesses say of that row, which is counted already: the claim of
 * every event that has an expression becomes what all of them allow. Where
 * they contradict each other nothing is claimed.
 */
void panel_hear(struct panel *panel, size_t row, const struct evidence *t);

/* Do closed forms alone bound that cell from both sides? */
bool panel_is_closed(const struct panel *panel, size_t cell);

/* One more shape that a witness spoke about, or (why) did not. */
void panel_witnessed(struct panel *panel, enum witness_kind witness,
		     const char *why);

/* How the witnesses stood to an event, in shapes. */
struct panel_heard {
	unsigned spoke[WITNESSES], agreed[WITNESSES];
	unsigned torn;		/* they contradict each other */
};
void panel_heard(const struct panel *panel, size_t event,
		 struct panel_heard *out);
/* The same in words for the verdict. */
void panel_heard_text(char *out, size_t room, const struct panel_heard *h);

/* The verdicts, owned by the caller; NULL: out of memory. */
struct certificate_event *panel_judge(const struct panel *panel,
				      struct fit_result **fits);

#endif
