/* SPDX-License-Identifier: MIT */
/* Functions and source lines of code in ELF files. Only user of libdw. */
#ifndef STAT_SYMBOLS_H
#define STAT_SYMBOLS_H

#include <stdbool.h>
#include <stdint.h>

struct symbols;

/* The symbols of a file, or NULL: it has none that can be read. */
struct symbols *symbols_open(const char *path);
void symbols_close(struct symbols *symbols);

struct place_in_code {
	const char *function;	/* of C++: demangled. NULL: not known. Borrowed */
	const char *file;	/* NULL: not known. Borrowed */
	int line;
};

/* What is at an offset of the file. */
void symbols_find(struct symbols *symbols, uint64_t offset,
		  struct place_in_code *out);

/* Are only the functions named that other files may call? */
bool symbols_stripped(struct symbols *symbols);

/* The address of a global symbol; false: there is none. */
bool symbols_address(const struct symbols *symbols, const char *name,
		     uint64_t *out);

/* A mangled name of C++ as its source has it, to be freed; NULL: it is none, or
 * there is no libstdc++. */
char *symbols_demangle(const char *name);

#endif
