/* SPDX-License-Identifier: MIT */
/* Reads back the lines that src/report/json.c and src/store/emit.c write. */
#include "store/each.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/record.h"
#include "base/text.h"
#include "store/input.h"
#include "store/lines.h"
#include "store/record-line.h"

enum { FIELDS = 64 };

/* The reason of an absent value, which is null, is a member of its own. */
static const char *reason(json_t *row, const char *name)
{
	char key[280];
	const char *why;

	snprintf(key, sizeof(key), "%.250s_why", name);
	why = json_string_value(json_object_get(row, key));
	return why ? why : "";
}

static bool field(struct assay_field *out, const char *name, json_t *json,
		  json_t *row)
{
	*out = (struct assay_field){ .name = name };
	if (json_is_string(json)) {
		out->kind = ASSAY_FIELD_TEXT;
		out->text = json_string_value(json);
	} else if (json_is_integer(json) && json_integer_value(json) >= 0) {
		out->kind = ASSAY_FIELD_COUNT;
		out->count = (uint64_t)json_integer_value(json);
	} else if (json_is_number(json)) {
		out->kind = ASSAY_FIELD_REAL;
		out->real = json_number_value(json);
	} else if (json_is_null(json)) {
		out->kind = ASSAY_FIELD_ABSENT;
		out->text = reason(row, name);
	} else {
		return false;
	}
	return true;
}

static int pass_row(const struct each *each, json_t *json)
{
	struct assay_field fields[FIELDS];
	struct assay_row row = { .type = "", .field = fields };

	for (void *at = json_object_iter(json); at && row.fields < FIELDS;
	     at = json_object_iter_next(json, at)) {
		const char *key = json_object_iter_key(at);
		json_t *value = json_object_iter_value(at);

		if (!strcmp(key, "t") && json_is_string(value))
			row.type = json_string_value(value);
		else
			row.fields += field(&fields[row.fields], key, value,
					    json);
	}
	return each->row(each->ctx, &row);
}

static int pass(void *ctx, const struct line *line)
{
	const struct each *each = ctx;
	struct assay_record *record = NULL;
	json_t *json;
	int rc = parse_line(&record, line);

	if (rc < 0)
		return rc;
	if (record) {
		rc = each->record(each->ctx, record);
		record_free(record);
		return rc;
	}
	json = json_loadb(line->text, line->bytes, JSON_REJECT_DUPLICATES,
			  NULL);
	rc = json ? pass_row(each, json) : 0;
	json_decref(json);
	return rc;
}

int store_each(const char *path, const struct each *each,
	       struct assay_error *err)
{
	struct input in;
	int rc = input_open(&in, path, err);

	if (rc)
		return rc;
	errno = 0;
	rc = lines_each(in.file, in.file == stdin ? "stdin" : path, pass,
			(void *)each, err);
	input_close(&in);
	return rc;
}
