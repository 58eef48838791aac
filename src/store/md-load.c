/* SPDX-License-Identifier: MIT */
/* libmd on first use (base/loading/load.h): hashes in certificates. */
#include <sha2.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/loading/load.h"

FORWARD(MD, char *, NULL, SHA256File, (const char *path, char *out),
	(path, out))
