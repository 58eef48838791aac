/* SPDX-License-Identifier: MIT */
/*
 * Tables of counts in long form, one count a row (docs/table-file.md), as rows
 * for the judge. A file is hostile input: each mistake is "file:line:col:
 * error: ...", the source line and a caret.
 */
#ifndef TABLES_TABLE_H
#define TABLES_TABLE_H

#include "analysis/judge/judge.h"
#include "assay/error.h"
#include "store/store.h"

#define TABLE_BYTES (1u << 30)	/* larger files are refused */
#define TABLE_COLUMNS 256
#define TABLE_COVARIATES JUDGE_COVARIATES
#define TABLE_CELL 4096		/* bytes of a cell */

struct table {
	char *name;		/* file name without folder and ".csv" */
	struct judge_input input;
	void *owned;
};

/* One "--set KEY=VALUE". */
struct table_setting { const char *name, *text; };

/* How a table's columns become the fields of docs/table-file.md; each pointer
 * may be NULL. */
struct table_reading {
	const char *map;	/* "count=Value;expected=2*n+1;..." */
	const char *experiment;	/* path of an experiment file */
	const struct table_setting *set;
	size_t sets;
};

/*
 * Reads a file ("-": stdin). Returns 0 and a table for table_free();
 * -ASSAY_EPARSE, -ASSAY_ENOENT, -ASSAY_EIO, -ASSAY_EINVAL for a mistake in
 * reading->map, -ASSAY_ENOMEM.
 */
int table_read(struct table **out, const char *path,
	       const struct table_reading *reading, struct assay_error *err);
/* The same from memory; `name` stands for the file in messages. */
int table_parse(struct table **out, const char *name, const char *text,
		size_t bytes, const struct table_reading *reading,
		struct assay_error *err);
void table_free(struct table *table);

/* Has the text's first line the columns `event` and `count`? */
bool table_begins(const char *text);
/*
 * Adds the counts of the table as records: one for each machine, program and
 * shape. Returns 0, -ASSAY_ERANGE or -ASSAY_ENOMEM.
 */
int table_records(struct store *out, const struct table *table,
		  const char *name, struct assay_error *err);

#endif
