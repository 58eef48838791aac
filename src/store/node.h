/* SPDX-License-Identifier: MIT */
/*
 * A JSON value that knows its place, and checked access to it. With parse.c and
 * certificate*.c, the only user of jansson.
 *
 * Functions that return int give 0, or -ASSAY_EPARSE with "file:line:col:
 * error: ..." and a caret; outputs are untouched then.
 */
#ifndef STORE_NODE_H
#define STORE_NODE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "assay/error.h"
#include "store/place.h"

/* A line and what people call the place where it stands. */
struct line {
	const char *file;
	unsigned number;	/* from 1 */
	const char *text;	/* NUL-terminated, without the newline */
	size_t bytes;
	struct assay_error *err;	/* for complaints about it; or NULL */
};

/* Borrows the line, and the node that it is a part of. */
struct node {
	json_t *json;	/* NULL: the member is missing */
	const struct line *line;
	struct place place;
};

/* -ASSAY_EPARSE at a 0-based offset of the line. */
int line_error(const struct line *line, size_t offset, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* The same, at the node; if it is missing, where it should have been. */
int node_error(const struct node *node, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* "'x' must be `wanted`, not ..." or "'x' is missing: it must be `wanted`". */
int node_wrong(const struct node *node, const char *wanted);

struct node node_member(const struct node *of, const char *key);
struct node node_element(const struct node *of, size_t index);

int node_object(const struct node *node);
int node_array(const struct node *node, size_t most);

/*
 * Copies the string member `key`. A name must be there, not empty, and without
 * control characters, because it becomes a column's title; a text may be
 * missing, and *out stays.
 */
int node_name(const struct node *of, const char *key, char *out, size_t room);
int node_text(const struct node *of, const char *key, char *out, size_t room);

/* A whole number from 0 to 2^64 - 1: a JSON number, or a string of digits. */
int node_unsigned(const struct node *node, uint64_t *out);
/* One that may be negative. */
int node_integer(const struct node *node, int64_t *out);
/* The member `key`, up to `most`; missing: *out stays. */
int node_unsigned_member(const struct node *of, const char *key, uint64_t most,
		      uint64_t *out);

#endif
