/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which part of a program counts: from the entry of a function to its return
 * (tally.from), and between marks that the program sets by a system call
 * (include/assay/mark.h). watch.c and marks.c run in the program's threads and
 * put words into their buffers; count.c is the consumer's side.
 *
 * Caches and predictors are as the program left them: all that runs outside is
 * simulated, too, and counts elsewhere.
 */
#ifndef PLUGIN_REGIONS_REGIONS_H
#define PLUGIN_REGIONS_REGIONS_H

#include "plugin/capture/lane.h"

struct block;

/* ---- threads of the program ---------------------------------------------- */

/* Looks for the entry of the function, at each translation. */
void regions_translated(struct block *b, uint64_t host);
/* The callback of a block, in place of lane_block, where tally.from is set.
 * state: QEMU's of the CPU. */
void regions_block(unsigned vcpu, void *data, const uint64_t *state);
/* A thread of that number begins, made by the calling thread. */
void regions_thread(unsigned vcpu);
/* In the child of a fork: what is open stays open. */
void regions_go_on(struct lane *lane);
/* A system call; false: not one of include/assay/mark.h. */
bool regions_call(unsigned vcpu, int64_t number, const uint64_t *arguments);
/* Names of regions, for a forked child, whose threads have their numbers. */
void regions_copy_names(struct tally_map *to, const struct tally_map *from);

/* ---- the consumer -------------------------------------------------------- */

/* From here on the lane's events are fed. */
void regions_turn(const struct lane *lane);
/* WORD_ENTER and so on; all before is fed. */
void regions_mark(struct lane *lane, uint64_t word);
/* Adds what was fed since the last call to the regions that are open. */
void regions_account(const struct lane *lane);
/* Nothing has been fed. */
void regions_forget(void);

#endif
