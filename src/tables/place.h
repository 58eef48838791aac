/* SPDX-License-Identifier: MIT */
/* The rows of a table place by place, as the records that claims about events
 * are evaluated on. */
#ifndef TABLES_PLACE_H
#define TABLES_PLACE_H

#include "analysis/judge/judge.h"
#include "assay/expectation.h"
#include "assay/record.h"

/* All counts of one program and shape on one machine with one microcode. */
struct table_place {
	const struct judge_row **row;
	size_t rows;
};

/* Sorted by machine, microcode, program and shape. */
struct table_places {
	const struct judge_row **row;
	struct table_place *place;
	size_t places;
};

/* Borrows the rows. Returns 0 or -ASSAY_ENOMEM. */
int table_places(struct table_places *out, const struct judge_input *in);
void table_places_free(struct table_places *places);
/* End of the places of the machine of place `from`. */
size_t table_machine_end(const struct table_places *places, size_t from);
/* "TABLE MACHINE@MICROCODE"; table may be "". Returns out. */
char *table_machine_name(char *out, size_t room, const char *table,
			 const struct table_place *place);

/* The power of ten that makes whole counts of the place's rates; 1 of counts.
 * The place's record and truths are the table's numbers times this power. */
double table_times(const struct table_place *place);
/*
 * The counts of at most ASSAY_EVENTS events in the place, with the median of
 * each event's readings. Events that the place lacks are not in the record.
 * Returns 0, -ASSAY_ENOMEM, or -ASSAY_ERANGE: the place has more of the events.
 */
int table_record(struct assay_record **out, const struct table_place *place,
		 const char (*event)[ASSAY_NAME], unsigned events);
/*
 * What the rows state of a quantity. A count between .low and .high is not
 * proven wrong. .exact: .value is the stated number, else the middle of bounds.
 * false: nothing is known, or two rows contradict each other.
 */
bool table_truth(const struct table_place *place, const char *quantity,
		 struct assay_expected *out);

#endif
