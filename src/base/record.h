/* SPDX-License-Identifier: MIT */
/* Makes and frees records, and gives records the ownership of texts. */
#ifndef BASE_RECORD_H
#define BASE_RECORD_H

#include "assay/record.h"

/*
 * An empty record with room for `repeats` repetitions of `events` events, all
 * counts absent ("not read"), all truth absent ("not known"). NULL: out of
 * memory or events > ASSAY_EVENTS. The caller frees it by record_free().
 */
struct assay_record *record_new(unsigned events, unsigned repeats);
void record_free(struct assay_record *record);

/*
 * A copy of text that lives as long as the record; equal texts share one copy.
 * NULL: out of memory.
 */
const char *record_own_string(struct assay_record *record, const char *text);

/* The most frames of one record: those of an arena of 64 MiB. */
#define RECORD_FRAMES 16384

/* Copies the frames into the record. Returns 0 or -ASSAY_ENOMEM. */
int record_set_frames(struct assay_record *record, const uint64_t *frame,
		      size_t frames);

/*
 * Copies every reason in the record's counts and truth into the record, so that
 * the texts need not outlive the call. Returns 0 or -ASSAY_ENOMEM.
 */
int record_own_reasons(struct assay_record *record);

/*
 * The event's name without what perf writes around it: "cycles" of "cycles:u"
 * and of "cpu_core/cycles/u". Returns its length; *from: where it begins.
 */
size_t event_plain_name(const char *name, const char **from);
/* Does perf write the same around both names: ":u", for example? */
bool event_is_alike(const char *a, const char *b);
/*
 * As assay_record_find(); if no event is called so, the only one whose plain
 * name it is. -1: there is none, there are several, or the record's events are
 * not written alike: counts of user code and of all code are no pair. Software
 * events are written in any way.
 */
int record_find_plain(const struct assay_record *record, const char *name);

/* The reasons of counts and quantities that were never filled in. */
extern const char record_not_read[], record_not_known[];

/* Makes all quantities absent, for the reason `why`. */
void quantities_absent(struct assay_quantities *q, const char *why);

#endif
