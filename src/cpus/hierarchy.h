/* SPDX-License-Identifier: MIT */
/*
 * The part of a CPU file that becomes struct geometry: caches, TLBs, walker,
 * prefetchers, predictor, order rules, page map, cycle constants. What makes
 * no sense is refused at the value that makes none.
 */
#ifndef CPUS_HIERARCHY_H
#define CPUS_HIERARCHY_H

#include "cpus/fact.h"

/* Reads all of it; top is the file's root. */
int hierarchy_read(const struct scope *top, struct geometry *out);

#endif
