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

/* Removes what stands before the name of a function template: the type that
 * it returns. */
static void drop_type(char *name)
{
	char *space = strrchr(name, ' ');

	if (*name != '<' && *name != '[' && space &&
	    (space - name < 8 || strncmp(space - 8, "operator", 8) != 0))
		memmove(name, space + 1, strlen(space));
}

void miss_short_name(char *out, size_t room, const char *name, size_t most)
{
	const char *p = name;
	size_t n = 0;

	copy_plain(out, room, name);
	if (strlen(name) <= most || *name == '[')
		return;
	while (*p && n + 4 < room) {
		const bool after = p - name >= 8 &&
				   !strncmp(p - 8, "operator", 8);

		if (p > name && *p == '(' && !after && p[1] != 'a')
			break;	/* the arguments, not "(anonymous" */
		out[n++] = *p;
		if (*p == '<' && p > name && !after) {
			p = skip_list(p, '<', '>');
			out[n++] = p[-1];
		} else {
			p++;
		}
	}
	out[n] = '\0';
	drop_type(out);
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

void miss_place(struct miss_place *out, const struct assay_row *row, size_t most)
{
	const char *inlined = row_text(row, "inlined");
	const char *outer = row_text(row, "function");
	const char *arrow = strstr(inlined, " <- ");
	char name[4000];

	snprintf(name, sizeof(name), "%.*s", arrow ? (int)(arrow - inlined) :
		 3999, arrow ? inlined : outer);
	miss_short_name(out->function, sizeof(out->function), name, most);
	miss_short_name(out->into, sizeof(out->into), arrow ? outer : "",
			most);
	copy_plain(out->line, sizeof(out->line),
		   last_part(row_text(row, "line")));
	copy_plain(out->object, sizeof(out->object),
		   last_part(row_text(row, "object")));
}
