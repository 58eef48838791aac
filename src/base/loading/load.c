/* SPDX-License-Identifier: MIT */
/* Libraries that are loaded on first use. */
#include "base/loading/load.h"

#include <dlfcn.h>
#include <stdio.h>

const bool load_is_static = false;

static const char *const files[] = {
#define X(name, file, package, need) file,
#include "base/loading/libraries.def"
#undef X
};

static void *handle(enum library library)
{
	return dlopen(files[library], RTLD_NOW | RTLD_LOCAL);
}

void *load_function(void **cache, enum library library, const char *name)
{
	void *found = __atomic_load_n(cache, __ATOMIC_ACQUIRE), *from;

	if (found)
		return found;
	from = handle(library);
	found = from ? dlsym(from, name) : NULL;
	__atomic_store_n(cache, found, __ATOMIC_RELEASE);
	return found;
}

const char *load_fails(char *room, size_t bytes, enum library library)
{
	const char *why;

	if (handle(library))
		return NULL;
	why = dlerror();
	snprintf(room, bytes, "%s", why ? why : "unknown reason");
	return room;
}
