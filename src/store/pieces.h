/* SPDX-License-Identifier: MIT */
/*
 * Large files of JSON, piece by piece: each piece is a member of the outermost
 * object, or an element of an array that is such a member or the outermost
 * value. A piece knows its line, and is parsed only when it is asked for.
 */
#ifndef STORE_PIECES_H
#define STORE_PIECES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "assay/error.h"
#include "store/node.h"

/* What is wrong, and where. */
struct piece_fault {
	unsigned line, col;	/* from 1 */
	char why[200];		/* "": nothing is */
};

struct piece {
	const char *key;	/* of the member that holds the piece; "": the
				 * outermost value is an array */
	size_t key_bytes;	/* the key is not terminated */
	bool element;		/* of an array */
	unsigned line, col;	/* of the first character, from 1 */
	const char *text;	/* not terminated */
	size_t bytes;
	json_t *json;		/* NULL: not parsed yet */
	struct piece_fault *fault;
};

/* Non-zero stops the reading and is returned. */
typedef int piece_fn(void *ctx, struct piece *piece);

/*
 * Calls fn for each piece of the text. Returns 0; fn's first non-zero result;
 * -ASSAY_EPARSE and *fault if the text is no JSON. The values inside pieces are
 * checked only by piece_parse().
 */
int pieces_each(const char *text, size_t bytes, piece_fn *fn, void *ctx,
		struct piece_fault *fault);

/* Is this the key of the piece's member? */
bool piece_in(const struct piece *piece, const char *key);

/* Fills piece->json. Returns 0; -ASSAY_EPARSE and *piece->fault; or, with *err,
 * -ASSAY_EUNAVAIL: there is no library that reads JSON. */
int piece_parse(struct piece *piece, struct assay_error *err);

/* After piece_parse(): the member of that name as text; NULL: there is none,
 * or the member is neither a string nor a whole number. A number is written
 * into `room`. */
const char *piece_text(const struct piece *piece, const char *key,
		       char room[24]);

/* Is there a member of that name of which piece_text() has no text? null is as
 * none. */
bool piece_has_other(const struct piece *piece, const char *key);

/* The elements of a member that is an array; 0: the member is none. */
size_t piece_items(const struct piece *piece, const char *key);
/* The string member of an element that is an object; NULL: there is none. */
const char *piece_item(const struct piece *piece, const char *key,
		       size_t index, const char *member);

/* -ASSAY_EPARSE, and *piece->fault: the first character of the piece. */
int piece_error(const struct piece *piece, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
