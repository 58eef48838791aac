/* SPDX-License-Identifier: MIT */
/* The command that answers where this machine's counters cannot. */
#include <string.h>

#include "base/text.h"
#include "cli/results.h"
#include "cli/answers/answers.h"

bool hand_over_fits(const struct settings *s, const char *why)
{
	return why && s->program && !s->on &&
	       strstr(why, "no hardware counters here");
}

void hand_over_text(struct phrase *out, char *const *program)
{
	phrase_add(out, "assay sim --by none --");
	for (; *program; program++) {
		char word[1000];

		text_shell(word, sizeof(word), *program);
		phrase_add(out, " %s", *word ? word : "...");
	}
}
