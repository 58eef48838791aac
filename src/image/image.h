/* SPDX-License-Identifier: MIT */
/* The parts of bare metal: boards, plans and the software PMU beside an image. */
#ifndef IMAGE_IMAGE_H
#define IMAGE_IMAGE_H

#include "run/handle.h"
#include "run/target.h"
#include "store/programs/child-tally.h"

#define BARE_PATH 4096

/* A file of boards/; see bare/boards/pl011.board for what the rows mean. */
struct board {
	char name[ASSAY_NAME];
	uint64_t load, ram, ram_bytes, uart, uart_clock, cpu_clock;
	unsigned starts_at;	/* exception level; 0: as asked for */
	bool semihosting;
};

/* Where the image's sources are. Returns 0 or -ASSAY_EUNAVAIL. */
int bare_sources(char *out, size_t room, struct assay_error *err);

/* name: of boards/ in sources, or a path with a slash. */
int board_load(struct board *out, const char *sources, const char *name,
	       struct assay_error *err);

/*
 * The job as text (docs/bare.md) into a stream; *kernels: what the image is to
 * hold, as rows X(name): the kernel that is asked for, or all of them.
 */
int bare_plan_write(FILE *out, FILE *kernels, const struct assay *assay,
		    const struct assay_bare *bare, struct assay_error *err);

/* The level that the image is for, and the one that it starts at. */
int bare_levels(const struct assay_bare *bare, const struct board *board,
		unsigned *level, unsigned *from, struct assay_error *err);

/* ---- the software PMU beside the image (bare-model.c) --------------------- */

struct bare_model {
	struct target target;
	struct child_tally_file tallies;	/* QEMU inherits its fd */
	char plugin[2 * BARE_PATH + 64];	/* what -plugin takes */
};

/*
 * Makes ready what simulates that CPU while the image runs. Returns 0;
 * -ASSAY_ENOENT, no such CPU; -ASSAY_EUNAVAIL, no plugin; -ASSAY_EINVAL, not
 * an image that says where its kernels are.
 */
int bare_model_init(struct bare_model *out, const struct assay *assay,
		    const char *cpu, const char *image,
		    const struct board *board, struct assay_error *err);
void bare_model_fini(struct bare_model *model);

/*
 * What the model counted, as records of its own: one for each of the image's,
 * of the same shape, events and repetitions, for bare->beside. log: what the
 * UART showed.
 */
int bare_model_records(struct bare_model *model, const char *log,
		       const struct assay_bare *bare, struct assay_error *err);

#endif
