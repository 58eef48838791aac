/* SPDX-License-Identifier: MIT */
/* A set-up for tests that count with Linux's own events. */
#ifndef TESTS_USABLE_H
#define TESTS_USABLE_H

#include "check.h"

#include "counters/provider.h"

/* 0, or -1 after it has said why perf cannot be used here. */
static inline int usable_perf(void **ctx)
{
	struct assay_error err = { 0 };

	(void)ctx;
	if (perf_provider.probe(&(struct provider_config){ 0 }, &err) == 0)
		return 0;
	print_message("perf is not usable here: %s\n", err.text);
	return -1;
}

#endif
