/* SPDX-License-Identifier: MIT */
/* Formula files that must load. */
#ifndef TESTS_FORMULA_TEXT_H
#define TESTS_FORMULA_TEXT_H

#include "check.h"

#include "analysis/formulas/formula.h"

static inline struct formula_file *parse(const char *text)
{
	struct formula_file *file = NULL;
	struct assay_error err = { 0 };

	if (formula_parse(&file, "f", text, strlen(text), NULL, &err) < 0)
		fail_msg("%s", err.text);
	return file;
}

static inline struct formula_file *load(const char *name, const char *variant)
{
	struct formula_file *file = NULL;
	struct assay_error err = { 0 };

	if (formula_load(&file, name, variant, NULL, &err) < 0)
		fail_msg("%s", err.text);
	return file;
}

#endif
