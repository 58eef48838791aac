/* SPDX-License-Identifier: MIT */
/* A program under QEMU with the plugin in it. */
#ifndef PROGRAM_PROGRAM_H
#define PROGRAM_PROGRAM_H

#include "assay.h"
#include "program/tally-merge.h"
#include "store/programs/binary.h"

struct program {
	char path[4096];	/* of what QEMU runs; absolute */
	char name[4096];	/* of the program, or the script */
	char qemu[4096];
	char plugin[4096];
	const char *cpu;	/* -cpu */
	struct binary binary;	/* of path */
	struct binary script[BINARY_DEPTH];	/* that led to it */
	unsigned scripts;
};

/*
 * Finds the program, the QEMU for it and the plugin. cpu_name: the CPU that
 * will be simulated; QEMU executes the same instruction set if it knows it.
 * Returns 0; -ASSAY_ENOENT, -ASSAY_EINVAL, -ASSAY_EIO about the program;
 * -ASSAY_EUNAVAIL, with the package, about QEMU.
 */
int program_find(struct program *out, const char *name, const char *cpu_name,
		 const char *plugin, struct assay_error *err);

/* The plugin alone. Returns 0 or -ASSAY_EUNAVAIL. */
int program_find_plugin(struct program *out, const char *given,
			struct assay_error *err);

/*
 * Runs it to its end; what it and all that it starts counted is added up. The
 * first tally says what is to be done. *status as assay_simulate. Meanwhile
 * signals that would end the caller are passed on. Returns 0, -ASSAY_EIO,
 * -ASSAY_ENOMEM, or -ASSAY_EUNAVAIL if the plugin did not come to work.
 */
int program_run(const struct program *program, char *const *arguments,
		const struct child_tally_file *file, struct merged_tally *merged, int *status,
		struct assay_error *err);

#endif
