/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tallies of what is started. */
#ifndef PLUGIN_CHILDREN_CHILD_TALLIES_H
#define PLUGIN_CHILDREN_CHILD_TALLIES_H

#include "plugin/session.h"

/* Maps the head and a slot. Returns 0 or -1. */
int kin_open(const char *path, uint32_t slot);
/* This program runs, and so what was before it is done. */
void kin_begin(void);
/* The tally is complete, and is not touched any more. */
void kin_done(void);
/* The calling thread of the program. */
void kin_here(unsigned vcpu);
/* Is what this process starts to be simulated? */
bool kin_follows(void);
/* Are files where they were? */
bool kin_same_root(void);
/* A slot for another, filled but for its name; or why not: there is none, or
 * the library's file cannot be opened again. */
enum tally_exec kin_take(struct heir *out);
void kin_give_back(struct heir *heir);
/* Handlers of fork. */
void kin_before_fork(void);
void kin_in_parent(void);
void kin_in_child(void);

#endif
