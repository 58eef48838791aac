/* SPDX-License-Identifier: MIT */
/* Going through the explanations, the simplest first. */
#ifndef ANALYSIS_FIT_SEARCH_H
#define ANALYSIS_FIT_SEARCH_H

#include "analysis/fit/fit.h"

/* False: none gives the counts. Else model, also and alternative are set. */
bool search(const struct fit_panel *panel, size_t index,
	    struct fit_result *out);

#endif
