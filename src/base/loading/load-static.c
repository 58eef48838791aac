/* SPDX-License-Identifier: MIT */
/*
 * In place of load.c in a static executable: nothing is loaded. The build sets
 * ASSAY_LINKED to the names of the libraries that are linked, each between
 * blanks: " FYAML JANSSON ".
 */
#include "base/loading/load.h"

#include <stdio.h>
#include <string.h>

const bool load_is_static = true;

static const char *const names[] = {
#define X(name, file, package, need) " " #name " ",
#include "base/loading/libraries.def"
#undef X
};

void *load_function(void **cache, enum library library, const char *name)
{
	(void)cache;
	(void)library;
	(void)name;
	return NULL;
}

const char *load_fails(char *room, size_t bytes, enum library library)
{
	if (strstr(ASSAY_LINKED, names[library]))
		return NULL;
	snprintf(room, bytes, "this static assay was built without it");
	return room;
}
