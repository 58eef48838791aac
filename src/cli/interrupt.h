/* SPDX-License-Identifier: MIT */
/* ^C: the first one lets the current point finish, the second one kills. None
 * does anything where it is ignored. */
#ifndef CLI_INTERRUPT_H
#define CLI_INTERRUPT_H

#include <stdbool.h>

void interrupt_catch(void);
/* The same; what waits for input then, or within a second, fails with EINTR:
 * SIGALRM is used up. */
void interrupt_catch_waiting(void);
bool interrupt_seen(void);
/* The same, as .stopped of jobs. */
bool interrupt_stops(void *ctx);

#endif
