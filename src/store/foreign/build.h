/* SPDX-License-Identifier: MIT */
/*
 * Collects counts in any order, and makes records of them: one for each run of
 * the file and each place (a CPU, a thread, a region), with up to ASSAY_EVENTS
 * events. An event that a run counted twice gets the name EVENT#2.
 */
#ifndef STORE_FOREIGN_BUILD_H
#define STORE_FOREIGN_BUILD_H

#include <stdint.h>

#include "assay/record.h"
#include "store/store.h"

struct build_texts {
	struct build_text { char *text, *code; } *of;
	uint32_t texts;
	uint32_t *slot;		/* open addressing; 0: free, else index + 1 */
	size_t slots;
};

struct build {
	const char *file;	/* the records name the file and the line */
	const char *provider;
	struct assay_machine machine;
	char settings[128];	/* for settings.options of all records */
	struct assay_quantities truth;
	uint32_t run;		/* counts belong to this run of the file */
	struct build_texts place, event, why;
	struct build_reading *reading;
	size_t readings;
};

void build_open(struct build *build, const char *file, const char *provider);
void build_close(struct build *build);

#define BUILD_NEXT UINT32_MAX	/* the event's next repetition */

/*
 * Adds a count. place: "key=value;key=value", or "". event: NULL: the count's
 * value is the time of the repetition in ns. Returns 0; -ASSAY_EINVAL for a
 * name that is empty or has control characters; -ASSAY_ENOMEM.
 */
int build_add(struct build *build, unsigned line, const char *place,
	      const char *event, unsigned repeat,
	      const struct assay_count *count);

/* What was programmed for the event. Returns 0 or -ASSAY_ENOMEM. */
int build_code(struct build *build, const char *event, const char *code);

/* The count that a number's text says, times 10^shift: see scan_number(). */
struct assay_count build_count(const char *text, int shift);
/* The estimate that a number's text says: a mean over several runs, or a count
 * of a counter that ran an unknown share of the time. */
struct assay_count build_estimate(const char *text, int shift);

/* The estimate that the text of a rate says, such as a count per iteration;
 * absent if no whole number is within 0.5 % of the rate. why: room for the
 * reason. */
struct assay_count build_rate(const char *text, const char *per, char *why,
			      size_t room);

/* Adds the records to the store. Returns 0, -ASSAY_ERANGE or -ASSAY_ENOMEM. */
int build_records(struct build *build, struct store *store);

#endif
