/* SPDX-License-Identifier: MIT */
/* Rows of any type in JSON Lines. See rows.h. */
#include "store/rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "store/record-line.h"

struct reading {
	assay_row_fn *row;
	int (*record)(void *ctx, struct assay_record *record);
	void *ctx;
};

/* Digits that tell the number to people: four, or fewer if these are exact. */
static int decimals_of(double value)
{
	const double size = fabs(value) > 0 ? floor(log10(fabs(value))) : 0;
	const int most = size >= 3 ? 0 : size < -5 ? 9 : 3 - (int)size;

	for (int n = 0; n < most; n++)
		if (value * pow(10, n) == floor(value * pow(10, n)))
			return n;
	return most;
}

static bool fill(struct assay_field *field, const json_t *json)
{
	switch (json_typeof(json)) {
	case JSON_STRING:
		field->kind = ASSAY_FIELD_TEXT;
		field->text = json_string_value(json);
		return true;
	case JSON_INTEGER:
		field->kind = ASSAY_FIELD_COUNT;
		field->count = (uint64_t)json_integer_value(json);
		if (json_integer_value(json) >= 0)
			return true;
		/* fall through */
	case JSON_REAL:
		field->kind = ASSAY_FIELD_REAL;
		field->real = json_number_value(json);
		field->decimals = decimals_of(field->real);
		return true;
	case JSON_NULL:
		field->kind = ASSAY_FIELD_ABSENT;
		return true;
	default:
		return false;
	}
}

/* Does the key say something of the field: "x_why" of "x"? */
static bool says(const char *key, const struct assay_field *field,
		 const char *suffix)
{
	const size_t n = strlen(field->name);

	return !strncmp(key, field->name, n) && !strcmp(key + n, suffix);
}

/* A member about the member before; false: it is one of its own. */
static bool add_to(struct assay_field *field, const char *key,
		   const json_t *json)
{
	if (field->kind == ASSAY_FIELD_ABSENT && says(key, field, "_why"))
		field->text = json_string_value(json);
	else if (says(key, field, "_estimate") && json_is_true(json))
		field->flags |= ASSAY_FIELD_ESTIMATE;
	else if (says(key, field, "_error") && json_is_number(json))
		field->error = json_number_value(json);
	else
		return false;
	return true;
}

static int give(const struct reading *r, json_t *object, const char *type)
{
	struct assay_field field[ROWS_FIELDS];
	size_t n = 0;

	for (void *at = json_object_iter(object); at;
	     at = json_object_iter_next(object, at)) {
		const char *key = json_object_iter_key(at);
		const json_t *json = json_object_iter_value(at);

		if (!strcmp(key, "t") || strlen(key) >= ROWS_NAME ||
		    (n && add_to(&field[n - 1], key, json)))
			continue;
		if (n == ROWS_FIELDS)
			break;
		field[n] = (struct assay_field){ .name = key };
		n += fill(&field[n], json);
	}
	return r->row(r->ctx, &(struct assay_row){ type, field, n }) ?
	       -ASSAY_ESTOP : 0;
}

static int give_record(const struct reading *r, const struct line *line)
{
	struct assay_record *record = NULL;
	const int rc = parse_line(&record, line);

	if (rc || !record)
		return rc;
	return r->record(r->ctx, record) ? -ASSAY_ENOMEM : 0;
}

static int read_line(const struct reading *r, const struct line *line)
{
	struct node root = { .line = line };
	struct node type;
	int rc;

	if (strspn(line->text, " \t\r") == line->bytes)
		return 0;
	/* as store_write() begins: most of a file, parsed once */
	if (!strncmp(line->text, "{\"t\":\"record\",", 14))
		return give_record(r, line);
	root.json = json_loadb(line->text, line->bytes,
			       JSON_REJECT_DUPLICATES, NULL);
	type = node_member(&root, "t");
	if (!root.json)
		rc = give_record(r, line);	/* says what is wrong */
	else if (!type.json || !json_is_string(type.json))
		rc = node_wrong(&type, "a string: the type of the line");
	else if (!strcmp(json_string_value(type.json), "record"))
		rc = give_record(r, line);
	else
		rc = give(r, root.json, json_string_value(type.json));
	json_decref(root.json);
	return rc;
}

int rows_read(const char *text, const char *name, assay_row_fn *row,
	      int (*record)(void *ctx, struct assay_record *record), void *ctx,
	      struct assay_error *err)
{
	const struct reading r = { row, record, ctx };
	struct line line = { .file = name, .err = err };
	int rc = 0;

	while (*text && !rc) {
		const size_t n = strcspn(text, "\n");
		char *copy = strndup(text, n);

		line.number++;
		line.text = copy;
		line.bytes = n;
		rc = copy ? read_line(&r, &line) : -ASSAY_ENOMEM;
		free(copy);
		text += n + (text[n] == '\n');
	}
	return rc == -ASSAY_ENOMEM ? error_memory(err) : rc;
}

bool rows_are(const char *text)
{
	text += strspn(text, " \t\r\n");
	if (*text++ != '{')
		return false;
	text += strspn(text, " \t");
	return !strncmp(text, "\"t\"", 3);
}
