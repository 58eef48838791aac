/* SPDX-License-Identifier: MIT */
/*
 * The parts of `assay bare`, private to this room. An image is built from the
 * sources of bare/, a board file (board.c) and a plan (plan.c: which kernels to
 * run, which events to count) by the cross compiler (build.c). It is run under
 * QEMU (run.c), on request with the software PMU beside it (model.c).
 */
#ifndef IMAGE_IMAGE_H
#define IMAGE_IMAGE_H

#include "run/handle.h"
#include "run/target.h"
#include "store/programs/child-tally.h"

#define BARE_PATH 4096

/* A board file; bare/boards/pl011.board explains the rows. Addresses and sizes
 * are in bytes, clocks in Hz. */
struct board {
	char name[ASSAY_NAME];
	uint64_t load, ram, ram_bytes, uart, uart_clock, cpu_clock;
	unsigned starts_at;	/* exception level; 0: the caller's choice */
	bool semihosting;
};

/* Reads a board file. name: a board of bare/boards/ in `sources`, or a path
 * that has a slash. Returns 0, -ASSAY_ENOENT, -ASSAY_EINVAL or the error of
 * its row. */
int board_load(struct board *out, const char *sources, const char *name,
	       struct assay_error *err);

/*
 * Writes the plan (docs/bare.md) to `out`; and to `kernels` a row X(name) for
 * each kernel that the image contains: the kernel of the plan, or all of them.
 */
int bare_plan_write(FILE *out, FILE *kernels, const struct assay *assay,
		    const struct assay_bare *bare, struct assay_error *err);

/* *level: the exception level that the image runs at; *from: the level that the
 * board starts it at. Returns 0, -ASSAY_ERANGE or -ASSAY_EINVAL. */
int bare_levels(const struct assay_bare *bare, const struct board *board,
		unsigned *level, unsigned *from, struct assay_error *err);

/* ---- the software PMU beside the image (model.c) ------------------------- */

struct bare_model {
	struct target target;
	struct child_tally_file tallies;	/* QEMU inherits its fd */
	char plugin[2 * BARE_PATH + 64];	/* QEMU's option -plugin */
};

/*
 * Prepares the plugin to simulate this CPU while the image runs. Call
 * bare_model_fini() in any case. Returns 0; -ASSAY_ENOENT, no such CPU;
 * -ASSAY_EUNAVAIL, no plugin; -ASSAY_EINVAL, the image lacks the symbols that
 * mark its kernels, or the CPU is no AArch64 CPU.
 */
int bare_model_init(struct bare_model *out, const struct assay *assay,
		    const char *cpu, const char *image,
		    const struct board *board, struct assay_error *err);
void bare_model_fini(struct bare_model *model);

/*
 * Calls bare->beside for each record of the image, with a record of the model
 * that has the same shape, events and repetitions. log: the path of the UART's
 * output. Errors: -ASSAY_EPARSE if the two do not fit, -ASSAY_EUNAVAIL if the
 * plugin counted nothing, -ASSAY_ESTOP.
 */
int bare_model_records(struct bare_model *model, const char *log,
		       const struct assay_bare *bare, struct assay_error *err);

#endif
