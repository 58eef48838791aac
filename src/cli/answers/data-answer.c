/* SPDX-License-Identifier: MIT */
/* Pieces of data, for people. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "cli/answers/sim-answer.h"

static bool is_kind(const char *data, const char *kind)
{
	return !strcmp(data, kind);
}

/* With "()", unless it has its arguments. */
static void function_of(char *out, size_t room, const struct miss_place *p)
{
	snprintf(out, room, "%s%s", p->function, strchr(p->function, '(') ||
		 *p->function == '[' ? "" : "()");
}

bool data_place(struct phrase *out, const struct assay_row *row)
{
	const char *data = row_text(row, "data");
	struct miss_place p;
	char name[320];

	if (!row_find(row, "data"))
		return false;
	miss_place(&p, row, 60);
	function_of(name, sizeof(name), &p);
	if (is_kind(data, "heap"))
		phrase_add(out, "in memory that %s allocated%s%s", name,
			   *p.line ? " at " : "", p.line);
	else if (is_kind(data, "[stack]"))
		phrase_add(out, "on the stack");
	else if (is_kind(data, "[code]"))
		phrase_add(out, "in code");
	else if (is_kind(data, "[other memory]"))
		phrase_add(out, "in memory whose allocation was not seen");
	else
		phrase_add(out, "in the variable %.100s of %s", data,
			   p.object);
	return true;
}

const char *data_name(char *out, size_t room, const struct assay_row *row)
{
	const char *data = row_text(row, "data");
	struct miss_place p;
	char name[320];

	if (!row_find(row, "data"))
		return NULL;
	miss_place(&p, row, 24);
	function_of(name, sizeof(name), &p);
	if (is_kind(data, "heap"))
		snprintf(out, room, "heap of %s", name);
	else
		text_copy(out, room, data);
	for (char *c = out; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 127)
			*c = ' ';
	return out;
}
