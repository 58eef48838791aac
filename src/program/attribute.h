/* SPDX-License-Identifier: MIT */
/* Misses by function, line or file, from a tally's sites. */
#ifndef PROGRAM_ATTRIBUTE_H
#define PROGRAM_ATTRIBUTE_H

#include "assay.h"
#include "program/tally-merge.h"

/*
 * One "blame" row for each function (line, object), the worst first, at most
 * `most` (0: all) with the others as one more; then the total. Returns 0,
 * -ASSAY_ENOMEM or -ASSAY_ESTOP.
 */
int attribute_rows(const struct tally_map *map, enum assay_by by, unsigned most,
	       assay_row_fn *fn, void *ctx, struct assay_error *err);

/*
 * One "process" row for each program that ran, in the order in which they
 * began. Returns 0 or -ASSAY_ESTOP.
 */
int attribute_processes(const struct merged_tally *merged, assay_row_fn *fn, void *ctx);

#endif
