/* SPDX-License-Identifier: MIT */
/*
 * Functions and source lines of code in ELF files, by libdw. This room is the
 * only user of libdw. An offset is a position in the file, not an address.
 */
#ifndef STAT_SYMBOLS_H
#define STAT_SYMBOLS_H

#include <stdbool.h>
#include <stdint.h>

struct symbols;

/* Opens a file. Returns NULL if it is no ELF file, or libdw is missing. The
 * symbols are read when they are first needed. */
struct symbols *symbols_open(const char *path);
void symbols_close(struct symbols *symbols);

struct place_in_code {
	/* Borrowed until symbols_close(); NULL: not known. */
	const char *function;	/* names of C++: demangled */
	const char *file;	/* the source */
	int line;
};

/* The function and source line of the code at an offset of the file. */
void symbols_find(struct symbols *symbols, uint64_t offset,
		  struct place_in_code *out);

/* Is the file stripped: has it no names of local functions? */
bool symbols_stripped(struct symbols *symbols);

/* The address, as the file has it, of a symbol; false: there is no such
 * symbol. */
bool symbols_address(const struct symbols *symbols, const char *name,
		     uint64_t *out);

/* Demangles a name of C++. The caller frees the result. NULL: not a mangled
 * name, or there is no libstdc++. */
char *symbols_demangle(const char *name);

#endif
