/* SPDX-License-Identifier: MIT */
/*
 * Adds up the tallies of a program and of all processes that the program
 * started. Each of them has a slot in a struct child_tally_file. Sites are
 * merged by file and offset in the file, so the same code in several processes
 * is one site.
 */
#ifndef PROGRAM_TALLY_MERGE_H
#define PROGRAM_TALLY_MERGE_H

#include "store/programs/child-tally.h"

enum program_end {
	PROGRAM_ENDED, PROGRAM_KILLED,
	PROGRAM_RUNS,		/* still, when the first program had ended */
	PROGRAM_NEVER_BEGAN	/* QEMU ran no instruction of the program */
};

/* A program that ran: in a process that was forked, or after execve. */
struct merged_program {
	uint64_t order;		/* of its begin, among all programs */
	uint32_t pid;
	bool took_over;		/* by execve, from a program of this process */
	enum program_end end;
	char name[TALLY_NAME];
	uint64_t count[TALLY_COLUMNS];
};

struct merged_tally {
	/* The sum of all tallies. Objects begin at 0: the pc of a site is an
	 * offset in the object's file (an address if there is no file). */
	struct tally_map sum;
	struct merged_program *program;
	size_t programs, program_room;
	uint64_t not_simulated[EXEC_REASONS];	/* programs, by reason: enum
						 * tally_exec */
	uint64_t running;	/* processes with PROGRAM_RUNS */
	uint64_t together;	/* threads of processes that had several */
	uint64_t killed;	/* programs with PROGRAM_KILLED */
	uint64_t never_began;	/* programs with PROGRAM_NEVER_BEGAN */
	uint64_t damaged;	/* tallies that tally_check() refused */
	/* a hash table of sites by pc and object: index + 1, or 0 */
	uint32_t *bucket;
	size_t buckets, site_room, object_room, text_room, why_room,
	       datum_room;
};

/* Returns 0 or -ASSAY_ENOMEM. */
int merged_tally_init(struct merged_tally *out, struct assay_error *err);
/* Adds the tallies of slots in state CHILD_SLOT_DONE, and frees these slots.
 * The first slot is left for merged_tally_close(). Returns 0 or
 * -ASSAY_ENOMEM. */
int merged_tally_collect(struct merged_tally *merged,
			 const struct child_tally_file *file,
			 struct assay_error *err);
/*
 * Closes the file, so that no program counts any more, and adds the tallies of
 * all slots that are left, in whatever state. Sorts merged->program by order.
 * Returns 0, -ASSAY_ENOMEM, or -ASSAY_EPARSE if the first tally is damaged.
 */
int merged_tally_close(struct merged_tally *merged,
		       const struct child_tally_file *file,
		       struct assay_error *err);
void merged_tally_fini(struct merged_tally *merged);

/* Adds up the reasons of several sites. Footprints are added, too: lines that
 * several of them miss count several times. Strides and sets are those of the
 * site with the most misses. */
void tally_why_add(struct tally_why *to, const struct tally_why *from);

/* The columns of a site, computed from the signals of the tally. */
void merged_tally_count(const struct tally *tally,
			uint64_t count[TALLY_COLUMNS]);

#endif
