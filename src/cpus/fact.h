/* SPDX-License-Identifier: MIT */
/*
 * Facts: every value in a CPU file says how it is known.
 *
 *   ways: 2 | D wiki72
 *   policy: lru | F fit sniper72 | random replacement misses the 128 KiB row
 *
 * is the value, then a confidence (D R M F G) and one or more keys of the
 * file's `sources`, then a remark if there is one. A mapping may hold
 * `from: D wiki72`: the default for the facts inside it that have no `|`. A
 * fact without confidence and source, or with an unknown source, is an error.
 */
#ifndef CPUS_FACT_H
#define CPUS_FACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cpus/cpu.h"
#include "cpus/pool.h"
#include "cpus/yaml.h"

/* What one CPU file is read with. */
struct reader {
	const struct yaml *yaml;
	struct pool *pool;
	const char *const *source;	/* keys, NULL-terminated */
	struct fact_item *first, *last;
	size_t facts;
	struct assay_error *err;
};

struct tag {
	char confidence;	/* '\0': none yet */
	const char *source;	/* "wiki72 S3" */
	const char *note;	/* "" if none */
};

/* A mapping that is being read: where it is and what its facts default to. */
struct scope {
	struct reader *reader;
	const struct yaml_node *map;
	const char *path;	/* "caches.l1d"; "" at the top */
	struct tag tag;
};

enum field_kind {
	FIELD_COUNT,	/* uint64_t: 64 KiB, 0x41, 12 */
	FIELD_REAL,	/* double: 4.01 */
	FIELD_BOOL,	/* bool: yes no on off true false */
	FIELD_WORD,	/* int: index in words */
	FIELD_TEXT,	/* const char *: any text */
};

/* One key of a mapping and where its value goes. Ends with key == NULL. */
struct field {
	const char *key;
	enum field_kind kind;
	size_t offset;
	bool required;
	uint64_t min, max;		/* COUNT; REAL: >= 0, <= max if given */
	const char *const *words;	/* WORD */
	int count;			/* of words, at most FACT_WORDS */
};

/* Rows of a table of fields; `needed` is true if the key must be there. */
#define FIELD_ROW(name, kind_, type, member, needed, ...) \
	{ .key = name, .kind = kind_, .offset = offsetof(struct type, member), \
	  .required = needed, __VA_ARGS__ }
#define COUNT_ROW(name, type, member, needed, low, high) \
	FIELD_ROW(name, FIELD_COUNT, type, member, needed, .min = low, \
		  .max = high)
#define REAL_ROW(name, type, member, high) \
	FIELD_ROW(name, FIELD_REAL, type, member, false, .max = high)
#define BOOL_ROW(name, type, member, needed) \
	FIELD_ROW(name, FIELD_BOOL, type, member, needed, .max = 1)
#define WORD_ROW(name, type, member, needed, list) \
	FIELD_ROW(name, FIELD_WORD, type, member, needed, .words = list, \
		  .count = (int)(sizeof(list) / sizeof((list)[0])))

#define FACT_KEYS 32
#define FACT_WORDS 16

int fact_no_memory(struct reader *reader);

/*
 * Opens member `key` of parent (or, if key is NULL, node itself) as a scope:
 * it must be a mapping with `from`, the keys of the fields, and nothing else.
 * fields may be NULL: any keys. *present (may be NULL: required) tells
 * whether it is there.
 */
int scope_open(struct scope *out, const struct scope *parent, const char *key,
	       const struct field *fields, bool *present);

/* Reads all fields of the scope into *out; those not given are left alone. */
int scope_read(const struct scope *scope, const struct field *fields,
	       void *out);

/* The error that a key's value is none of the words (NULL-terminated). */
int fact_not_among(const struct scope *s, const struct yaml_node *n,
		   const char *const *words, const char *value);
/* The error that this value, or the mapping if it has none, cannot be. */
int scope_refuse(const struct scope *s, const char *key, const char *why);

/*
 * Splits a node into value and tag and, if key is not NULL, records it as the
 * fact PATH.KEY.
 */
int fact_split(const struct scope *scope, const struct yaml_node *node,
	       const char *key, const char **value, struct tag *tag);

/* The scope's default from its `from` key. */
int scope_from(struct scope *scope);

/*
 * What people type: letters, digits and "_.:-". An error at the node's key, or
 * at the node if the name is not its key.
 */
int fact_name(const struct reader *r, const struct yaml_node *node,
	      const char *name);

/* Facts as an array, in the file's order. */
int fact_array(struct reader *reader, const struct cpu_fact **out);

/* A whole number: as text_count, and hexadecimal. -1 if it is none. */
int fact_number(uint64_t *out, const char *text);

/* The texts of a list or of one scalar, as a NULL-terminated array. */
int fact_words(struct reader *reader, const struct yaml_node *node,
	       const char *const **out);

#endif
