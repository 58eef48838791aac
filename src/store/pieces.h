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

struct piece {
	const char *file;	/* the file's name in messages */
	const char *key;	/* of the member that holds the piece; "": the
				 * outermost value is an array */
	size_t key_bytes;	/* the key is not terminated */
	bool element;		/* of an array */
	unsigned line, col;	/* of the first character, from 1 */
	const char *text;	/* not terminated */
	size_t bytes;
	json_t *json;		/* NULL: not parsed yet */
	struct assay_error *err;
};

/* Non-zero stops the reading and is returned. */
typedef int piece_fn(void *ctx, struct piece *piece);

/*
 * Calls fn for each piece of the text. Returns 0; fn's first non-zero result;
 * -ASSAY_EPARSE with file:line:col if the text is no JSON. The values inside
 * pieces are checked only by piece_parse().
 */
int pieces_each(const char *file, const char *text, size_t bytes, piece_fn *fn,
		void *ctx, struct assay_error *err);

/* Is this the key of the piece's member? */
bool piece_in(const struct piece *piece, const char *key);

/* Fills piece->json. Returns 0, or -ASSAY_EPARSE. */
int piece_parse(struct piece *piece);

/* After piece_parse(): the member of that name as text; NULL: there is none,
 * or the member is neither a string nor a whole number. A number is written
 * into `room`. */
const char *piece_text(const struct piece *piece, const char *key,
		       char room[24]);

/* The elements of a member that is an array; 0: the member is none. */
size_t piece_items(const struct piece *piece, const char *key);
/* The string member of an element that is an object; NULL: there is none. */
const char *piece_item(const struct piece *piece, const char *key,
		       size_t index, const char *member);

/* -ASSAY_EPARSE at the first character of the piece. */
int piece_error(const struct piece *piece, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
