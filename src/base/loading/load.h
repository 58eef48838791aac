/* SPDX-License-Identifier: MIT */
/*
 * Libraries that are loaded on first use, because most runs need none of them
 * and loading takes longer than a short run. A room writes one FORWARD for
 * each function that it calls; the calls themselves stay as they are. In a
 * static executable (load-static.c) nothing is loaded.
 */
#ifndef BASE_LOAD_H
#define BASE_LOAD_H

#include <stdbool.h>
#include <stddef.h>

enum library {
#define X(name, file, package, need) LIBRARY_##name,
#include "base/loading/libraries.def"
#undef X
	LIBRARIES
};

/*
 * A function of a library, looked up once and kept in *cache; NULL: there is
 * no such library, or it has no such function.
 */
void *load_function(void **cache, enum library library, const char *name);

/* Is this a static executable? */
extern const bool load_is_static;

/* NULL: the library can be used. Else why not, in the system's words. */
const char *load_fails(char *room, size_t bytes, enum library library);

/* Defines the library's function of that name and type; `none` is its result if
 * there is no library. `cache` is set once. */
#define FORWARD(library, type, none, name, parameters, arguments)	\
	type name parameters						\
	{								\
		static void *cache;					\
		type (*real) parameters = (type (*) parameters)		\
			load_function(&cache, LIBRARY_##library, #name); \
									\
		return real ? real arguments : (none);			\
	}
#define FORWARD_VOID(library, name, parameters, arguments)		\
	void name parameters						\
	{								\
		static void *cache;					\
		void (*real) parameters = (void (*) parameters)		\
			load_function(&cache, LIBRARY_##library, #name); \
									\
		if (real)						\
			real arguments;					\
	}

#endif
