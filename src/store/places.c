/* SPDX-License-Identifier: MIT */
/* Rows by function and line in a file of records. See places.h. */
#include "store/places.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "store/node.h"

const char *const place_columns[TALLY_COLUMNS] = {
#define X(name, sentence) #name,
#include "store/programs/tally.def"
#undef X
};

static void free_row(struct place_row *row)
{
	free(row->function);
	free(row->line);
	free(row->object);
}

void places_fini(struct places *places)
{
	for (size_t i = 0; i < places->rows; i++)
		free_row(&places->row[i]);
	free(places->row);
	*places = (struct places){ 0 };
}

/* "" for a member that is missing or no string. */
static char *text_of(const struct node *root, const char *key)
{
	const json_t *json = node_member(root, key).json;

	return strdup(json_is_string(json) ? json_string_value(json) : "");
}

static int fill(struct place_row *out, const struct node *root)
{
	out->function = text_of(root, "function");
	out->line = text_of(root, "line");
	out->object = text_of(root, "object");
	for (int i = 0; i < TALLY_COLUMNS; i++) {
		const struct node n = node_member(root, place_columns[i]);
		uint64_t count;
		int rc;

		out->count[i] = NAN;
		if (!n.json || json_is_object(n.json))
			continue;
		rc = node_unsigned(&n, &count);
		if (rc)
			return rc;
		out->count[i] = (double)count;
	}
	return out->function && out->line && out->object ? 0 : -ASSAY_ENOMEM;
}

/* The last row of --by: the sum of all others. */
static bool is_total(const struct place_row *row)
{
	return !*row->line && !strcmp(*row->function ? row->function :
				      row->object, "total") &&
	       !(*row->function && *row->object);
}

static int add(struct places *places, const struct node *root, size_t record)
{
	const size_t n = places->rows;
	struct place_row *more = places->row, row = { .record = record };
	int rc = n < PLACES_MOST ? fill(&row, root) :
		 node_error(root, "more than %u rows", PLACES_MOST);

	if (!rc && (n & (n - 1)) == 0)
		more = realloc(more, (n ? 2 * n : 1) * sizeof(*more));
	if (!rc && !more)
		rc = -ASSAY_ENOMEM;
	if (more)
		places->row = more;
	if (rc || is_total(&row)) {
		free_row(&row);
		return rc;
	}
	places->row[places->rows++] = row;
	return 0;
}

/* *records: how many lines of records stand above. */
static int read_line(struct places *places, const struct line *line,
		     size_t *records)
{
	struct node root = { .line = line };
	const char *type;
	int rc = 0;

	root.json = json_loadb(line->text, line->bytes, JSON_DECODE_ANY, NULL);
	type = json_string_value(node_member(&root, "t").json);
	if (type && !strcmp(type, "record"))
		++*records;
	else if (type && *records && !strcmp(type, "blame"))
		rc = add(places, &root, *records - 1);
	json_decref(root.json);
	return rc;
}

int places_read(struct places *out, const char *text, const char *name,
		struct assay_error *err)
{
	struct places places = { 0 };
	struct line line = { .file = name, .err = err };
	size_t records = 0;
	int rc = 0;

	while (*text && !rc) {
		const size_t n = strcspn(text, "\n");
		char *copy = strndup(text, n);

		line.number++;
		line.text = copy;
		line.bytes = n;
		rc = copy ? read_line(&places, &line, &records) : -ASSAY_ENOMEM;
		free(copy);
		text += n + (text[n] == '\n');
	}
	if (rc == -ASSAY_ENOMEM)
		error_memory(err);
	if (rc)
		places_fini(&places);
	else
		*out = places;
	return rc;
}
