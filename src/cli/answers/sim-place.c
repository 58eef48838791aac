/* SPDX-License-Identifier: MIT */
/* Places of code as people see them. */
#include <stdio.h>
#include <string.h>

#include "cli/answers/sim-answer.h"
#include "base/text.h"

bool miss_is_start(const struct assay_row *row)
{
	return !strncmp(row_text(row, "function"), "[loader", 7);
}

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

/* Characters that would move a terminal's cursor become blanks. */
static void copy_plain(char *out, size_t room, const char *text)
{
	text_copy(out, room, text);
	for (; *out; out++)
		if ((unsigned char)*out < ' ' || *out == 127)
			*out = ' ';
}

/* Where the argument list that begins at the text ends. operator<, operator->
 * and operator() are no lists. */
static const char *skip_list(const char *text, char open, char close)
{
	const char *p = text;
	int depth = 0;

	for (; *p; p++) {
		depth += *p == open;
		if (*p == close && (p == text || p[-1] != '-') && !--depth)
			return p + 1;
	}
	return text + 1;
}

void miss_short_name(char *out, size_t room, const char *name, size_t most)
{
	const bool fits = strlen(name) <= most;
	const char *p = name;
	size_t n = 0;

	while (*p && n + 4 < room) {
		const bool after = p - name >= 8 &&
				   !strncmp(p - 8, "operator", 8);
		const char *next = p + 1;

		if (!fits && *p == '<' && p > name && !after)
			next = skip_list(p, '<', '>');
		else if (!fits && *p == '(' && p > name && !after)
			next = skip_list(p, '(', ')');
		out[n++] = *p;
		if (next > p + 1)
			out[n++] = next[-1];
		p = next;
	}
	out[n] = '\0';
}

bool miss_caller(const char **rest, char *function, char *line, size_t room)
{
	const char *next = strstr(*rest, " <- "), *end, *at;

	if (!next)
		return false;
	next += strlen(" <- ");
	*rest = next;
	end = strstr(next, " <- ");
	end = end ? end : next + strlen(next);
	for (at = end; at > next && strncmp(at, " (", 2) != 0; at--)
		;
	snprintf(function, room, "%.*s", (int)(at - next), next);
	snprintf(line, room, "%.*s",
		 at > next && end[-1] == ')' ? (int)(end - at - 3) : 0, at + 2);
	return true;
}

void miss_place(struct miss_place *out, const struct assay_row *row)
{
	const char *inlined = row_text(row, "inlined");
	const char *outer = row_text(row, "function");
	const char *arrow = strstr(inlined, " <- ");
	char name[4000];

	snprintf(name, sizeof(name), "%.*s", arrow ? (int)(arrow - inlined) :
		 3999, arrow ? inlined : outer);
	copy_plain(out->function, sizeof(out->function), name);
	copy_plain(out->into, sizeof(out->into), arrow ? outer : "");
	copy_plain(out->line, sizeof(out->line),
		   last_part(row_text(row, "line")));
	copy_plain(out->object, sizeof(out->object),
		   last_part(row_text(row, "object")));
}
