/* SPDX-License-Identifier: MIT */
/*
 * The kernel's log, /dev/kmsg below a root: only the lines that concern
 * counters, clocks, heat and broken hardware. Of a recorded machine it holds
 * no others.
 */
#ifndef ENV_DOCTOR_KERNEL_LOG_H
#define ENV_DOCTOR_KERNEL_LOG_H

#include <stddef.h>

/* What a kind of line means; effect and cure as in doctor_say(). */
struct log_kind {
	const char *part;	/* of the text, as the kernel writes it */
	const char *what, *state, *effect, *cure;
};

/* One for each kind that was seen; the last of its lines. */
struct log_seen {
	const struct log_kind *kind;
	unsigned times;
	char text[200];		/* without the head "6,339,5140900,-;" */
	char line[256];		/* with it */
};

#define LOG_KINDS 16

/*
 * Returns how many kinds were seen, in the order of the table of kinds, or
 * -errno if the log cannot be read.
 */
int kernel_log_read(struct log_seen out[LOG_KINDS], const char *sysroot);

/* The same of a descriptor, which stays the caller's. */
int kernel_log_scan(struct log_seen out[LOG_KINDS], int fd);

#endif
