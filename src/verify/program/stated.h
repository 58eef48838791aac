/* SPDX-License-Identifier: MIT */
/*
 * What the user states of a program (--truth): "EVENT=EXPRESSION;...", or a file
 * with a record whose truth is known, such as cachegrind's of the same program.
 */
#ifndef VERIFY_STATED_H
#define VERIFY_STATED_H

#include "assay.h"
#include "verify/panel.h"

struct stated;

/*
 * truth: NULL: nothing is stated, and *out is NULL. The expressions may name
 * the options of the records' shapes, and the names that are set. Returns 0;
 * -ASSAY_EPARSE or -ASSAY_EINVAL for a mistake in the text; as import_read().
 */
int stated_open(struct stated **out, const struct assay_verification *ask,
		const char *data_dir, struct assay_error *err);
void stated_close(struct stated *stated);

/*
 * Claims what is stated of the record's events, for a row of the panel with its
 * counts. stated may be NULL.
 */
void stated_claim(struct stated *stated, struct panel *panel, size_t row,
		  const struct assay_record *record);
/* Why nothing is claimed of an event of the record; static. */
const char *stated_silence(const struct stated *stated,
			   const struct assay_record *record);
/* Each thing that is stated must be of an event that was seen. */
int stated_check(const struct stated *stated, const struct panel *panel,
		 struct assay_error *err);

#endif
