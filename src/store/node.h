/* SPDX-License-Identifier: MIT */
/*
 * Checked access to JSON values: a struct node is a value with its path, so
 * that errors can show its place. Only src/store uses jansson.
 *
 * Functions that return int give 0, or -ASSAY_EPARSE with "file:line:col:
 * error: ..." and a caret in line->err; outputs are unchanged then.
 */
#ifndef STORE_NODE_H
#define STORE_NODE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "assay/error.h"

/* A line of JSON, or the text of a file. */
struct line {
	const char *file;	/* its name in messages */
	unsigned number;	/* from 1 */
	const char *text;	/* NUL-terminated, without the newline */
	size_t bytes;
	struct assay_error *err;	/* for errors in this line; or NULL */
};

/* A path: a member or an element of the value above. */
struct place {
	const struct place *up;	/* NULL: the outermost value of the line */
	const char *key;	/* a member; NULL: an element */
	size_t index;
};

/* Borrows the line, and the node above. */
struct node {
	json_t *json;	/* NULL: the member is missing */
	const struct line *line;
	struct place place;
};

/* -ASSAY_EPARSE at a 0-based offset of the line. */
int line_error(const struct line *line, size_t offset, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* -ASSAY_EPARSE at the node, or at the value above if the node is missing. */
int node_error(const struct node *node, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* "'x' must be `wanted`, not ..." or "'x' is missing: it must be `wanted`". */
int node_wrong(const struct node *node, const char *wanted);

/*
 * The value of a file's text, without a member twice; the caller calls
 * json_decref(). Also -ASSAY_EUNAVAIL without jansson.
 */
int node_text_value(json_t **out, const struct line *line);

struct node node_member(const struct node *of, const char *key);
struct node node_element(const struct node *of, size_t index);

int node_object(const struct node *node);
int node_array(const struct node *node, size_t most);

/*
 * Copy the string member `key` into `room` bytes. A name must not be missing,
 * empty, or have control characters, because it becomes a column's title; a
 * text may be missing, and *out stays.
 */
int node_name(const struct node *of, const char *key, char *out, size_t room);
int node_text(const struct node *of, const char *key, char *out, size_t room);

/* A whole number from 0 to 2^64 - 1: a JSON number, or a string of digits. */
int node_unsigned(const struct node *node, uint64_t *out);
/* The same from -2^63 to 2^63 - 1. */
int node_integer(const struct node *node, int64_t *out);
/* The member `key`, from 0 to `most`; if missing, *out stays. */
int node_unsigned_member(const struct node *of, const char *key, uint64_t most,
			 uint64_t *out);

#endif
