/* SPDX-License-Identifier: MIT */
/* Finding a value in a line of valid JSON by its path. */
#include "store/place.h"

#include <stdbool.h>
#include <string.h>

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

/* To the next member or element; NULL: there is none. */
static const char *next(const char *p)
{
	p = skip_space(p);
	return *p == ',' ? skip_space(p + 1) : NULL;
}

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

size_t place_find(const struct place *place, const char *text)
{
	return (size_t)(find(place, text) - text);
}
