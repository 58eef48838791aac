/* SPDX-License-Identifier: MIT */
/*
 * The parts of `assay sim`, private to this room: a program under QEMU with the
 * plugin in it (program.c), misses by function, line or object (attribute.c),
 * and what trace formats cannot express (trace-gaps.c). simulate.c makes a
 * record of them. The tallies of a program and its children are added up by
 * tally-merge.h.
 */
#ifndef PROGRAM_PROGRAM_H
#define PROGRAM_PROGRAM_H

#include "assay.h"
#include "base/encoding.h"
#include "program/fixed.h"
#include "program/tally-merge.h"
#include "store/programs/binary.h"

struct program {
	char path[4096];	/* absolute path of what QEMU runs: the program,
				 * or the interpreter of a script */
	char name[4096];	/* path of the program or the script */
	char qemu[4096];
	char plugin[4096];
	const char *cpu;	/* QEMU's -cpu */
	struct binary binary;	/* of path */
	struct binary script[BINARY_DEPTH];	/* script[0] is `name`; each
						 * next one interprets it */
	unsigned scripts;
	const struct assay_fixed *fixed;	/* or NULL */
	char padded[FIXED_PATH + 1];	/* fixed: path, as QEMU gets it */
	bool (*stopped)(void *ctx);	/* asked before the start; or NULL */
	void *stopped_ctx;
};

/*
 * Finds the program, the QEMU for its instruction set and the plugin. cpu_name:
 * the simulated CPU; QEMU is limited to its instructions if QEMU knows the CPU.
 * Returns 0; -ASSAY_ENOENT, -ASSAY_EINVAL, -ASSAY_EIO or -ASSAY_EPERM about the
 * program; -ASSAY_EUNAVAIL, with the package, about QEMU.
 */
int program_find(struct program *out, const char *name, const char *cpu_name,
		 const char *plugin, struct assay_error *err);

/* The program's runs are fixed (fixed.h): sets .cpu and .padded. Returns 0 or
 * -ASSAY_EUNAVAIL. */
int program_fix(struct program *p, const struct assay_fixed *fixed,
		const char *cpu_name, struct assay_error *err);

/* Finds the plugin only. given: its path, or NULL. Returns 0 or
 * -ASSAY_EUNAVAIL. */
int program_find_plugin(struct program *out, const char *given,
			struct assay_error *err);
/* The value of QEMU's option -plugin for a plugin that writes its tally into
 * this descriptor. plugin: its path, with commas doubled. */
void program_plugin_option(char *out, size_t room, const char *plugin, int fd);
/* Copies a path with its commas doubled, as QEMU wants them in options. */
void program_double_commas(char *out, size_t room, const char *path);

/*
 * Runs the program to its end, and adds up the tallies of the program and of
 * all that it starts. The caller has filled the first tally with the mode and
 * the geometry. *status as assay_simulate. Signals that would end this process
 * are passed on to the program. Returns 0, -ASSAY_EIO, -ASSAY_ENOMEM, or
 * -ASSAY_EUNAVAIL if the plugin was not loaded or refused.
 */
int program_run(const struct program *program, char *const *arguments,
		const struct child_tally_file *file,
		struct merged_tally *merged, int *status,
		struct assay_error *err);

/* What rows of misses are sorted by, and the estimated price of a miss in
 * cycles. */
struct cost {
	int column;		/* enum tally_column; -1: cycles lost */
	double price[TALLY_COLUMNS];
	bool known;		/* the CPU file has latencies */
};

/* sort: a column's name, "lost_cycles", or NULL: the latter if the CPU file has
 * latencies, else l1d_misses. Returns 0 or -ASSAY_ENOENT. */
int cost_init(struct cost *out, const char *sort, const struct geometry *g,
	      struct assay_error *err);
/* The name of what rows are sorted by. */
const char *cost_name(const struct cost *cost);

/* Which rows of misses are wanted. */
struct wanted {
	enum assay_by by;
	unsigned most;		/* rows; 0: all */
	double least;		/* share of a row of its own */
	bool at_call;		/* inlined code counts where it was called */
	bool fold_start;	/* the loader and libc's start are one row */
	const char *source_root;	/* or NULL */
	const unsigned char *kept;	/* the sites of --only; NULL: all */
};

/*
 * One "blame" row for each function (line, object), the most costly first; one
 * row for the others together; then the total. map: the sum of a merged tally.
 * Returns 0, -ASSAY_ENOMEM or -ASSAY_ESTOP.
 */
int attribute_rows(const struct tally_map *map, const struct wanted *wanted,
		   const struct cost *cost, assay_row_fn *fn, void *ctx,
		   struct assay_error *err);
/*
 * The sites that --only keeps, of the sum of a merged tally: kept[i] of site i,
 * for free(). truth: gets what the kept sites count together; the quantities
 * that no site counts become absent. Returns 0, -ASSAY_ENOMEM, or -ASSAY_ENEVER
 * if no such code ran.
 */
int only_keep(unsigned char **kept, struct assay_quantities *truth,
	      const struct tally_map *map, const char *only,
	      struct assay_error *err);
/*
 * Writes the counts of all lines of code that are wanted as a callgrind file.
 * command: the program with its arguments. Returns 0 or -ASSAY_ENOMEM; the
 * caller looks for errors of the stream.
 */
int callgrind_write(FILE *out, const struct tally_map *map,
		    const struct wanted *wanted, char *const *command,
		    struct assay_error *err);

/*
 * Is `from` a name that the program's file has at most once? Returns 0, or
 * -ASSAY_EINVAL with the functions that are meant. Other files are known only
 * when the program has mapped them.
 */
int regions_check_name(const struct program *program, const char *from,
		       struct assay_error *err);
/* Did the program come to what is to be counted? Returns 0; -ASSAY_ENEVER with
 * the reason; -ASSAY_EINVAL if several functions are meant. */
int regions_check(const struct merged_tally *merged, const char *path,
		  struct assay_error *err);
/* A "from" row, and a "region" row for each region of the program. Returns 0 or
 * -ASSAY_ESTOP. */
int regions_rows(const struct merged_tally *merged, const struct group *events,
		 assay_row_fn *fn, void *ctx);

/* assay_simulate(), for one run. */
typedef int simulate_fn(struct assay *assay,
			const struct assay_simulation *simulation,
			assay_result_fn *result, assay_row_fn *row, void *ctx,
			int *status, struct assay_error *err);
/*
 * assay_simulate() with .slope: runs the program thrice. Gives a result for
 * each run, the rows of the last one, and rows "answer" and "slope".
 */
int steps_simulate(simulate_fn *simulate, struct assay *assay,
		   const struct assay_simulation *what, assay_result_fn *result,
		   assay_row_fn *row, void *ctx, int *status,
		   struct assay_error *err);

/* One "process" row for each program that ran, in the order in which the
 * programs began. Returns 0 or -ASSAY_ESTOP. */
int attribute_processes(const struct merged_tally *merged, assay_row_fn *fn,
			void *ctx);

/*
 * Makes quantities absent that the trace's format cannot express, and the
 * counts of events whose terms are all absent, with the reason. The record's
 * events have their terms. flags: enum trace_flag, of the format.
 */
void trace_gaps_leave_out(struct assay_record *record, unsigned flags);

#endif
