/* SPDX-License-Identifier: MIT */
/* Sites with names, added up; how they are sorted; their rows. Private to
 * attribute.c, cost.c and miss-rows.c. */
#ifndef PROGRAM_ATTRIBUTE_H
#define PROGRAM_ATTRIBUTE_H

#include "program/program.h"
#include "stat/symbols.h"

extern const char *const tally_column_names[TALLY_COLUMNS];

/* Does the CPU have the part (cache, TLB) that this column counts? */
bool tally_has_column(const struct geometry *g, enum tally_column column);

/* Is it among those of rows by data? */
bool tally_is_of_data(enum tally_column column);

/* A site or, after merging, a function, line or object. */
struct entry {
	const char *function, *file;	/* "": not known; file: the source */
	int line;
	const char *object;
	uint64_t count[TALLY_COLUMNS];
	const char *data;	/* by data: its kind, or its name; or NULL */
	uint64_t bytes;		/* by data: allocated there */
	double key;		/* what it is sorted by */
	struct tally_why *why;	/* --why; NULL: it misses nothing */
	uint64_t branches;	/* --why: executions of mispredicted branches */
	/* the innermost of the inlined functions, or NULL; and their owner */
	const struct inlined *inlined;
	struct symbols *symbols;
};

/* NULL is an empty text. */
static inline const char *or_empty(const char *text)
{
	return text ? text : "";
}

void entry_add(struct entry *to, const struct entry *from);

/* The estimated cycles that the misses of an entry cost. */
double cost_of(const struct cost *cost, const uint64_t count[TALLY_COLUMNS]);
/* The number that rows are sorted by. */
double cost_key(const struct cost *cost, const uint64_t count[TALLY_COLUMNS]);

/* The named sites of one program, sorted by cost_key(). */
struct attribution {
	const struct tally_map *map;
	const struct wanted *wanted;
	const struct cost *cost;
	struct entry *entry;
	size_t entries;
};

/* The file that an object was mapped from. */
struct file {
	bool looked_up;
	struct symbols *symbols;	/* NULL: none can be read */
	const char *instead;	/* shown as the function if the file is gone or
				 * changed; NULL: it is unchanged */
};

/* Finds names of sites. */
struct naming {
	struct attribution to;
	struct file *file;	/* by object */
};

/* `to` has the map and what is wanted. Returns 0 or -ASSAY_ENOMEM. */
int naming_init(struct naming *naming, struct assay_error *err);
/* The site's function, line and object; borrowed until naming_fini(). */
void naming_entry(struct naming *naming, const struct tally_site *site,
		  struct entry *out);
/* The name and object of a variable or allocation; borrowed likewise. */
void naming_datum(struct naming *naming, const struct tally_datum *datum,
		  struct entry *out);
void naming_fini(struct naming *naming);
/* Sorts by object, function, file, line and the functions that were inlined. */
int entry_by_name(const void *a, const void *b);

/* The rows of the most costly entries, of the others, and the total. */
int miss_rows(const struct attribution *b, assay_row_fn *fn, void *ctx);

#endif
