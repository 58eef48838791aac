/* SPDX-License-Identifier: MIT */
/*
 * A YAML text as a tree of plain nodes that know their place, and checked
 * access to it. Only user of libfyaml, which never prints here.
 *
 * All scalars are text; what they mean is decided by who reads them, so that
 * `0x41`, `64 KiB`, `no` and `1.10` never change behind the reader's back.
 *
 * Every function that returns int gives 0 or -ASSAY_EPARSE with
 * "file:line:col: error: ...", the source line and a caret (or -ASSAY_ENOMEM).
 *
 * Refused: more than one document, directives, anchors, aliases, tags, keys that
 * are not plain words, keys given twice, bad UTF-8, control characters, more
 * than YAML_DEPTH levels or YAML_NODES nodes or YAML_KEYS keys in one mapping.
 */
#ifndef CPUS_YAML_H
#define CPUS_YAML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "assay/error.h"

#define YAML_DEPTH 16
#define YAML_NODES 65536
#define YAML_KEYS 2048
#define YAML_BYTES (4u << 20)	/* larger texts are refused */

enum yaml_kind { YAML_SCALAR, YAML_MAPPING, YAML_SEQUENCE };

/* Borrowed from the struct yaml that holds it. Lines and columns from 1. */
struct yaml_node {
	enum yaml_kind kind;
	unsigned line, col;
	unsigned key_line, key_col;	/* member of a mapping */
	size_t offset;		/* SCALAR: of its first byte in yaml->text */
	const char *key;	/* member of a mapping; else NULL */
	const char *text;	/* SCALAR; else NULL */
	size_t count;		/* MAPPING, SEQUENCE: members */
	const struct yaml_node *first, *next;
};

struct yaml {
	const char *file;	/* as error messages name it */
	const char *text;	/* the whole source, NUL-terminated */
	const struct yaml_node *root;	/* never NULL; any kind */
	void *owned;
};

/*
 * Parses bytes of text; file is its name in messages. Both are copied. An
 * empty document is an error.
 */
int yaml_parse(struct yaml **out, const char *file, const char *text,
	       size_t bytes, struct assay_error *err);

/*
 * Finds and parses a file of data/FOLDER/: see data_file_open. -ASSAY_ENOENT with
 * a suggestion, -ASSAY_EIO.
 */
int yaml_open(struct yaml **out, const char *folder, const char *name_or_path,
	      const char *data_dir, struct assay_error *err);
void yaml_free(struct yaml *yaml);

/* Errors with the place of a node, of its key, or of byte `offset` of its
 * text (following quotes and folded lines where possible). */
int yaml_error(const struct yaml *yaml, const struct yaml_node *node,
	       struct assay_error *err, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
int yaml_error_key(const struct yaml *yaml, const struct yaml_node *node,
		   struct assay_error *err, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
int yaml_error_in(const struct yaml *yaml, const struct yaml_node *node,
		  size_t offset, struct assay_error *err, const char *format,
		  ...) __attribute__((format(printf, 5, 6)));

/* The node must be of that kind. `what` names it: "'caches' must be ...". */
int yaml_is(const struct yaml *yaml, const struct yaml_node *node,
	    enum yaml_kind kind, const char *what, struct assay_error *err);

/*
 * The node must be a mapping with no key outside `keys` (NULL-terminated):
 * "unknown key 'wayz'; did you mean 'ways'?".
 */
int yaml_keys(const struct yaml *yaml, const struct yaml_node *map,
	      const char *const *keys, const char *what,
	      struct assay_error *err);

/* The member of that key, or NULL. */
const struct yaml_node *yaml_get(const struct yaml_node *map, const char *key);

/* The member of that key and kind: an error if it is not there. */
int yaml_need(const struct yaml_node **out, const struct yaml *yaml,
	      const struct yaml_node *map, const char *key,
	      enum yaml_kind kind, struct assay_error *err);

/* The text of the scalar member `key`: an error if it is not there, or "". */
int yaml_word(const char **out, const struct yaml *yaml,
	      const struct yaml_node *map, const char *key,
	      struct assay_error *err);

/* The text of the scalar member `key`, or "" if there is none. Borrowed. */
int yaml_text(const char **out, const struct yaml *yaml,
	      const struct yaml_node *map, const char *key,
	      struct assay_error *err);

#endif
