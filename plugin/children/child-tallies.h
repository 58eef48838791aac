/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tallies of this process and of those that it starts. */
#ifndef PLUGIN_CHILDREN_CHILD_TALLIES_H
#define PLUGIN_CHILDREN_CHILD_TALLIES_H

#include "plugin/session.h"

/* Maps the head and a slot. Returns 0 or -1. */
int tallies_open(const char *path, uint32_t slot);
/* This program runs: the slot of the one that it replaced is done. */
void tallies_begin(void);
/* The tally is complete, and is not touched any more. */
void tallies_done(void);
/* The thread that makes the system call, by QEMU's number. */
void tallies_here(unsigned vcpu);
/* The thread that made the calling thread's last thread or process; or none:
 * UINT_MAX. */
unsigned tallies_maker(void);
/* Are processes and programs that this process starts simulated? */
bool children_are_simulated(void);
/* Is the root directory still that of the begin, so that paths are, too? */
bool tallies_same_root(void);
/* A slot for another process, filled but for its name; or why not: there is
 * none, or the library's file cannot be opened again. */
enum tally_exec child_slot_take(struct child_slot *out);
void child_slot_give_back(struct child_slot *slot);
/* Handlers of fork. */
void tallies_before_fork(void);
void tallies_in_parent(void);
void tallies_in_child(void);

#endif
