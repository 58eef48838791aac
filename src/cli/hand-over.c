/* SPDX-License-Identifier: MIT */
/* The command that answers where this machine's counters cannot. */
#include <stdio.h>
#include <string.h>

#include "cli/results.h"
#include "cli/answers/answers.h"

/* A word as a shell takes it. */
static void add_word(struct phrase *out, const char *word)
{
	static const char plain[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
		"0123456789_@%+=:,./-";

	if (*word && strspn(word, plain) == strlen(word)) {
		phrase_add(out, " %s", word);
		return;
	}
	phrase_add(out, " '");
	for (; *word; word++) {
		if (*word == '\'')
			phrase_add(out, "'\\''");
		else
			phrase_add(out, "%c", *word);
	}
	phrase_add(out, "'");
}

bool hand_over_fits(const struct settings *s, const char *why)
{
	return why && s->program && !s->on &&
	       strstr(why, "no hardware counters here");
}

void hand_over_text(struct phrase *out, char *const *program)
{
	phrase_add(out, "assay sim --by none --");
	for (; *program; program++)
		add_word(out, *program);
}
