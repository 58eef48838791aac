/* SPDX-License-Identifier: MIT */
/* What assay sim prints of a result and its rows. */
#ifndef CLI_ANSWERS_SIM_SHOW_H
#define CLI_ANSWERS_SIM_SHOW_H

#include "cli/answers/sim-answer.h"
#include "cli/context.h"

/* A run. For people its rows wait until the first sentence is known. */
struct sim_run {
	struct context *context;
	enum assay_by by;
	struct sim_answer answer;
};

/* An assay_result_fn and an assay_row_fn; ctx is a struct sim_run *. */
int sim_on_result(void *ctx, const struct assay_result *r);
int sim_on_row(void *ctx, const struct assay_row *row);
/* For people: the sentence, the table of at most `most` rows (0: all), the
 * source, then what else is to be said. */
int sim_show(struct sim_run *run, unsigned most);

#endif
