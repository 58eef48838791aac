/* SPDX-License-Identifier: MIT */
/* What every unit test includes: cmocka and the headers that it wants first. */
#ifndef TESTS_CHECK_H
#define TESTS_CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* With the reason, which tools/run-tests reads from the line before. */
#define skip_since(...)				\
	do {					\
		print_message("# " __VA_ARGS__);	\
		print_message("\n");		\
		skip();				\
	} while (0)

#ifdef __SANITIZE_ADDRESS__
#define SLOWER 4	/* than the plain build, at least */
#else
#define SLOWER 1
#endif

/* A test over many cases runs one in this number; `make test-long` runs all. */
static inline unsigned one_of(unsigned cases)
{
	return getenv("ASSAY_TEST_WHOLE") ? 1 : SLOWER * cases;
}

#endif
