/* SPDX-License-Identifier: MIT */
/*
 * Facts: every value in a CPU file has a confidence and a source.
 *
 *   ways: 2 | D wiki72
 *   policy: lru | F fit sniper72 | random replacement misses the 128 KiB row
 *
 * The value comes first, then the confidence (D R M F G) with one or more keys
 * of the file's `sources`, then, if there is one, a remark. A mapping may hold
 * `from: D wiki72`, the default for the facts inside it that have no `|`. A
 * fact without confidence and source, or with an unknown source, is an error.
 *
 * Functions that return int give 0; -ASSAY_EPARSE with the place of the wrong
 * key or value in reader->err; or -ASSAY_ENOMEM.
 */
#ifndef CPUS_FACT_H
#define CPUS_FACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cpus/cpu.h"
#include "cpus/pool.h"
#include "cpus/yaml.h"

/* The state of reading one CPU file. */
struct reader {
	const struct yaml *yaml;
	struct pool *pool;
	const char *const *source;	/* keys of `sources`, NULL-terminated */
	struct fact_item *first, *last;	/* the facts so far, ... */
	size_t facts;			/* ... and their number */
	struct assay_error *err;
};

/* Confidence, sources and remark of a value: the text behind its `|`. */
struct tag {
	char confidence;	/* D R M F G; '\0': no default was given */
	const char *source;	/* "wiki72 S3" */
	const char *note;	/* "" if none */
};

/* A mapping that is being read, its path, and the default tag of its facts. */
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
	FIELD_WORD,	/* int: the index in words */
	FIELD_TEXT,	/* const char *: any text */
};

/* A key of a mapping, and the member of a struct that gets its value. A table
 * of fields ends with key == NULL. */
struct field {
	const char *key;
	enum field_kind kind;
	size_t offset;
	bool required;
	uint64_t min, max;		/* COUNT; REAL: 0 .. max; max 0: none */
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

/* As yaml_error, yaml_error_key and yaml_error_in, in the scope's file. */
#define fact_error(scope, node, ...) \
	yaml_error((scope)->reader->yaml, node, (scope)->reader->err, \
		   __VA_ARGS__)
#define fact_error_key(scope, node, ...) \
	yaml_error_key((scope)->reader->yaml, node, (scope)->reader->err, \
		       __VA_ARGS__)
#define fact_error_in(scope, node, offset, ...) \
	yaml_error_in((scope)->reader->yaml, node, offset, \
		      (scope)->reader->err, __VA_ARGS__)

/*
 * Opens the member `key` of the parent as a scope. The member must be a mapping
 * whose keys are `from` and those of the fields; any keys, if fields is NULL.
 * *present is set to whether the member is there; if present is NULL, a missing
 * member is an error.
 */
int scope_open(struct scope *out, const struct scope *parent, const char *key,
	       const struct field *fields, bool *present);

/* Reads the scope's values into the struct *out. Members whose keys the file
 * does not give are unchanged; a missing required key is an error. */
int scope_read(const struct scope *scope, const struct field *fields,
	       void *out);

/* Reports that the value of node `n` is none of the words (NULL-terminated). */
int fact_not_among(const struct scope *s, const struct yaml_node *n,
		   const char *const *words, const char *value);
/* Reports `why` at the value of `key`; without this key, at the mapping. */
int scope_refuse(const struct scope *s, const char *key, const char *why);

/*
 * Splits a scalar node into value and tag. If key is not NULL, adds the value
 * to the reader's facts as PATH.KEY.
 */
int fact_split(const struct scope *scope, const struct yaml_node *node,
	       const char *key, const char **value, struct tag *tag);

/* Reads the scope's default tag from its key `from`, if it has one. */
int scope_from(struct scope *scope);

/*
 * Checks a name that people type: letters, digits and "_.:-" only. The error
 * is at the node's key if the name is the key, else at the node's value.
 */
int fact_name(const struct reader *r, const struct yaml_node *node,
	      const char *name);

/* The reader's facts as an array, in the file's order. */
int fact_array(struct reader *reader, const struct cpu_fact **out);

/* A whole number: as text_count ("64 KiB"), or hexadecimal ("0x41"). Returns 0,
 * -ASSAY_EINVAL or -ASSAY_ERANGE, without an error text. */
int fact_number(uint64_t *out, const char *text);

/* The names in a list or in one scalar, as a NULL-terminated array of at most
 * 16; node may be NULL: no names. */
int fact_words(struct reader *reader, const struct yaml_node *node,
	       const char *const **out);

#endif
