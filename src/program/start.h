/* SPDX-License-Identifier: MIT */
/* The part of a run before main(). */
#ifndef PROGRAM_START_H
#define PROGRAM_START_H

#include <stdbool.h>

/* The function's name in the row of that part. */
extern const char start_name[];

/* Does the function of that object (its path) belong to the dynamic loader, or
 * to what libc does before it calls main()? */
bool start_is(const char *object, const char *function);

#endif
