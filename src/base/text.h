/* SPDX-License-Identifier: MIT */
/*
 * Words, numbers and sizes as people write them.
 */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "assay/error.h"

/* Fills *err (may be NULL) and returns code. printf-like. */
int error_set(struct assay_error *err, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* -ASSAY_ENOMEM, "out of memory". */
int error_memory(struct assay_error *err);
/* Appends a further line to err->text. */
void error_add(struct assay_error *err, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Appends to the last line of err->text. */
void error_append(struct assay_error *err, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/*
 * "did you mean 'WORD'?" as a further line, if one of the words is near enough
 * to be meant. Returns whether one is. words: NULL-terminated.
 */
bool error_meant(struct assay_error *err, const char *word,
		 const char *const *words);
/*
 * -ASSAY_ENOENT: "unknown WHAT 'WORD'", the nearest of the words, and the line
 * `hint`. words: NULL-terminated.
 */
int error_unknown(struct assay_error *err, const char *what, const char *word,
		  const char *const *words, const char *hint);
/* error_unknown() for the name of a quantity. */
int quantity_unknown(const char *name, struct assay_error *err);
/*
 * "cannot read 'PATH': ..." with the reason that errno gives, and errno kept.
 * Returns -ASSAY_ENOENT if the path names no file, so that another name would
 * help; else -ASSAY_EIO.
 */
int error_read(struct assay_error *err, const char *path);
/*
 * Reads all of a file ("-": stdin) of at most `most` bytes; a NUL follows the
 * last byte. The caller frees *out. Returns 0; as error_read(); -ASSAY_EINVAL:
 * the file is larger; -ASSAY_ENOMEM.
 */
int text_load(char **out, size_t *bytes, const char *path, size_t most,
	      struct assay_error *err);
/* "cannot write 'PATH': ...", the same way; -ASSAY_EIO. */
int error_write(struct assay_error *err, const char *path);
/*
 * -ASSAY_EPARSE as compilers say it: "file:line:col: error: why", the line,
 * and a caret under col. line and col count from 1; text is the whole file (or
 * NULL: no source line is shown).
 */
int error_at(struct assay_error *err, const char *file, const char *text,
	     unsigned line, unsigned col, const char *format, ...)
	__attribute__((format(printf, 6, 7)));

/*
 * A whole number with an optional suffix K M G T (powers of 1024; "KiB",
 * "MiB" ... too). Overflow, signs, spaces and leftovers are errors.
 * Returns 0, -ASSAY_EINVAL or -ASSAY_ERANGE; err may be NULL.
 */
int text_count(uint64_t *out, const char *text, struct assay_error *err);

/* "48 KiB", "1 MiB", "100 B": exact, the largest unit that divides. */
void text_bytes(char *out, size_t room, uint64_t bytes);
/* "47.3 KiB", "1 MiB": three digits. */
void text_about_bytes(char *out, size_t room, double bytes);

/* "268 435 456": groups of three. */
void text_groups(char *out, size_t room, uint64_t value);

/* Edit distance (insert, delete, replace, swap), capped at 255. */
unsigned text_distance(const char *a, const char *b);

/*
 * The nearest of the words, if near enough to be meant; else NULL.
 * words: NULL-terminated.
 */
const char *text_nearest(const char *word, const char *const *words);

/*
 * Replaces by '?' each byte of what a terminal would act on (utf8_acts()) and
 * of what is no UTF-8: names of files, symbols, events and hosts are hostile.
 * Line ends and tabs stay if lines are wanted, and else become blanks.
 */
void text_harmless(char *text, bool lines);

/*
 * Quotes a word for a shell: 'a b', or $'a\033' if a terminal would act on the
 * word. "": no room.
 */
void text_shell(char *out, size_t room, const char *word);

/* Does the text hold the word, of 3 letters or more, in any case? */
bool text_part(const char *word, const char *text);
bool text_equal(const char *a, const char *b);	/* ignoring case */
/* Copies with truncation; always terminates. */
void text_copy(char *out, size_t room, const char *text);

/*
 * Takes the next item off a list such as "a,b,c", cut to the room; false: the
 * list is at its end. *list may be NULL: an empty list.
 */
bool text_item(const char **list, char *out, size_t room);

/*
 * Appends a printf-like text and, if `out` is not empty, `between` before the
 * text. Cut to the room.
 */
void text_add(char *out, size_t room, const char *between, const char *format,
	      ...) __attribute__((format(printf, 4, 5)));

/* "a, b, c" with ", " between; empty words are left out. Cut to the room. */
void text_join(char *out, size_t room, const char *const *words,
	       const char *between);

#endif
