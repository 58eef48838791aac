/* SPDX-License-Identifier: MIT */
/* jansson on first use: records are written without it. */
#include <jansson.h>
#include <stdio.h>

#include "base/load.h"

static const char libjansson[] = "libjansson.so.4";

/* The one that says why there is nothing. */
json_t *json_loadb(const char *text, size_t bytes, size_t flags,
		   json_error_t *error)
{
	static void *cache;
	json_t *(*real)(const char *, size_t, size_t, json_error_t *) =
		(json_t *(*)(const char *, size_t, size_t, json_error_t *))
		load_function(&cache, libjansson, "json_loadb");

	if (real)
		return real(text, bytes, flags, error);
	if (error) {
		*error = (json_error_t){ .line = 1, .column = 1 };
		snprintf(error->text, sizeof(error->text), "%s is not here",
			 libjansson);
	}
	return NULL;
}

FORWARD_VOID(libjansson, json_delete, (json_t *json), (json))
FORWARD(libjansson, int, -1, json_dumpf,
	(const json_t *json, FILE *to, size_t flags), (json, to, flags))
FORWARD(libjansson, json_t *, NULL, json_object, (void), ())
FORWARD(libjansson, json_t *, NULL, json_object_get,
	(const json_t *object, const char *key), (object, key))
FORWARD(libjansson, int, -1, json_object_set_new,
	(json_t *object, const char *key, json_t *value),
	(object, key, value))
FORWARD(libjansson, json_t *, NULL, json_array, (void), ())
FORWARD(libjansson, size_t, 0, json_array_size, (const json_t *array),
	(array))
FORWARD(libjansson, json_t *, NULL, json_array_get,
	(const json_t *array, size_t index), (array, index))
FORWARD(libjansson, int, -1, json_array_append_new,
	(json_t *array, json_t *value), (array, value))
FORWARD(libjansson, json_t *, NULL, json_string, (const char *text), (text))
FORWARD(libjansson, const char *, NULL, json_string_value,
	(const json_t *string), (string))
FORWARD(libjansson, size_t, 0, json_string_length, (const json_t *string),
	(string))
FORWARD(libjansson, json_t *, NULL, json_integer, (json_int_t value), (value))
FORWARD(libjansson, json_int_t, 0, json_integer_value,
	(const json_t *integer), (integer))
FORWARD(libjansson, json_t *, NULL, json_real, (double value), (value))
FORWARD(libjansson, double, 0, json_number_value, (const json_t *number),
	(number))
FORWARD(libjansson, json_t *, NULL, json_null, (void), ())
