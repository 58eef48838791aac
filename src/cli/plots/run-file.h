/* SPDX-License-Identifier: MIT */
/* A run to be shown: the records and rows of a file, or of this command. */
#ifndef CLI_PLOTS_RUN_FILE_H
#define CLI_PLOTS_RUN_FILE_H

#include "cli/context.h"

struct run_file {
	const char *name;	/* as people know the run */
	char path[1024];	/* where the records can be read again */
	FILE *held;		/* of standard input: a copy; or NULL */
	struct kept_rows rows;
	struct assay_record **record;
	size_t records;
};

/*
 * Reads what `-j` wrote, other tools' counts, or built-in records. Returns 0 or
 * a negative code with *err. The strings of *out are borrowed.
 */
int run_file_read(struct run_file *out, const struct context *context,
		  const char *path, struct assay_error *err);
/* Reads a text of JSON Lines, as `-j` writes them, instead of a file. */
int run_file_parse(struct run_file *out, const char *text,
		   struct assay_error *err);
void run_file_fini(struct run_file *run);

/* A file in memory and its name; NULL: there is no memory. */
FILE *run_file_memory(char *path, size_t room);

/* The first row of that type, or NULL. */
const struct assay_row *run_file_row(const struct run_file *run,
				     const char *type);

/* The types of the rows, each once, in their order. Returns how many, up to
 * RUN_TYPES: a file with more is none of assay's. */
enum { RUN_TYPES = 64 };
size_t run_file_types(const struct kept_rows *rows,
		      const char *out[RUN_TYPES]);

/* Is it of a kernel? Then run_file_replay() gives its result. */
bool run_file_is_kernel(const struct assay_record *record);
int run_file_replay(const struct assay_record *record,
		    const struct context *context, assay_result_fn *fn,
		    void *ctx, struct assay_error *err);

/* The record as a line of JSON. */
int run_file_put(FILE *out, const struct assay_record *record);

#endif
