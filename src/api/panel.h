/* SPDX-License-Identifier: MIT */
/* The counts of many shapes beside what is true of them, and the verdicts. */
#ifndef API_PANEL_H
#define API_PANEL_H

#include "analysis/fit.h"
#include "base/certificate.h"
#include "cpus/cpu.h"
#include "sim/sim.h"

#define PANEL_EVENTS 512

struct panel_event {
	char name[ASSAY_NAME], code[48];
	const char *claim_text;		/* borrowed from the CPU file */
	const struct expr *counts;	/* the claim over signals, or NULL */
	const char *band;	/* static: agrees, but only within a band that
				 * no claim was made of; or NULL */
	const struct expr *says;	/* the vendor's text, or NULL */
	const char *says_text, *erratum;	/* borrowed: why they differ */
	double said;		/* by the vendor's text where that is furthest
				 * from the claim; NAN: nowhere */
	double apart;
	size_t said_row;
	char why[ASSAY_WHY];	/* not counted, and why */
	bool estimated;		/* somewhere it was only an estimate */
	bool unasked;		/* no verdict on it is wanted */
};

struct panel {
	struct panel_event *event;
	size_t events;
	struct fit_row *row;
	double *count, *claim;	/* rows x PANEL_EVENTS */
	size_t rows, room;
	struct panel_shape {
		char kernel[24], text[160];
		char size[40];	/* the first option of text */
	} *shape;
	size_t shapes;
	double tolerance;
	bool alone;		/* as struct fit_panel's */
};

int panel_init(struct panel *panel, struct assay_error *err);
void panel_fini(struct panel *panel);

/* Appends an event; one more of that name is none. Its index, or -1: full. */
int panel_add_event(struct panel *panel, const char *name, const char *code);
/* The event of that name (any case), or -1. */
int panel_find(const struct panel *panel, const char *name);
/* All events of a CPU file that it counts; all: the others with reasons. */
void panel_add_cpu(struct panel *panel, const struct cpu *cpu, bool all);

/* A further shape; rows that follow belong to it. 0 or -ASSAY_ENOMEM. */
int panel_add_shape(struct panel *panel, const char *kernel, const char *text);
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
/* An event must have counted low .. high in that row. */
void panel_claim(struct panel *panel, size_t row, const char *event,
		 double low, double high);

/* The verdicts, owned by the caller; NULL: out of memory. */
struct certificate_event *panel_judge(const struct panel *panel,
				      struct fit_result **fits);

#endif
