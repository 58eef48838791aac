/* SPDX-License-Identifier: MIT */
/* jansson on first use (base/loading/load.h): only reading needs it; records are written
 * without. */
#include <jansson.h>
#include <stdio.h>

#include "base/loading/load.h"

FORWARD(JANSSON, json_t *, NULL, json_loadb,
	(const char *text, size_t bytes, size_t flags, json_error_t *error),
	(text, bytes, flags, error))
FORWARD_VOID(JANSSON, json_delete, (json_t *json), (json))
FORWARD(JANSSON, int, -1, json_dumpf,
	(const json_t *json, FILE *to, size_t flags), (json, to, flags))
FORWARD(JANSSON, json_t *, NULL, json_object, (void), ())
FORWARD(JANSSON, json_t *, NULL, json_object_get,
	(const json_t *object, const char *key), (object, key))
FORWARD(JANSSON, void *, NULL, json_object_iter, (json_t *object),
	(object))
FORWARD(JANSSON, void *, NULL, json_object_iter_next,
	(json_t *object, void *at), (object, at))
FORWARD(JANSSON, const char *, NULL, json_object_iter_key, (void *at), (at))
FORWARD(JANSSON, json_t *, NULL, json_object_iter_value, (void *at), (at))
FORWARD(JANSSON, int, -1, json_object_set_new,
	(json_t *object, const char *key, json_t *value),
	(object, key, value))
FORWARD(JANSSON, json_t *, NULL, json_array, (void), ())
FORWARD(JANSSON, size_t, 0, json_array_size, (const json_t *array),
	(array))
FORWARD(JANSSON, json_t *, NULL, json_array_get,
	(const json_t *array, size_t index), (array, index))
FORWARD(JANSSON, int, -1, json_array_append_new,
	(json_t *array, json_t *value), (array, value))
FORWARD(JANSSON, json_t *, NULL, json_string, (const char *text), (text))
FORWARD(JANSSON, const char *, NULL, json_string_value,
	(const json_t *string), (string))
FORWARD(JANSSON, size_t, 0, json_string_length, (const json_t *string),
	(string))
FORWARD(JANSSON, json_t *, NULL, json_integer, (json_int_t value), (value))
FORWARD(JANSSON, json_int_t, 0, json_integer_value,
	(const json_t *integer), (integer))
FORWARD(JANSSON, json_t *, NULL, json_real, (double value), (value))
FORWARD(JANSSON, double, 0, json_number_value, (const json_t *number),
	(number))
FORWARD(JANSSON, json_t *, NULL, json_null, (void), ())
