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

/* The member "x_why" of "x". */
static const json_t *about(const json_t *object, const char *name,
			   const char *suffix)
{
	char key[ROWS_NAME + 16];

	snprintf(key, sizeof(key), "%s%s", name, suffix);
	return json_object_get(object, key);
}

/* Adds what other members say of the field. */
static void complete(struct assay_field *field, const json_t *object)
{
	const json_t *error;

	if (field->kind == ASSAY_FIELD_ABSENT)
		field->text = json_string_value(about(object, field->name,
						      "_why"));
	if (field->kind == ASSAY_FIELD_ABSENT ||
	    field->kind == ASSAY_FIELD_TEXT)
		return;
	if (json_is_true(about(object, field->name, "_estimate")))
		field->flags |= ASSAY_FIELD_ESTIMATE;
	error = about(object, field->name, "_error");
	if (json_is_number(error))
		field->error = json_number_value(error);
}

/* Does a member say something of another one, wherever they stand? */
static bool is_about(const json_t *object, const char *key,
		     const json_t *json)
{
	const char *suffix = strrchr(key, '_');
	char name[ROWS_NAME];
	const json_t *of;

	if (!suffix)
		return false;
	snprintf(name, sizeof(name), "%.*s", (int)(suffix - key), key);
	of = json_object_get(object, name);
	return (json_is_null(of) && !strcmp(suffix, "_why")) ||
	       (json_is_number(of) &&
		((json_is_true(json) && !strcmp(suffix, "_estimate")) ||
		 (json_is_number(json) && !strcmp(suffix, "_error"))));
}

/* -j writes the headings "group|name" and "two words" with '_'. */
static bool is_own(const json_t *object, const char *key, const json_t *json)
{
	return strcmp(key, "t") && strlen(key) < ROWS_NAME &&
	       !strpbrk(key, "| ") && !is_about(object, key, json);
}

static int give(const struct reading *r, json_t *object, const char *type)
{
	struct assay_field field[ROWS_FIELDS];
	size_t n = 0;

	for (void *at = json_object_iter(object); at;
	     at = json_object_iter_next(object, at)) {
		const char *key = json_object_iter_key(at);
		const json_t *json = json_object_iter_value(at);

		if (!is_own(object, key, json))
			continue;
		if (n == ROWS_FIELDS)
			break;
		field[n] = (struct assay_field){ .name = key };
		if (fill(&field[n], json))
			complete(&field[n++], object);
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
