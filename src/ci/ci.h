/* SPDX-License-Identifier: MIT */
/*
 * The parts of `assay ci`, private to this room. A program (struct ci_program)
 * is run in layouts (layout.h); each run gives counts of quantities, and of
 * lines where asked (run.h). judge.h compares the counts of two builds,
 * lines.h says where the difference is.
 */
#ifndef CI_CI_H
#define CI_CI_H

#include "analysis/compare/compare.h"
#include "assay.h"
#include "assay/ci.h"
#include "base/geometry.h"

#define CI_LAYOUTS 64	/* at most */
#define CI_BUDGETS 32	/* of one benchmark, at most */
#define CI_FLOOR 64	/* counts: smaller changes are never over a budget */
#define CI_NAME 64

/* How much more of a quantity is allowed. */
struct ci_budget {
	enum assay_quantity quantity;
	struct compare_limit limit;
	unsigned layouts;	/* 1: the canonical layout decides alone */
};

/* A program to run: what the user named, and what was found of it. */
struct ci_program {
	const char *name;	/* argv[0] */
	const char *folder;	/* to run in; NULL: here */
	char *const *argument;	/* NULL-terminated, without argv[0]; or NULL */
	char *const *environment;	/* further NAME=VALUE; or NULL */
	const char *cpu;	/* simulated */
	const char *guest;	/* QEMU's -cpu; NULL: the fixed one */
	int status;		/* that a good run ends with */
	const char *output;	/* of struct assay_ci */
	const char *from, *region;	/* of struct assay_simulation */
	/* ci_program_find() */
	char path[4096];	/* absolute; of a script: the script's */
	char file[4096];	/* of what QEMU runs: the program, or the
				 * script's interpreter */
	char qemu[4096], plugin[4096], cpu_path[4096];
	enum isa isa;
	bool static_file;	/* reads the length of its own path */
};

/*
 * Finds the program: a path below the folder, or a name in /usr/bin and /bin.
 * Sets .cpu if it is NULL. Returns as program_find() of program/program.h.
 */
int ci_program_find(struct ci_program *program, const char *name,
		    struct assay_error *err);
/* Returns 0, or -ASSAY_EINVAL: the file that is read is .output. */
int ci_program_reads(const struct ci_program *program, const char *path,
		     struct assay_error *err);

#endif
