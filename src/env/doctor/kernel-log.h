/* SPDX-License-Identifier: MIT */
/*
 * The lines of the kernel's log (/dev/kmsg below a root) that concern counters,
 * clocks, heat and broken hardware, each kind with its meaning. A recorded
 * machine's log holds no other lines.
 */
#ifndef ENV_DOCTOR_KERNEL_LOG_H
#define ENV_DOCTOR_KERNEL_LOG_H

/* A kind of line, and the finding that follows: fields as in doctor_add(). */
struct log_kind {
	const char *part;	/* of the text, as the kernel writes it */
	const char *what, *state, *effect, *cure;
};

/* A kind whose lines are in the log, and the last of these lines. */
struct log_seen {
	const struct log_kind *kind;
	unsigned times;		/* number of such lines */
	char text[200];		/* without the head "6,339,5140900,-;" */
	char line[256];		/* with the head */
};

#define LOG_KINDS 16

/*
 * Reads the log. Returns the number of kinds found, in the order of the table
 * of kinds, or -errno if the log cannot be read.
 */
int kernel_log_read(struct log_seen out[LOG_KINDS], const char *sysroot);

/* As kernel_log_read, from a descriptor, which stays open. */
int kernel_log_scan(struct log_seen out[LOG_KINDS], int fd);

#endif
