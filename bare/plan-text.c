/* SPDX-License-Identifier: MIT */
/* The plan that is linked in: the build writes plan.inc, a string literal. */
#include "plan.h"

const char image_plan[] __attribute__((section(".plan"))) =
#include "plan.inc"
;
