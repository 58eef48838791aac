/* SPDX-License-Identifier: MIT */
/* What fuzz targets of YAML files have. */
#ifndef TESTS_FUZZ_YAML_H
#define TESTS_FUZZ_YAML_H

#include "fuzz.h"

/* libfyaml 0.7.12 loses memory on a quoted text with many doubled quotes. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
	return "leak:libfyaml\n";
}

#endif
