/* SPDX-License-Identifier: MIT */
/* What a program and all that it started counted, added up. */
#ifndef PROGRAM_TALLY_MERGE_H
#define PROGRAM_TALLY_MERGE_H

#include "store/programs/child-tally.h"

enum program_end { PROGRAM_ENDED, PROGRAM_KILLED, PROGRAM_RUNS, PROGRAM_NEVER_BEGAN };

/* A program that ran: a process that was forked, or what took its place. */
struct merged_program {
	uint64_t order;		/* in which they began */
	uint32_t pid;
	bool took_over;		/* from another program of its process */
	enum program_end end;
	char name[TALLY_NAME];
	uint64_t count[TALLY_COLUMNS];
};

struct merged_tally {
	/* Of all; sites of one place in one file are one. Its objects begin at
	 * 0, and sites are offsets in their file. */
	struct tally_map sum;
	struct merged_program *part;
	size_t parts, part_room;
	uint64_t native[NATIVES];	/* programs, by why they ran as always */
	uint64_t running;	/* processes, when the first had ended */
	uint64_t killed;
	uint64_t unbegun;	/* programs: QEMU could not run them, or was
				 * killed before */
	uint64_t damaged;	/* tallies */
	/* how sites are found */
	uint32_t *bucket;
	size_t buckets, site_room, object_room, text_room;
};

/* Both return 0 or -ASSAY_ENOMEM. */
int merged_tally_init(struct merged_tally *out, struct assay_error *err);
/* Adds what is done, and gives its slots back; the first is left. */
int merged_tally_collect(struct merged_tally *merged, const struct child_tally_file *file,
		  struct assay_error *err);
/*
 * Adds all that is left, whatever it does; nothing is counted any more. The
 * parts are in order then. Returns 0, -ASSAY_ENOMEM or, of the first one,
 * -ASSAY_EPARSE.
 */
int merged_tally_close(struct merged_tally *merged, const struct child_tally_file *file,
		struct assay_error *err);
void merged_tally_fini(struct merged_tally *merged);

/* The same sums as of sites, from the signals. */
void merged_tally_count(const struct tally *tally, uint64_t count[TALLY_COLUMNS]);

#endif
