/* SPDX-License-Identifier: MIT */
/*
 * Ranks of one node measure one after the other, also those of several jobs of
 * one user: by flock() on a file in the memory of the node.
 */
#ifndef CLI_FLEET_TURNS_H
#define CLI_FLEET_TURNS_H

#include <stdbool.h>

#include "env/launcher.h"

/*
 * The node's file, open, for close(); -1: the file cannot be had, or is another
 * user's. A process that took its turn ends the turn with the close().
 */
int turns_open(const struct launcher *launcher);

/* Waits for the turn, and notes that this step measures. False: no lock. */
bool turns_take(int fd, const struct launcher *launcher);
/* Notes that this step has measured. */
void turns_done(int fd, const struct launcher *launcher);

enum turns_end {
	TURNS_MEASURED,		/* local rank 0 of this step has measured */
	TURNS_FAILED,		/* that rank ended without having measured */
	TURNS_NOT_SEEN		/* that rank never took a turn */
};
/* Waits for local rank 0 of this step; `seconds`: for the begin of its turn. */
enum turns_end turns_wait(int fd, const struct launcher *launcher,
			  unsigned seconds);

#endif
