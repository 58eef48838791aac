/* SPDX-License-Identifier: MIT */
/* The counts of many shapes, the truth of each shape, and the verdicts. */
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
	const char *quantity;	/* static: quantity claimed by name, or NULL */
	const struct expr *says;	/* the vendor's text, or NULL */
	const char *says_text, *erratum;	/* borrowed: why claim and
						 * vendor differ */
	double vendor_count;	/* by the vendor's text, where furthest from
				 * the claim; NAN: nowhere apart */
	double vendor_distance;
	size_t vendor_row;
	char why[ASSAY_WHY];	/* not counted, and why */
	bool estimated;		/* in some row the count was an estimate */
	bool unasked;		/* no verdict on the event is wanted */
	bool alive;		/* a program's: some count was above 0 */
	char excuse[ASSAY_WHY];	/* why bounds replace what was stated; or "" */
	char open[ASSAY_WHY];	/* why nothing is claimed of the event; or "" */
	char impossible[ASSAY_WHY];	/* a count that cannot be; or "" */
	char conflict[320];	/* the witnesses' bounds where they contradict
				 * each other the most */
	double conflict_share;	/* how far apart these bounds are, as a share */
};

struct panel {
	struct panel_event *event;
	size_t events;
	struct fit_row *row;
	double *count, *claim;	/* rows x PANEL_EVENTS */
	double *low, *high;	/* rows x PANEL_EVENTS: bounds by all
				 * witnesses; NAN: no bounds, or a
				 * contradiction */
	unsigned char *witness_bits;	/* rows x PANEL_EVENTS: which witnesses
					 * gave bounds, and which agreed */
	double *disturbance;		/* of each row: the most counts that the
				 * system may have added; 0: none */
	size_t rows, room;
	struct panel_shape {
		char kernel[24], text[160];
		char size[40];	/* the first option of text */
		char microcode[24];	/* of the machine that counted, or "" */
	} *shape;
	size_t shapes;
	struct panel_witness {
		unsigned bounded, silent;	/* shapes */
		const char *why;	/* silent, the first time; static */
	} witness[WITNESSES];
	bool real_machine;	/* counts of a real machine, with
				 * disturbances */
};

int panel_init(struct panel *panel, struct assay_error *err);
void panel_fini(struct panel *panel);

/* Appends an event if its name is new. Returns its index, or -1: full. */
int panel_add_event(struct panel *panel, const char *name, const char *code);
/* The event named `name` (any case), or -1. */
int panel_find(const struct panel *panel, const char *name);
/* Adds the countable events of a CPU file; all: the others, with reasons. */
void panel_add_cpu(struct panel *panel, const struct cpu *cpu, bool all);

/* Sets the event's claim from the CPU file's entry; borrows from the entry. */
void panel_set_claim(struct panel *panel, size_t event,
		     const struct cpu_event *e);

/* Adds a shape; rows added later belong to it. Returns 0 or -ASSAY_ENOMEM. */
int panel_add_shape(struct panel *panel, const char *kernel, const char *text);
/* The first row of the shape that follows the row's shape. */
size_t panel_next_shape(const struct panel *panel, size_t row);
/*
 * Adds a row, one repetition of the last shape, without counts. signal: the
 * true signals, from which the events' claims follow; NULL: no claims. Returns
 * the row's index or -ASSAY_ENOMEM.
 */
int panel_add_row(struct panel *panel, const uint64_t *signal,
		  const struct geometry *geometry);
/* Copies the counts of the record's repetition `repeat` into the row. */
void panel_count(struct panel *panel, size_t row,
		 const struct assay_record *record, unsigned repeat);
/* Claims for the row that the event must count low .. high of the quantity. */
void panel_claim(struct panel *panel, size_t row, const char *event,
		 enum assay_quantity quantity, double low, double high);

/* The same by a witness, with the quantity's name; the name stays there. */
void panel_state(struct panel *panel, size_t row, const char *event,
		 const char *quantity, enum witness_kind witness, double low,
		 double high);

/*
 * Joins the witnesses' bounds for a row whose counts are filled in. The claim
 * of each event that has an expression becomes the intersection of the bounds.
 * Where witnesses contradict each other, nothing is claimed.
 */
void panel_add_evidence(struct panel *panel, size_t row,
			const struct evidence *t);

/* Do closed forms alone bound the cell from both sides? */
bool panel_is_closed(const struct panel *panel, size_t cell);

/* Counts a shape that the witness bounded; with `why`: gave no bounds for. */
void panel_count_witness(struct panel *panel, enum witness_kind witness,
		     const char *why);

/* In how many shapes the witnesses bounded an event's count and agreed. */
struct panel_agreement {
	unsigned bounded[WITNESSES], agreed[WITNESSES];
	unsigned conflict;	/* the witnesses contradict each other */
};
void panel_agreement(const struct panel *panel, size_t event,
		 struct panel_agreement *out);
/* The agreement in words, for the verdict. */
void panel_agreement_text(char *out, size_t room,
			  const struct panel_agreement *h);

/* The verdicts, owned by the caller; NULL: out of memory. */
struct certificate_event *panel_judge(const struct panel *panel,
				      struct fit_result **fits);

#endif
