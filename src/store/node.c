/* SPDX-License-Identifier: MIT */
/*
 * Checked access to JSON values, with errors that give the place. jansson
 * checks the syntax but forgets places, so the place of a value is found again
 * by the value's path. See node.h.
 */
#include "store/node.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/loading/library.h"
#include "base/text.h"

/* ---- places ------------------------------------------------------------- */

static const char *skip_space(const char *p)
{
	return p + strspn(p, " \t\r\n");
}

/* From an opening quote to behind the closing one. */
static const char *skip_string(const char *p)
{
	for (p++; *p && *p != '"'; p++)
		if (*p == '\\' && p[1])
			p++;
	return *p ? p + 1 : p;
}

static const char *skip_value(const char *p)
{
	int depth = 0;

	do {
		if (*p == '"') {
			p = skip_string(p);
		} else if (*p == '{' || *p == '[') {
			depth++;
			p++;
		} else if (*p == '}' || *p == ']') {
			depth--;
			p++;
		} else if (depth) {
			p++;
		} else {
			p += strcspn(p, " \t\r\n,]}");
		}
	} while (depth > 0 && *p);
	return p;
}

static bool key_is(const char *p, const char *key)
{
	size_t n = strlen(key);

	return strncmp(p + 1, key, n) == 0 && p[1 + n] == '"';
}

/* The next member or element behind p, or NULL. */
static const char *next(const char *p)
{
	p = skip_space(p);
	return *p == ',' ? skip_space(p + 1) : NULL;
}

/* The member's value; the object itself if there is no such member. */
static const char *member(const char *object, const char *key)
{
	const char *p = skip_space(object + 1);

	while (p && *p == '"') {
		bool found = key_is(p, key);

		p = skip_space(skip_string(p));
		p = skip_space(p + (*p == ':'));
		if (found)
			return p;
		p = next(skip_value(p));
	}
	return object;
}

static const char *element(const char *array, size_t index)
{
	const char *p = skip_space(array + 1);

	while (p && index--)
		p = next(skip_value(p));
	return p ? p : array;
}

/* The value of that path in `text`, which is valid JSON. */
static const char *find(const struct place *place, const char *text)
{
	const char *p;

	if (!place->up)
		return skip_space(text);
	p = find(place->up, text);
	if (place->key)
		return *p == '{' ? member(p, place->key) : p;
	return *p == '[' ? element(p, place->index) : p;
}

/* ---- errors ------------------------------------------------------------- */

enum { WHY_BYTES = 400 };

/* offset: in the text, whose first line has the number line->number. */
static int error_here(const struct line *line, size_t offset, const char *why)
{
	unsigned further = 0, col = 1;
	struct assay_error shown;
	const char *source;

	for (size_t i = 0; i < offset && line->text[i]; i++) {
		col = line->text[i] == '\n' ? 1 : col + 1;
		further += line->text[i] == '\n';
	}
	error_at(line->err, line->file, NULL, line->number + further, col,
		 "%s", why);
	/* error_at() counts lines in the text, so the caret is made apart */
	error_at(&shown, "", line->text, 1 + further, col, "-");
	source = strchr(shown.text, '\n');
	if (source)
		error_add(line->err, "%s", source + 1);
	return -ASSAY_EPARSE;
}

int line_error(const struct line *line, size_t offset, const char *format, ...)
{
	char why[WHY_BYTES];
	va_list args;

	va_start(args, format);
	vsnprintf(why, sizeof(why), format, args);
	va_end(args);
	return error_here(line, offset, why);
}

int node_error(const struct node *node, const char *format, ...)
{
	const char *text;
	char why[WHY_BYTES];
	va_list args;

	va_start(args, format);
	vsnprintf(why, sizeof(why), format, args);
	va_end(args);
	text = node->line->text;
	return error_here(node->line,
			  (size_t)(find(&node->place, text) - text), why);
}

/* ---- access ------------------------------------------------------------- */

static const char *type_name(const json_t *json)
{
	switch (json_typeof(json)) {
	case JSON_OBJECT:
		return "an object";
	case JSON_ARRAY:
		return "an array";
	case JSON_STRING:
		return "a string";
	case JSON_INTEGER:
		return "a whole number";
	case JSON_REAL:
		return "a decimal";
	case JSON_NULL:
		return "null";
	default:
		return "true or false";
	}
}

int node_wrong(const struct node *node, const char *wanted)
{
	if (!node->json)
		return node_error(node, "'%s' is missing: it must be %s",
				  node->place.key, wanted);
	if (node->place.key)
		return node_error(node, "'%s' must be %s, not %s",
				  node->place.key, wanted,
				  type_name(node->json));
	return node_error(node, "this must be %s, not %s", wanted,
			  type_name(node->json));
}

