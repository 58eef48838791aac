/* SPDX-License-Identifier: MIT */
/* What every fuzz target has. */
#ifndef TESTS_FUZZ_H
#define TESTS_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

static inline void need(bool true_or_bug)
{
	if (!true_or_bug)
		abort();
}

#endif
