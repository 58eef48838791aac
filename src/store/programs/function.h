/* SPDX-License-Identifier: MIT */
/*
 * Functions of ELF files, found by the name that a user gave: the symbol, or
 * the name as C++ or Rust has it. Both the library and the plugin use this
 * file; every ELF file is hostile.
 */
#ifndef STORE_PROGRAMS_FUNCTION_H
#define STORE_PROGRAMS_FUNCTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FUNCTION_NAME 200	/* longer names are cut */
#define FUNCTION_ENTRIES 16u	/* of one name in one file */

/* Returns the name as the source has it, for free(); NULL: not mangled. */
typedef char *function_demangle(const char *symbol);

struct function_entry {
	uint64_t offset;	/* in the file */
	uint64_t bytes;		/* of code; 0: not known */
	char name[FUNCTION_NAME];	/* as the source has it */
	char source[FUNCTION_NAME];	/* file of a local function; or "" */
	bool chosen_late;	/* an ifunc: the symbol is not the function,
				 * but what chooses the function */
};

/*
 * The entries of the functions that `wanted` names: FUNCTION, FILE:FUNCTION or
 * OBJECT:FUNCTION, where FILE is the source of a local function and OBJECT a
 * file of code; paths match by their ends. A copy that the compiler made of a
 * function (.constprop, .isra) is an entry of the function. Returns how many
 * there are, of which *out gets at most FUNCTION_ENTRIES, those of lowest
 * offset first.
 */
size_t functions_find(const char *path, const char *wanted,
		      function_demangle *demangle,
		      struct function_entry out[FUNCTION_ENTRIES]);

/* Does a user who names `wanted` mean the function that the source calls so?
 * Arguments, those of templates and outer namespaces may be left away. */
bool function_is_named(const char *source_name, const char *wanted);
/* Is `end` the path, or the end of the path behind a slash? */
bool path_ends(const char *path, const char *end, size_t length);

/* Are these two entries of one function? */
bool function_same(const struct function_entry *a,
		   const struct function_entry *b);

/*
 * The bytes [*from, *to) of the file that the function around an offset has;
 * false: no symbol reaches over the offset.
 */
bool function_around(const char *path, uint64_t offset, uint64_t *from,
		     uint64_t *to);

/* address: before the file is moved to where it is mapped. */
typedef void variable_fn(void *ctx, const char *name, uint64_t address,
			 uint64_t bytes);

/*
 * Hands out the variables of a file that have a size. *address: that of a byte
 * of the file; false: the byte is not loaded, or this is no ELF file.
 */
bool variables_find(const char *path, uint64_t offset, uint64_t *address,
		    variable_fn *fn, void *ctx);

#endif
