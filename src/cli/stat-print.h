/* SPDX-License-Identifier: MIT */
/* What assay_stat() hands out: for people, as perf stat -x, as JSON Lines. */
#ifndef CLI_STAT_PRINT_H
#define CLI_STAT_PRINT_H

#include "assay/stat.h"
#include "cli/context.h"

/* An assay_stat_fn; ctx is a struct context *. */
int stat_print(void *ctx, const struct assay_stat_result *result);

#endif
