/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An execve of the program's. */
#ifndef PLUGIN_CHILDREN_FOLLOW_EXEC_H
#define PLUGIN_CHILDREN_FOLLOW_EXEC_H

#include "plugin/session.h"

/* Addresses are its own. */
struct execution {
	int directory, flags;	/* of execveat */
	uint64_t path, arguments, environment;
};

/* Does not return if the other program runs; else why it does not. */
enum tally_exec follow_exec(const struct execution *e);

/* Can it be simulated in a run of its own, when that was why? */
bool follow_exec_is_possible(const char *path, enum tally_exec why);

#endif
