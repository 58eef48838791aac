/* SPDX-License-Identifier: MIT */
/* The search for an explanation of an event's counts; used by fit.c only. */
#ifndef ANALYSIS_FIT_SEARCH_H
#define ANALYSIS_FIT_SEARCH_H

#include "analysis/fit/fit.h"

/*
 * Sets out->model and the alternatives. False: no explanation gives the counts
 * of column `index`.
 */
bool fit_search(const struct fit_panel *panel, size_t index,
		struct fit_result *out);

#endif
