/* SPDX-License-Identifier: MIT */
/* The files of the event tables at hand, as find.c found them. */
#ifndef TABLES_EVENTS_PLACE_H
#define TABLES_EVENTS_PLACE_H

#include <sys/types.h>

#include "cpus/pool.h"
#include "tables/events/reading.h"
#include "tables/events/tables.h"

enum table_form {
	FORM_NONE,	/* no table */
	FORM_JSON, FORM_METRICS,	/* perfmon, Linux; metrics alone */
	FORM_ARM,
	FORM_LIKWID_EVENTS, FORM_LIKWID_GROUP, FORM_LIKWID_COUNTERS,
	FORM_PAPI,
	FORM_KERNEL,	/* a driver of Linux */
	FORM_NO_FILE	/* a pipe or device where a table should be */
};

/* A folder with a mapfile.csv, or a folder or file that the user gave. */
struct table_root {
	const char *path;
	bool mapped;
	bool first_wins;	/* Linux takes the first row that matches */
	struct kept_entries *std;	/* of Linux's architecture, or NULL */
};

/* A row of a mapfile.csv. */
struct table_row {
	size_t root;
	const char *pattern;
	const char *prefix;	/* of files' paths below the root */
	const char *core;	/* "cpu_core", "cpu_atom" or "" */
};

struct table_file {
	size_t root;
	enum table_form form;
	const char *path;
	const char *below;	/* the part of path below the root */
	const char *table;	/* whose entries; PAPI: "", the file says */
	const char *pattern;	/* of the CPU that the file itself names; "" */
	const char *core;
	bool named;		/* by a row of a mapfile.csv */
	dev_t device;		/* of the folder that holds the file */
	ino_t inode;
};

struct event_tables {
	struct pool *pool;
	struct table_root *root;
	struct table_row *row;
	struct table_file *file;
	size_t roots, rows, files;
	struct kept_entries *bad;	/* ENTRY_BAD of files and folders that
					 * cannot be read, and of .std; NULL */
};

enum { TABLE_BYTES = 64 << 20, TABLE_FILES = 20000 };

/* Reads a mapfile.csv; the last root is its folder. Bad rows are ignored. */
int table_rows_read(struct event_tables *t, const char *path,
		    struct assay_error *err);

/* What a broken file of JSON should be by a mapfile.csv above; FORM_NONE: the
 * file is not broken, or may be anything. regular: no pipe, no device. */
enum table_form table_form_of_place(const struct event_tables *t,
				    const struct table_file *file,
				    bool regular);
/* Is a file of JSON no JSON, or an array of other things than objects? */
bool table_is_broken(const char *path, struct piece_fault *fault);

/* Is that file of the folder the next of JSON there among the tables from *from
 * on? Then *from is behind the file. path NULL: is there any? */
bool table_is_found(const struct event_tables *t, size_t *from,
		    const char *folder, const char *path);

/* The bytes of a byte-order mark at the beginning: 3 or 0. */
size_t table_mark(const char *text);

/* A copy in the pool, "" if there is no memory. */
const char *table_text(struct event_tables *t, const char *text, size_t bytes);

#endif
