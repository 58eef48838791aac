/* SPDX-License-Identifier: MIT */
/* Many nodes: which of them differ, and what do these have in common? */
#ifndef ASSAY_FLEET_H
#define ASSAY_FLEET_H

#include <stdbool.h>
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
 * What certificates of many hosts say: one row "certified" {event, verdict,
 * hosts, of, contradiction (yes, no), cpu, microcode, hypervisor, provider} for
 * each event and verdict; `hosts` of the `of` hosts have that verdict. The newest
 * certificate of each host counts. A contradiction: on equal CPU, microcode and hypervisor one host says
 * that the event may be quoted, and another one that it may not.
 * `contradictions`: events that have one. No path: the folder of certificates.
 */
ASSAY_API int assay_fleet_certificates(struct assay *assay,
				       const char *const *path, size_t paths,
				       assay_row_fn *fn, void *ctx,
				       size_t *contradictions,
				       struct assay_error *err);

/*
 * What a monitoring system should know of this machine. Rows, each with the
 * class that its value has:
 *
 * "verdict" {event, class, quotable (1, 0)}: what the fitting certificate says
 * of an event; events without a result are left out.
 *
 * "count" {event, kernel, class, value}: events asked for that a certificate
 * verifies, counted while a kernel runs. An event that is not counted has no
 * row: never 0. A row "withdrawn" {event, class, why} stands for an event that
 * reads 0 while others count, is not counted, or is not certified.
 *
 * "latency" {level, class, seconds}: with .measure, as assay_levels() times.
 */
struct assay_telemetry {
	const char *on;		/* as in struct assay_job; NULL: "perf" */
	const char *events;	/* "a,b"; NULL: none is counted */
	bool measure;
	int cpu;		/* -1: any */
};
ASSAY_API int assay_telemetry_read(struct assay *assay,
				   const struct assay_telemetry *telemetry,
				   assay_row_fn *fn, void *ctx,
				   struct assay_error *err);

#endif
