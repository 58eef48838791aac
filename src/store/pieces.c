/* SPDX-License-Identifier: MIT */
/* Large files of JSON, piece by piece; see pieces.h. */
#include "store/pieces.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/loading/library.h"
#include "base/text.h"

struct scan {
	struct piece piece;	/* the next one: fault, key */
	const char *end, *at;
	const char *counted;	/* the newlines before this are in .line */
	unsigned line;
	const char *begin;	/* of that line */
	piece_fn *fn;
	void *ctx;
};

static unsigned line_at(struct scan *s, const char *at)
{
	const char *newline;

	while ((newline = memchr(s->counted, '\n',
				 (size_t)(at - s->counted)))) {
		s->line++;
		s->begin = s->counted = newline + 1;
	}
	s->counted = at;
	return s->line;
}

static int fail(struct piece_fault *fault, unsigned line, unsigned col,
		const char *why)
{
	*fault = (struct piece_fault){ .line = line, .col = col };
	text_copy(fault->why, sizeof(fault->why), why);
	return -ASSAY_EPARSE;
}

static int refuse(struct scan *s, const char *why)
{
	const unsigned line = line_at(s, s->at);

	return fail(s->piece.fault, line, (unsigned)(s->at - s->begin) + 1,
		    why);
}

static char peek(struct scan *s)
{
	while (s->at < s->end && strchr(" \t\r\n", *s->at) && *s->at)
		s->at++;
	return s->at < s->end ? *s->at : '\0';
}

/* Behind the closing quote; false: there is none. */
static bool skip_string(struct scan *s)
{
	const char *p = s->at + 1;

	for (; p < s->end && *p != '"'; p++)
		if (*p == '\\')
			p++;
	if (p >= s->end)
		return false;
	s->at = p + 1;
	return true;
}

/* Behind the value; false: the text ends inside. */
static bool skip_value(struct scan *s)
{
	unsigned depth = 0;

	for (; s->at < s->end; s->at++) {
		const char c = *s->at;

		if (c == '"') {
			if (!skip_string(s))
				return false;
			s->at--;
		} else if (c == '{' || c == '[') {
			depth++;
		} else if (c == '}' || c == ']') {
			if (!depth)
				return true;
			depth--;
		} else if (!depth && strchr(", \t\r\n", c)) {
			return true;
		}
		if (!depth && strchr("}]\"", c)) {
			s->at++;
			return true;
		}
	}
	return !depth;
}

static int emit(struct scan *s, bool element)
{
	struct piece p = s->piece;
	int rc;

	p.text = s->at;
	p.line = line_at(s, s->at);
	p.col = (unsigned)(s->at - s->begin) + 1;
	p.element = element;
	if (!skip_value(s)) {
		s->at = p.text;
		return refuse(s, "the text ends inside this value");
	}
	p.bytes = (size_t)(s->at - p.text);
	if (!p.bytes)
		return refuse(s, "a value is missing");
	rc = s->fn(s->ctx, &p);
	json_decref(p.json);
	return rc;
}

/* Behind the comma or, at the end, behind the closing bracket. */
static int next(struct scan *s, char close, bool *more)
{
	const char c = peek(s);

	if (c != ',' && c != close)
		return refuse(s, close == ']' ? "',' or ']' is missing" :
			      "',' or '}' is missing");
	s->at++;
	*more = c == ',';
	return 0;
}

static int elements(struct scan *s)
{
	bool more = true;
	int rc = 0;

	s->at++;
	if (peek(s) == ']') {
		s->at++;
		return 0;
	}
	while (more && !rc) {
		peek(s);
		rc = emit(s, true);
		if (!rc)
			rc = next(s, ']', &more);
	}
	return rc;
}

