/* SPDX-License-Identifier: MIT */
/* Many nodes: which of them differ, and what do these have in common? */
#ifndef ASSAY_FLEET_H
#define ASSAY_FLEET_H

#include <stddef.h>

#include "assay/error.h"
#include "assay/export.h"
#include "assay/row.h"

struct assay;

struct assay_fleet_outcome {
	size_t nodes;		/* that have a value */
	size_t judged;		/* of these: of a CPU that four nodes have */
	size_t odd;		/* of these: nodes that differ */
	size_t values;		/* that at least four nodes share */
	size_t disturbed;	/* records that were too noisy to be used */
};

/*
 * Compares the nodes of one CPU with each other. A file holds what a command
 * wrote with -j (docs/record.md), or is a certificate. Rows, in this order:
 *
 * "answer" {answer}: in one sentence.
 *
 * "odd" {node, what, off, points, from, to, value, usual, sure, cpu}: a node
 * differs in a series of numbers (off: the mean of value / median - 1 over so
 * many points, between two of them; sure: in standard errors) or in a text
 * (value; usual: what the others have).
 *
 * "common" {what, value, odd, of_odd, others, of_others}: what most of the odd
 * nodes have, and few others.
 *
 * "split" {what, value, nodes, of}: no value of a text is usual; the commonest
 * one. No node is odd for that.
 *
 * "group" {cpu, nodes, values, odd, judged (yes, no)}: the nodes of one CPU.
 *
 * -ASSAY_ERANGE: more nodes or values than there is room for.
 */
ASSAY_API int assay_fleet_check(struct assay *assay, const char *const *path,
				size_t paths, assay_row_fn *fn, void *ctx,
				struct assay_fleet_outcome *outcome,
				struct assay_error *err);

/*
 * What certificates of many hosts say: one row "certified" {cpu, microcode,
 * hypervisor, provider, event, verdict, hosts, of, contradiction (yes, no)} for
 * each verdict. A contradiction: certificates of equal CPU, microcode and
 * hypervisor disagree. `contradictions`: how many events have one.
 */
ASSAY_API int assay_fleet_certificates(struct assay *assay,
				       const char *const *path, size_t paths,
				       assay_row_fn *fn, void *ctx,
				       size_t *contradictions,
				       struct assay_error *err);

#endif
