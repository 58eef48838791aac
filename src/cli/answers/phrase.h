/* SPDX-License-Identifier: MIT */
/* A sentence that grows part by part; what does not fit is cut off. */
#ifndef CLI_ANSWERS_PHRASE_H
#define CLI_ANSWERS_PHRASE_H

#include <stddef.h>

struct phrase { char text[1600]; size_t used; };

void phrase_add(struct phrase *phrase, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* The sentence, with an upper-case first letter. */
const char *phrase_text(struct phrase *phrase);
/*
 * What stands between the parts of a list of `all`, before part `i` from 0:
 * "", ", " or " and ".
 */
const char *phrase_between(size_t i, size_t all);

#endif
