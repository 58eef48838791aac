/* SPDX-License-Identifier: MIT */
/*
 * Loading libraries on first use (base/load.h): jansson (only reading needs it;
 * records are written without), libmd (hashes in certificates) and libzstd
 * (traces).
 */
#include <jansson.h>
#include <sha2.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "base/load.h"

static const char libjansson[] = "libjansson.so.4";

/* Without the library, the error has the reason. */
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
		snprintf(error->text, sizeof(error->text),
			 "cannot load %s", libjansson);
	}
	return NULL;
}

FORWARD_VOID(libjansson, json_delete, (json_t *json), (json))
FORWARD(libjansson, int, -1, json_dumpf,
	(const json_t *json, FILE *to, size_t flags), (json, to, flags))
FORWARD(libjansson, json_t *, NULL, json_object, (void), ())
FORWARD(libjansson, json_t *, NULL, json_object_get,
	(const json_t *object, const char *key), (object, key))
FORWARD(libjansson, void *, NULL, json_object_iter, (json_t *object),
	(object))
FORWARD(libjansson, void *, NULL, json_object_iter_next,
	(json_t *object, void *at), (object, at))
FORWARD(libjansson, const char *, NULL, json_object_iter_key, (void *at), (at))
FORWARD(libjansson, json_t *, NULL, json_object_iter_value, (void *at), (at))
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

FORWARD("libmd.so.0", char *, NULL, SHA256File, (const char *path, char *out),
	(path, out))

static const char libzstd[] = "libzstd.so.1";

FORWARD(libzstd, unsigned, 1, ZSTD_isError, (size_t code), (code))
FORWARD(libzstd, const char *, "cannot load libzstd.so.1", ZSTD_getErrorName,
	(size_t code), (code))
FORWARD(libzstd, ZSTD_ErrorCode, ZSTD_error_GENERIC, ZSTD_getErrorCode,
	(size_t code), (code))
FORWARD(libzstd, ZSTD_CCtx *, NULL, ZSTD_createCCtx, (void), ())
FORWARD(libzstd, size_t, 0, ZSTD_freeCCtx, (ZSTD_CCtx *context), (context))
FORWARD(libzstd, size_t, 1, ZSTD_CCtx_setParameter,
	(ZSTD_CCtx *context, ZSTD_cParameter parameter, int value),
	(context, parameter, value))
FORWARD(libzstd, size_t, 1, ZSTD_compress2,
	(ZSTD_CCtx *context, void *to, size_t room, const void *from,
	 size_t bytes),
	(context, to, room, from, bytes))
FORWARD(libzstd, ZSTD_DCtx *, NULL, ZSTD_createDCtx, (void), ())
FORWARD(libzstd, size_t, 0, ZSTD_freeDCtx, (ZSTD_DCtx *context), (context))
FORWARD(libzstd, size_t, 1, ZSTD_decompressDCtx,
	(ZSTD_DCtx *context, void *to, size_t room, const void *from,
	 size_t bytes),
	(context, to, room, from, bytes))
FORWARD(libzstd, ZSTD_DStream *, NULL, ZSTD_createDStream, (void), ())
FORWARD(libzstd, size_t, 0, ZSTD_freeDStream, (ZSTD_DStream *stream),
	(stream))
FORWARD(libzstd, size_t, 1, ZSTD_decompressStream,
	(ZSTD_DStream *stream, ZSTD_outBuffer *to, ZSTD_inBuffer *from),
	(stream, to, from))