static int member(struct scan *s)
{
	if (peek(s) != '"')
		return refuse(s, "a key in quotes is missing");
	s->piece.key = s->at + 1;
	if (!skip_string(s))
		return refuse(s, "the text ends inside a key");
	s->piece.key_bytes = (size_t)(s->at - s->piece.key) - 1;
	if (peek(s) != ':')
		return refuse(s, "':' is missing");
	s->at++;
	return peek(s) == '[' ? elements(s) : emit(s, false);
}

static int members(struct scan *s)
{
	bool more = true;
	int rc = 0;

	s->at++;
	if (peek(s) == '}') {
		s->at++;
		return 0;
	}
	while (more && !rc) {
		rc = member(s);
		if (!rc)
			rc = next(s, '}', &more);
	}
	return rc;
}

int pieces_each(const char *text, size_t bytes, piece_fn *fn, void *ctx,
		struct piece_fault *fault)
{
	struct scan s = { .piece = { .key = "", .fault = fault },
			  .end = text + bytes, .at = text, .counted = text,
			  .line = 1, .begin = text, .fn = fn, .ctx = ctx };
	int rc;

	if (bytes >= 3 && !memcmp(text, "\xef\xbb\xbf", 3))
		s.at += 3;
	rc = peek(&s) == '[' ? elements(&s) : peek(&s) == '{' ? members(&s) :
	     refuse(&s, s.at == s.end ? "there is nothing in the file" :
		    "neither '{' nor '[': this is no table in JSON");
	if (!rc && peek(&s))
		rc = refuse(&s, "text follows the end of the value");
	return rc;
}

/* ---- one piece --------------------------------------------------------- */

bool piece_in(const struct piece *piece, const char *key)
{
	return strlen(key) == piece->key_bytes &&
	       !memcmp(key, piece->key, piece->key_bytes);
}

/* jansson counts lines and columns from the beginning of the piece. */
static int bad_value(const struct piece *piece, const json_error_t *why)
{
	const unsigned line = why->line > 1 ? (unsigned)why->line - 1 : 0;
	const unsigned col = why->column > 0 ? (unsigned)why->column : 1;
	const bool nul = strstr(why->text, "ALLOW_NUL") != NULL;

	return fail(piece->fault, piece->line + line,
		    line ? col : piece->col + col - 1, nul ?
		    "a text holds \\u0000, which is no character of a text" :
		    why->text);
}

int piece_parse(struct piece *piece, struct assay_error *err)
{
	json_error_t why = { .text = "out of memory" };

	if (piece->json)
		return 0;
	piece->json = json_loadb(piece->text, piece->bytes, JSON_DECODE_ANY,
				 &why);
	if (piece->json)
		return 0;
	if (library_need(LIBRARY_JANSSON, err))
		return -ASSAY_EUNAVAIL;
	return bad_value(piece, &why);
}

const char *piece_text(const struct piece *piece, const char *key,
		       char room[24])
{
	const json_t *json = json_object_get(piece->json, key);

	if (!json_is_integer(json))
		return json_string_value(json);
	snprintf(room, 24, "%lld", (long long)json_integer_value(json));
	return room;
}

bool piece_has_other(const struct piece *piece, const char *key)
{
	const json_t *json = json_object_get(piece->json, key);

	return json && !json_is_string(json) && !json_is_integer(json) &&
	       !json_is_null(json);
}

size_t piece_items(const struct piece *piece, const char *key)
{
	return json_array_size(json_object_get(piece->json, key));
}

const char *piece_item(const struct piece *piece, const char *key,
		       size_t index, const char *member)
{
	const json_t *list = json_object_get(piece->json, key);

	return json_string_value(json_object_get(json_array_get(list, index),
						 member));
}

int piece_error(const struct piece *piece, const char *format, ...)
{
	struct piece_fault *fault = piece->fault;
	va_list args;

	va_start(args, format);
	vsnprintf(fault->why, sizeof(fault->why), format, args);
	va_end(args);
	fault->line = piece->line;
	fault->col = piece->col;
	return -ASSAY_EPARSE;
}
