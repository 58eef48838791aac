/* SPDX-License-Identifier: MIT */
/* Writes YAML of at most 80 columns; see put.h. */
#include "cpufile/put.h"

#include <stdbool.h>
#include <string.h>

enum { COLUMNS = 80 };

/* Columns of a word of `bytes` bytes, with the escapes of a quoted text. */
static unsigned width(const char *word, size_t bytes, bool quoted)
{
	unsigned n = 0;

	for (size_t i = 0; i < bytes; i++)
		n += 1 + (quoted && (word[i] == '"' || word[i] == '\\'));
	return n;
}

static void put_word(FILE *out, const char *word, size_t bytes, bool quoted)
{
	for (size_t i = 0; i < bytes; i++) {
		if (quoted && (word[i] == '"' || word[i] == '\\'))
			fputc('\\', out);
		fputc(word[i], out);
	}
}

static void put_words(FILE *out, unsigned indent, unsigned at,
		      const char *text, bool quoted)
{
	const char *first = text;

	for (size_t n; *text; text += n + strspn(text + n, " ")) {
		n = strcspn(text, " ");
		if (text != first && at + 1 + width(text, n, quoted) >
		    COLUMNS - 1) {
			fprintf(out, "\n%*s", (int)indent, "");
			at = indent;
		} else if (text != first) {
			fputc(' ', out);
			at++;
		}
		put_word(out, text, n, quoted);
		at += width(text, n, quoted);
	}
}

static void put(FILE *out, unsigned indent, const char *key, const char *text,
		bool quoted)
{
	const unsigned at = indent + (unsigned)strlen(key) + 2;
	const bool fits = at + width(text, strlen(text), quoted) + 2 * quoted <=
			 COLUMNS;
	const char *quote = quoted || !fits ? "\"" : "";

	fprintf(out, "%*s%s:", (int)indent, "", key);
	if (fits)
		fprintf(out, " %s", quote);
	else
		fprintf(out, "\n%*s%s", (int)indent + 2, "", quote);
	put_words(out, indent + 2, fits ? at + 1 : indent + 3, text,
		  *quote != '\0');
	fprintf(out, "%s\n", quote);
}

void put_text(FILE *out, unsigned indent, const char *key, const char *text)
{
	put(out, indent, key, text, true);
}

void put_plain(FILE *out, unsigned indent, const char *key, const char *text)
{
	put(out, indent, key, text, false);
}
