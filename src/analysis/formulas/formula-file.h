/* SPDX-License-Identifier: MIT */
/* What a loaded formula file owns. Private to the analysis room. */
#ifndef ANALYSIS_FORMULAS_FORMULA_FILE_H
#define ANALYSIS_FORMULAS_FORMULA_FILE_H

#include "analysis/formulas/formula.h"
#include "cpus/pool.h"
#include "cpus/yaml.h"

struct formula_reason {
	struct formula_reason *next;
	char text[];
};

/* Behind formula_file.owned. Reasons are added while formulas are valued. */
struct formula_owned {
	struct formula_file file;
	struct yaml *yaml;
	struct pool *pool;
	struct formula_reason *reasons;
};

#endif
