/* SPDX-License-Identifier: MIT */
/* Sentences that say what a command's rows come to; each stands above them. */
#ifndef CLI_ANSWERS_ANSWERS_H
#define CLI_ANSWERS_ANSWERS_H

#include "assay/stat.h"
#include "cli/rows.h"

/* A sentence that grows part by part; what does not fit is cut off. */
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

/*
 * topo: sizes of caches and who disagrees about them; after a measurement,
 * which sizes timing confirms and which not, and which traits are not believed.
 */
void topo_answer(const struct kept_rows *kept, struct phrase *out);

/*
 * stat: what the metrics say and which are not to be trusted. violated: laws
 * between the events that the counts break.
 */
void stat_answer(const struct assay_stat_result *r, unsigned violated,
		 struct phrase *out);

#endif
