/* SPDX-License-Identifier: MIT */
/*
 * The simulator's signals by name, for the expressions of CPU files. Made from
 * base/signals.def, as is the simulator's enum: the indices are the same.
 */
#ifndef CPUS_SIGNALS_H
#define CPUS_SIGNALS_H

enum cpu_signal {
#define X(name, sentence) CPU_SIGNAL_##name,
#include "base/signals.def"
#undef X
	CPU_SIGNALS
};

/* In the order of the enum, then "cycles"; NULL-terminated. */
extern const char *const signal_names[CPU_SIGNALS + 2];

/* The index of a signal; CPU_SIGNALS for "cycles"; -1: no such signal. */
int signal_find(const char *name);

#endif
