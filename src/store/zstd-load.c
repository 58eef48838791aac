/* SPDX-License-Identifier: MIT */
/* libzstd on first use (base/loading/load.h): traces. */
#include <stddef.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "base/loading/load.h"

FORWARD(ZSTD, unsigned, 1, ZSTD_isError, (size_t code), (code))
FORWARD(ZSTD, const char *, "", ZSTD_getErrorName,
	(size_t code), (code))
FORWARD(ZSTD, ZSTD_ErrorCode, ZSTD_error_GENERIC, ZSTD_getErrorCode,
	(size_t code), (code))
FORWARD(ZSTD, ZSTD_CCtx *, NULL, ZSTD_createCCtx, (void), ())
FORWARD(ZSTD, size_t, 0, ZSTD_freeCCtx, (ZSTD_CCtx *context), (context))
FORWARD(ZSTD, size_t, 1, ZSTD_CCtx_setParameter,
	(ZSTD_CCtx *context, ZSTD_cParameter parameter, int value),
	(context, parameter, value))
FORWARD(ZSTD, size_t, 1, ZSTD_compress2,
	(ZSTD_CCtx *context, void *to, size_t room, const void *from,
	 size_t bytes),
	(context, to, room, from, bytes))
FORWARD(ZSTD, ZSTD_DCtx *, NULL, ZSTD_createDCtx, (void), ())
FORWARD(ZSTD, size_t, 0, ZSTD_freeDCtx, (ZSTD_DCtx *context), (context))
FORWARD(ZSTD, size_t, 1, ZSTD_decompressDCtx,
	(ZSTD_DCtx *context, void *to, size_t room, const void *from,
	 size_t bytes),
	(context, to, room, from, bytes))
FORWARD(ZSTD, ZSTD_DStream *, NULL, ZSTD_createDStream, (void), ())
FORWARD(ZSTD, size_t, 0, ZSTD_freeDStream, (ZSTD_DStream *stream),
	(stream))
FORWARD(ZSTD, size_t, 1, ZSTD_decompressStream,
	(ZSTD_DStream *stream, ZSTD_outBuffer *to, ZSTD_inBuffer *from),
	(stream, to, from))
