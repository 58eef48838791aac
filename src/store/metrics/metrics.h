/* SPDX-License-Identifier: MIT */
/*
 * Metrics of other tools: perf's JSON metric files (objects with MetricName and
 * MetricExpr; all others are passed over), and likwid's performance groups.
 */
#ifndef STORE_METRICS_METRICS_H
#define STORE_METRICS_METRICS_H

#include "assay/error.h"
#include "base/metrics.h"

#define METRICS_MOST 4096	/* in one file */
#define METRICS_BYTES (8u << 20)

/*
 * Reads either kind: what begins with '[' or '{' is perf's. `file` is the
 * text's name in messages. Returns 0; -ASSAY_EPARSE with its place; -ASSAY_EINVAL
 * if there is no metric; -ASSAY_ENOMEM.
 */
int metrics_parse(struct metric_list *out, const char *file, const char *text,
		  size_t bytes, struct assay_error *err);
/* The same from a file, of at most METRICS_BYTES; as error_read(). */
int metrics_read(struct metric_list *out, const char *path,
		 struct assay_error *err);
void metrics_fini(struct metric_list *list);

/* One of the two kinds; the text is terminated. For metrics_parse. */
int metrics_perf(struct metric_list *out, const char *file, const char *text,
		 size_t bytes, struct assay_error *err);
int metrics_likwid(struct metric_list *out, const char *file, char *text,
		   struct assay_error *err);

#endif
