/* SPDX-License-Identifier: MIT */
/* Quoting a word for a shell. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/utf8.h"

/* What no shell acts on. */
#define SHELL_PLAIN "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ" \
	"0123456789_@%+=:,./-"

/* Does text_harmless() leave the word alone? */
static bool is_harmless(const char *word)
{
	const unsigned char *p = (const unsigned char *)word;

	for (unsigned n; *p; p += n) {
		n = utf8_bytes(p);
		if (!n || utf8_acts(p, n))
			return false;
	}
	return true;
}

void text_shell(char *out, size_t room, const char *word)
{
	const bool harmless = is_harmless(word);
	size_t used = 0;

	if (*word && !word[strspn(word, SHELL_PLAIN)]) {
		text_copy(out, room, strlen(word) < room ? word : "");
		return;
	}
	used += (size_t)snprintf(out, room, harmless ? "'" : "$'");
	for (; *word && used < room; word++) {
		const unsigned char c = (unsigned char)*word;
		const char *form = harmless ? (c == '\'' ? "'\\''" : "%c") :
				   c == '\'' || c == '\\' ? "\\%c" :
				   c < ' ' || c > '~' ? "\\%03o" : "%c";

		used += (size_t)snprintf(out + used, room - used, form, c);
	}
	if (used + 2 > room)
		*out = '\0';
	else
		strcpy(out + used, "'");
}
