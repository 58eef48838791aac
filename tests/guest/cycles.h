/* SPDX-License-Identifier: MIT */
/* Single loads stamped by the cycle counter, in the guest. */
#ifndef TESTS_GUEST_CYCLES_H
#define TESTS_GUEST_CYCLES_H

/* Sends whether the counter opens, and what loads take before and after it was
 * closed again. */
void cycles_try(const char *access);

#endif
