/* SPDX-License-Identifier: MIT */
/* Libraries that are loaded on first use. */
#include "base/load.h"

#include <dlfcn.h>
#include <stddef.h>

void *load_function(void **cache, const char *library, const char *name)
{
	void *found = __atomic_load_n(cache, __ATOMIC_ACQUIRE), *handle;

	if (found)
		return found;
	handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
	found = handle ? dlsym(handle, name) : NULL;
	__atomic_store_n(cache, found, __ATOMIC_RELEASE);
	return found;
}
