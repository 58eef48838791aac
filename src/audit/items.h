/* SPDX-License-Identifier: MIT */
/* What the checks of an audit share. */
#ifndef AUDIT_ITEMS_H
#define AUDIT_ITEMS_H

#include "audit/audit.h"
#include "cpus/pool.h"

/* A table as the checks see it: one source, one CPU, one kind of core. */
struct audit_table {
	enum entry_source source;
	const char *name, *core;
	bool audited;	/* else the table of a witness */
	size_t events;
	uint64_t zero;	/* all umasks of its select 0 */
};

struct audit_item {
	struct entry e;
	const char *normal;	/* the name in normal form */
	const char *unit;	/* as all sources call it; "": the core */
	unsigned table;
	bool audited;
	bool found;		/* has a finding */
};

/* How the tables of two items belong together. */
enum audit_bond {
	BOND_NONE,
	BOND_HOME,	/* one source, one CPU: events and their metrics */
	BOND_CPU,	/* two sources, one CPU */
	BOND_SIBLING,	/* one source, two CPUs with mostly equal codes */
	BOND_EDITION,	/* one source, one CPU: another edition, a witness */
};

/* Names that two tables have in common, how many of them are offcore responses,
 * and how many of the others have one code. */
struct audit_agreement { unsigned short common, offcore, equal; };

enum { COUNTER_LISTS = 128 };

struct audit {
	struct pool *pool;
	struct audit_item *item;	/* in the order of reading */
	size_t items;
	struct audit_table *table;
	size_t tables;
	unsigned char *bond;	/* enum audit_bond of two tables */
	struct audit_agreement *agreement;	/* of two tables, the lower
						 * number first */
	struct audit_item **by_name;	/* events by unit and name */
	struct audit_item **by_code;	/* events by table and code */
	struct audit_item **by_spelling;	/* events by name as written */
	size_t events;
	const struct audit_item *list[COUNTER_LISTS];	/* of counters */
	size_t lists;
	struct audit_found *found;
	size_t founds;
	bool no_memory;
};

/* After the last audit_add(): by_name and by_code; then the bonds. */
void audit_sort(struct audit *a);
void audit_bind(struct audit *a);

/* Copies texts; one finding of each class for an item is kept. printf-like. */
struct audit_found {
	const struct audit_item *item;
	const char *class, *here, *others;
	enum audit_confidence confidence;
};
void audit_find(struct audit *a, const char *class,
		enum audit_confidence confidence,
		const struct audit_item *item, const char *here,
		const char *format, ...) __attribute__((format(printf, 6, 7)));

/* Has the item a finding of that class? */
bool audit_found(const struct audit *a, const char *class,
		 const struct audit_item *item);

enum audit_bond audit_bond(const struct audit *a, const struct audit_item *x,
			   const struct audit_item *y);

/* Names that two tables have in common. */
unsigned audit_common(const struct audit *a, unsigned table, unsigned other);

/* The first event of the table in the order of codes. */
struct audit_item *const *audit_codes_of(const struct audit *a,
					 unsigned table);

/* The first item of x's file. */
const struct audit_item *audit_group(const struct audit *a,
				     const struct audit_item *x);

/* Could the name be in a part of the source's table of x's CPU, or of an
 * architecture, that cannot be read? */
bool audit_is_unread(const struct audit *a, const struct audit_item *x,
		     enum entry_source source, const char *name);

/* The event that x uses. A finding if the CPU's table of the source has no such
 * event, or only a deprecated one. */
const struct audit_item *audit_uses(struct audit *a,
				    const struct audit_item *x,
				    enum entry_source source,
				    const char *name);

/* A finding if the event that x uses under that name is deprecated. */
void audit_deprecated(struct audit *a, const struct audit_item *x,
		      const char *name, const struct audit_item *event);

/* Does the event count cycles, instructions or time? */
bool audit_is_reference(const char *name);

/* Has the formula of a likwid metric a vector event with a factor? */
bool audit_has_vector(const struct audit *a, const struct audit_item *x);

/* The items with x's name and unit, from *run on. Returns how many. */
size_t audit_same_name(const struct audit *a, const struct audit_item *x,
		       struct audit_item ***run);
/* The items of a table with a name; *run as above; NULL: there is none. */
const struct audit_item *audit_named(const struct audit *a, unsigned table,
				     const char *name, const char *unit);

/* The event of that name, as written, in a table of x's CPU and of the source;
 * NULL: none. */
const struct audit_item *audit_event_of(const struct audit *a,
					const struct audit_item *x,
					enum entry_source source,
					const char *name);
/* The events of that name as written, in any case, from *run on. */
size_t audit_same_spelling(const struct audit *a, const char *name,
			   struct audit_item ***run);
/* Is the table for x's CPU? */
bool audit_is_home(const struct audit *a, const struct audit_item *x,
		   unsigned table);
/* Has that source any event of x's CPU? */
bool audit_knows(const struct audit *a, const struct audit_item *x,
		 enum entry_source source);

/* "likwid CLX", "Linux alderlake cpu_core": whose an item is. */
const char *audit_whose(char out[96], const struct audit *a,
			const struct audit_item *x);

/* ---- codes (codes.c) ----------------------------------------------------- */

/* Parts in which two codes differ. */
enum { DIFF_SELECT = 1, DIFF_UMASK = 2, DIFF_CMASK = 4, DIFF_FLAGS = 8,
       DIFF_MSR = 16 };

/* -1: their parts cannot be compared. */
int audit_code_differs(const struct audit_item *x, const struct audit_item *y);
/* "select 0x2e, umask 0x1, cmask 2, edge" */
const char *audit_code_text(char out[160], const struct audit_item *x);
/* Orders items of one table by all that is known of their codes; 0: one code
 * under two names. */
int audit_code_order(const struct audit_item *x, const struct audit_item *y);
/* The umask with its extension, as Linux writes it. */
uint64_t audit_umask(const struct event_code *c);
/* Has the code a text beside its numbers that may be a part of them? */
bool audit_has_filter(const struct audit_item *x);
/* The umasks of the parts of an ALL or ANY, in its table, and how many parts
 * there are. */
uint64_t audit_parts(const struct audit *a, const struct audit_item *sum,
		     unsigned *count);
/* Is the code one of a general counter, known in full? */
bool audit_is_code(const struct audit_item *x);

/* Is y's table made from x's, so that y agreeing with x says nothing? */
bool audit_derives(const struct audit_item *y, const struct audit_item *x);
/* Is the table one of an AMD CPU? */
bool audit_is_amd(const struct audit_item *x);
/* Is the table the one of those who made the CPU? */
bool audit_is_vendor(const struct audit_item *x);

/* ---- words of names (words.c) -------------------------------------------- */

enum audit_words { WORDS_ALIAS, WORDS_APART, WORDS_OPPOSITE };
/* Two normal names: can both mean the same? */
enum audit_words audit_words(const char *a, const char *b);

bool audit_words_equal(const char *a, const char *b);

/* ---- the checks ---------------------------------------------------------- */

void audit_dup(struct audit *a);
void audit_cross(struct audit *a);
void audit_field(struct audit *a);
void audit_union(struct audit *a);
void audit_syntax(struct audit *a);
void audit_unreadable(struct audit *a);
void audit_use(struct audit *a);
void audit_family(struct audit *a);
void audit_twice(struct audit *a);
void audit_vocabulary(struct audit *a);
void audit_spelling(struct audit *a);
void audit_absent(struct audit *a);
void audit_factor(struct audit *a);
void audit_sense(struct audit *a);
void audit_presets(struct audit *a);
void audit_generic(struct audit *a);

#endif
