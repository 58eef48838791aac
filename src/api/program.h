/* SPDX-License-Identifier: MIT */
/* A program under QEMU with the plugin in it. */
#ifndef API_PROGRAM_H
#define API_PROGRAM_H

#include "assay.h"
#include "store/tally.h"

struct program {
	char path[4096];	/* of the program */
	char qemu[4096];
	char plugin[4096];
	const char *library;	/* -L: where its loader is; or NULL */
	const char *cpu;	/* -cpu */
	enum isa isa;
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
 * Runs it to its end; the map's tally is filled. fd: the tally's. *status as
 * assay_simulate. Meanwhile signals that would end the caller are passed on. Returns 0, -ASSAY_EIO, or -ASSAY_EUNAVAIL if the plugin did
 * not come to work.
 */
int program_run(const struct program *program, char *const *arguments,
		const struct tally_map *map, int fd, int *status,
		struct assay_error *err);

#endif
