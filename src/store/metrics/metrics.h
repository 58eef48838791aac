/* SPDX-License-Identifier: MIT */
/*
 * Metrics of other tools: perf's JSON metric files (objects with MetricName and
 * MetricExpr; other objects are skipped), intel/perfmon's ("Metrics" with
 * Formula, Events and Constants), and likwid's performance groups, in which a
 * line that cannot be read becomes an item with a reason.
 * src/analysis/import makes formula files of them.
 */
#ifndef STORE_METRICS_METRICS_H
#define STORE_METRICS_METRICS_H

#include "assay/error.h"
#include "base/metrics.h"

#define METRICS_MOST 4096	/* in one file */
#define METRICS_BYTES (8u << 20)

/*
 * Reads any kind: a text that begins with '[' or '{' is JSON. `file` is
 * the text's name in messages. Returns 0; -ASSAY_EPARSE with the place;
 * -ASSAY_ERANGE for too many metrics; -ASSAY_EINVAL if there is none;
 * -ASSAY_ENOMEM. The caller ends the list with metrics_fini().
 */
int metrics_parse(struct metric_list *out, const char *file, const char *text,
		  size_t bytes, struct assay_error *err);
/*
 * The same from a file ("-": stdin) of at most METRICS_BYTES; also as
 * error_read().
 */
int metrics_read(struct metric_list *out, const char *path,
		 struct assay_error *err);
void metrics_fini(struct metric_list *list);

#endif