int node_text_value(json_t **out, const struct line *line)
{
	json_error_t e;

	*out = json_loadb(line->text, line->bytes, JSON_REJECT_DUPLICATES, &e);
	if (*out)
		return 0;
	if (library_need(LIBRARY_JANSSON, line->err))
		return -ASSAY_EUNAVAIL;
	return error_at(line->err, line->file, NULL, e.line > 0 ? e.line : 1,
			e.column > 0 ? e.column : 1, "%s", e.text);
}

struct node node_member(const struct node *of, const char *key)
{
	return (struct node){ json_object_get(of->json, key), of->line,
			      { &of->place, key, 0 } };
}

struct node node_element(const struct node *of, size_t index)
{
	return (struct node){ json_array_get(of->json, index), of->line,
			      { &of->place, NULL, index } };
}

int node_object(const struct node *node)
{
	return json_is_object(node->json) ? 0 : node_wrong(node, "an object");
}

int node_array(const struct node *node, size_t most)
{
	const size_t n = json_array_size(node->json);

	if (!json_is_array(node->json))
		return node_wrong(node, "an array");
	if (n > most)
		return node_error(node, "'%s' has %zu elements; the most is "
				  "%zu", node->place.key, n, most);
	return 0;
}

static bool has_control(const char *s)
{
	while (*s && (unsigned char)*s >= ' ' && *s != 0x7f)
		s++;
	return *s;
}

static int copy(const struct node *n, char *out, size_t room)
{
	const size_t length = json_string_length(n->json);

	if (!json_is_string(n->json))
		return node_wrong(n, "a string");
	if (length >= room)
		return node_error(n, "'%s' is longer than %zu bytes",
				  n->place.key, room - 1);
	memcpy(out, json_string_value(n->json), length + 1);
	return 0;
}

int node_text(const struct node *of, const char *key, char *out, size_t room)
{
	const struct node n = node_member(of, key);

	return n.json ? copy(&n, out, room) : 0;
}

int node_name(const struct node *of, const char *key, char *out, size_t room)
{
	const struct node n = node_member(of, key);

	if (json_is_string(n.json) && !json_string_length(n.json))
		return node_error(&n, "'%s' must not be empty", key);
	if (json_is_string(n.json) && has_control(json_string_value(n.json)))
		return node_error(&n, "'%s' has a control character", key);
	return copy(&n, out, room);
}

/* Reads a text of decimal digits; false: other bytes, or above 2^64 - 1. */
static bool digits(uint64_t *out, const char *s)
{
	uint64_t value = 0;

	if (!*s)
		return false;
	for (; *s; s++) {
		const unsigned digit = (unsigned char)*s - '0';

		if (digit > 9 || value > (UINT64_MAX - digit) / 10)
			return false;
		value = value * 10 + digit;
	}
	*out = value;
	return true;
}

int node_unsigned(const struct node *node, uint64_t *out)
{
	const char *s = json_string_value(node->json);
	const long long value = json_integer_value(node->json);

	if (s && digits(out, s))
		return 0;
	if (s)
		return node_error(node, "'%.40s' is not a whole number from 0 "
				  "to 2^64 - 1", s);
	if (!json_is_integer(node->json))
		return node_wrong(node, "a whole number");
	if (value < 0)
		return node_error(node, "%lld is negative; this must be a "
				  "whole number from 0", value);
	*out = (uint64_t)value;
	return 0;
}

int node_integer(const struct node *node, int64_t *out)
{
	const char *s = json_string_value(node->json);
	const bool negative = s && *s == '-';
	uint64_t value;

	if (json_is_integer(node->json)) {
		*out = json_integer_value(node->json);
		return 0;
	}
	if (!s)
		return node_wrong(node, "a whole number");
	if (!digits(&value, s + negative) ||
	    value > (uint64_t)INT64_MAX + negative)
		return node_error(node, "'%.40s' is not a whole number from "
				  "-2^63 to 2^63 - 1", s);
	*out = negative ? (int64_t)-value : (int64_t)value;
	return 0;
}

int node_unsigned_member(const struct node *of, const char *key, uint64_t most,
		      uint64_t *out)
{
	const struct node n = node_member(of, key);
	uint64_t value = 0;
	int rc = n.json ? node_unsigned(&n, &value) : 0;

	if (!n.json || rc < 0)
		return rc;
	if (value > most)
		return node_error(&n, "'%s' is %llu; the most is %llu", key,
				  (unsigned long long)value,
				  (unsigned long long)most);
	*out = value;
	return 0;
}
