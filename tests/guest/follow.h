/* SPDX-License-Identifier: MIT */
/* The guest counts other programs, as assay stat does. */
#ifndef GUEST_FOLLOW_H
#define GUEST_FOLLOW_H

void suite_follow(void);
/* The program that it counts: burns n, as its child does. */
int follow_program(const char *n);	/* packing, trees, sharing of counters */
void suite_kinds(void);		/* two kinds of core */

#endif
