/* SPDX-License-Identifier: MIT */
/* libstdc++ on first use: names of C++ stay mangled where there is none. */
#include "stat/demangle.h"
#include "base/loading/load.h"

/* Loaded under another name than __cxa_demangle: a program that links the
 * static library may have that function itself. */
char *demangle_cxx(const char *name)
{
	static void *cache;
	char *(*real)(const char *, char *, size_t *, int *) =
		(char *(*)(const char *, char *, size_t *, int *))
		load_function(&cache, LIBRARY_CXX, "__cxa_demangle");

	return real ? real(name, NULL, NULL, NULL) : NULL;
}
