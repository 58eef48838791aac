/* SPDX-License-Identifier: MIT */
/* What a program and all that it started counted, added up. */
#ifndef PROGRAM_TALLY_MERGE_H
#define PROGRAM_TALLY_MERGE_H

#include "store/programs/child-tally.h"

enum whole_end { WHOLE_ENDED, WHOLE_KILLED, WHOLE_RUNS, WHOLE_NEVER_BEGAN };

/* A program that ran: a process that was forked, or what took its place. */
struct whole_part {
	uint64_t order;		/* in which they began */
	uint32_t pid;
	bool took_over;		/* from another program of its process */
	enum whole_end end;
	char name[TALLY_NAME];
	uint64_t count[TALLY_COLUMNS];
};

struct whole {
	/* Of all; sites of one place in one file are one. Its objects begin at
	 * 0, and sites are offsets in their file. */
	struct tally_map sum;
	struct whole_part *part;
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
int whole_init(struct whole *out, struct assay_error *err);
/* Adds what is done, and gives its slots back; the first is left. */
int whole_collect(struct whole *whole, const struct kin_file *file,
		  struct assay_error *err);
/*
 * Adds all that is left, whatever it does; nothing is counted any more. The
 * parts are in order then. Returns 0, -ASSAY_ENOMEM or, of the first one,
 * -ASSAY_EPARSE.
 */
int whole_close(struct whole *whole, const struct kin_file *file,
		struct assay_error *err);
void whole_fini(struct whole *whole);

/* The same sums as of sites, from the signals. */
void whole_count(const struct tally *tally, uint64_t count[TALLY_COLUMNS]);

#endif
