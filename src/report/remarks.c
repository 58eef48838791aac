/* SPDX-License-Identifier: MIT */
/* Collects reasons and writes each once; see remarks.h. */
#include "report/remarks.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assay/error.h"
#include "base/array.h"
#include "base/text.h"

#define ROWS_SHOWN 4

static struct remark *find(const struct remarks *remarks, const char *why)
{
	for (size_t i = 0; i < remarks->count; i++)
		if (!strcmp(remarks->remark[i].why, why))
			return &remarks->remark[i];
	return NULL;
}

/* Is name one of "a, b, c"? */
static bool names_have(const char *names, const char *name)
{
	size_t n = strlen(name);

	for (;;) {
		const char *end = strstr(names, ", ");
		size_t length = end ? (size_t)(end - names) : strlen(names);

		if (length == n && !memcmp(names, name, n))
			return true;
		if (!end)
			return false;
		names = end + 2;
	}
}

static int names_add(char **names, const char *name)
{
	size_t old = strlen(*names), n = strlen(name);
	char *grown;

	if (!n || names_have(*names, name))
		return 0;
	grown = realloc(*names, old + n + 3);
	if (!grown)
		return -ASSAY_ENOMEM;
	if (old) {
		memcpy(grown + old, ", ", 2);
		old += 2;
	}
	memcpy(grown + old, name, n + 1);
	*names = grown;
	return 0;
}

static void remark_fini(struct remark *remark)
{
	free(remark->columns);
	free(remark->rows);
	free(remark->why);
}

static struct remark *append(struct remarks *remarks, const char *why)
{
	struct remark *new;

	if (!array_resize(&remarks->remark, remarks->count + 1, sizeof(*new)))
		return NULL;
	new = &remarks->remark[remarks->count];
	new->columns = strdup("");
	new->rows = strdup("");
	new->why = strdup(why);
	if (!new->columns || !new->rows || !new->why) {
		remark_fini(new);
		return NULL;
	}
	remarks->count++;
	return new;
}

int remarks_add(struct remarks *remarks, const char *column, const char *row,
		const char *why)
{
	struct remark *remark = find(remarks, why);

	if (!remark)
		remark = append(remarks, why);
	if (!remark || names_add(&remark->columns, column) ||
	    names_add(&remark->rows, row))
		return -ASSAY_ENOMEM;
	return 0;
}

static unsigned count_names(const char *names)
{
	unsigned n = *names != 0;

	while ((names = strstr(names, ", ")) != NULL) {
		names += 2;
		n++;
	}
	return n;
}

/* Is this the only reason in its columns? */
static bool alone(const struct remarks *remarks, size_t i)
{
	for (size_t k = 0; k < remarks->count; k++)
		if (k != i && !strcmp(remarks->remark[k].columns,
				      remarks->remark[i].columns))
			return false;
	return true;
}

char *remark_text(const struct remarks *remarks, size_t i)
{
	const struct remark *remark = &remarks->remark[i];
	bool rows = *remark->rows &&
		    (count_names(remark->rows) <= ROWS_SHOWN ||
		     !alone(remarks, i));
	size_t room = strlen(remark->columns) + strlen(remark->rows) +
		      strlen(remark->why) + 16;
	char *text = malloc(room);

	if (!text)
		return NULL;
	snprintf(text, room, "- %s%s%s: %s", remark->columns,
		 rows ? " of " : "", rows ? remark->rows : "", remark->why);
	text_harmless(text, false);
	return text;
}

void remarks_fini(struct remarks *remarks)
{
	for (size_t i = 0; i < remarks->count; i++)
		remark_fini(&remarks->remark[i]);
	free(remarks->remark);
	remarks->remark = NULL;
	remarks->count = 0;
}
