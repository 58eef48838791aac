/* SPDX-License-Identifier: MIT */
/*
 * A YAML text as a tree of nodes with their places in the text, checked access
 * to the tree, and errors with a place. The only user of libfyaml, which never
 * prints here.
 *
 * All scalars are text: the reader of a value decides what type it has. So
 * `0x41`, `64 KiB`, `no` and `1.10` stay as they are written.
 *
 * Every function that returns int gives 0 or -ASSAY_EPARSE with
 * "file:line:col: error: ...", the source line and a caret (or -ASSAY_ENOMEM).
 *
 * Refused: more than one document, directives, anchors, aliases, tags, keys
 * that are not plain words, keys given twice, bad UTF-8, control characters,
 * more than YAML_DEPTH levels or YAML_NODES nodes or YAML_KEYS keys in one
 * mapping.
 */
#ifndef CPUS_YAML_H
#define CPUS_YAML_H

#include <stdbool.h>
#include <stddef.h>

#include "assay/error.h"

#define YAML_DEPTH 16
#define YAML_NODES 65536
#define YAML_KEYS 2048
#define YAML_BYTES (4u << 20)	/* larger texts are refused */

enum yaml_kind { YAML_SCALAR, YAML_MAPPING, YAML_SEQUENCE };

/* A node belongs to its struct yaml. Lines and columns count from 1. */
struct yaml_node {
	enum yaml_kind kind;
	unsigned line, col;
	unsigned key_line, key_col;	/* place of key */
	size_t offset;		/* SCALAR: of its first byte in yaml->text */
	const char *key;	/* of a member of a mapping; else NULL */
	const char *text;	/* SCALAR; else NULL */
	size_t count;		/* MAPPING, SEQUENCE: number of members */
	const struct yaml_node *first;	/* MAPPING, SEQUENCE: its members */
	const struct yaml_node *next;	/* member of the same parent */
	const struct yaml *home;	/* the file that the node was put from;
					 * NULL: this one */
};

struct yaml {
	const char *file;	/* as error messages name it */
	const char *text;	/* the whole source, NUL-terminated */
	const struct yaml_node *root;	/* never NULL; any kind */
	void *owned;		/* the pool of the tree */
};

/*
 * Parses a text of that many bytes; file is its name in messages. Both are
 * copied. An empty document is an error. The caller frees *out (yaml_free).
 */
int yaml_parse(struct yaml **out, const char *file, const char *text,
	       size_t bytes, struct assay_error *err);

/*
 * Finds a file of data/FOLDER/ and parses it. Errors as yaml_parse and as
 * data_file_open.
 */
int yaml_open(struct yaml **out, const char *folder, const char *name_or_path,
	      const char *data_dir, struct assay_error *err);
void yaml_free(struct yaml *yaml);

/*
 * Set *err with the place of a node, of its key, or of byte `offset` of its
 * text (through quotes and folded lines where possible). printf-like; return
 * -ASSAY_EPARSE.
 */
int yaml_error(const struct yaml *yaml, const struct yaml_node *node,
	       struct assay_error *err, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
int yaml_error_key(const struct yaml *yaml, const struct yaml_node *node,
		   struct assay_error *err, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
int yaml_error_in(const struct yaml *yaml, const struct yaml_node *node,
		  size_t offset, struct assay_error *err, const char *format,
		  ...) __attribute__((format(printf, 5, 6)));

/* An error unless the node is of that kind; `what` is the node's name in it. */
int yaml_is(const struct yaml *yaml, const struct yaml_node *node,
	    enum yaml_kind kind, const char *what, struct assay_error *err);

/*
 * An error unless the node is a mapping whose keys are all among `keys`
 * (NULL-terminated): "unknown key 'wayz'; did you mean 'ways'?".
 */
int yaml_keys(const struct yaml *yaml, const struct yaml_node *map,
	      const char *const *keys, const char *what,
	      struct assay_error *err);

/* The member of that key; NULL if there is none, or if map is no mapping. */
const struct yaml_node *yaml_get(const struct yaml_node *map, const char *key);

/* The member of that key; an error if it is missing or of another kind. */
int yaml_need(const struct yaml_node **out, const struct yaml *yaml,
	      const struct yaml_node *map, const char *key,
	      enum yaml_kind kind, struct assay_error *err);

/*
 * Puts a copy of the node at the path "caches.l2.size" of the tree, in place of
 * the node there; missing mappings are made. Errors about the copy name the
 * file `from`, which must outlive the tree. Returns 0; -ASSAY_EPARSE: a part of the
 * path is no mapping; -ASSAY_ENOMEM.
 */
int yaml_put(struct yaml *to, const char *path, const struct yaml *from,
	     const struct yaml_node *node, struct assay_error *err);

/* The text of the scalar member `key`; an error if it is missing or empty. */
int yaml_word(const char **out, const struct yaml *yaml,
	      const struct yaml_node *map, const char *key,
	      struct assay_error *err);

/* The text of the scalar member `key`, or "" if the mapping has no such key. */
int yaml_text(const char **out, const struct yaml *yaml,
	      const struct yaml_node *map, const char *key,
	      struct assay_error *err);

/*
 * The member `key`, a list of `least` to `most` members. *out is NULL if the
 * list is missing, which is an error unless least is 0.
 */
int yaml_list(const struct yaml_node **out, const struct yaml *yaml,
	      const struct yaml_node *map, const char *key, size_t least,
	      size_t most, struct assay_error *err);

/* A member of a mapping, for yaml_members(). */
struct yaml_member {
	const char *key;
	const char **text;	/* gets the text; NULL: the caller reads it */
	bool required;		/* as yaml_word(); else as yaml_text() */
	const char *schema;	/* the text must be this one */
};
#define YAML_WORD(name, out) { .key = (name), .text = (out), .required = true }
#define YAML_TEXT(name, out) { .key = (name), .text = (out) }
#define YAML_OTHER(name) { .key = (name) }
#define YAML_SCHEMA(name) { .key = "schema", .schema = (name) }

#define YAML_MEMBERS 16

/*
 * Checks the keys of the map by yaml_keys(), then reads the members in their
 * order. The list of members ends with a key of NULL.
 */
int yaml_members(const struct yaml *yaml, const struct yaml_node *map,
		 const struct yaml_member *member, const char *what,
		 struct assay_error *err);

#endif
