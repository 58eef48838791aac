/* SPDX-License-Identifier: MIT */
/*
 * Libraries that are loaded on first use, because most runs need none of them
 * and loading takes longer than a short run. A room writes one FORWARD for
 * each function that it calls; the calls themselves stay as they are.
 */
#ifndef BASE_LOAD_H
#define BASE_LOAD_H

/*
 * A function of a library, looked up once and kept in *cache; NULL: there is
 * no such library, or it has no such function.
 */
void *load_function(void **cache, const char *library, const char *name);

/* Defines the library's function of that name and type; `none` is its result if
 * there is no library. `cache` is set once. */
#define FORWARD(library, type, none, name, parameters, arguments)	\
	type name parameters						\
	{								\
		static void *cache;					\
		type (*real) parameters = (type (*) parameters)		\
			load_function(&cache, library, #name);		\
									\
		return real ? real arguments : (none);			\
	}
#define FORWARD_VOID(library, name, parameters, arguments)		\
	void name parameters						\
	{								\
		static void *cache;					\
		void (*real) parameters = (void (*) parameters)		\
			load_function(&cache, library, #name);		\
									\
		if (real)						\
			real arguments;					\
	}

#endif
