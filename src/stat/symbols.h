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

/*
 * Opens a file. Names of sources lose "." and "..", and are relative to
 * source_root (absolute; NULL: none) if they lie below it. Returns NULL if the
 * file is no ELF file, or libdw is missing. The symbols are read when they are
 * first needed.
 */
struct symbols *symbols_open(const char *path, const char *source_root);
void symbols_close(struct symbols *symbols);

/* A function that was inlined: where it was called, and what into, if the
 * caller was inlined, too. Texts may be NULL: not known. */
struct inlined {
	const char *function, *mangled;
	const char *file;		/* of the call, as DWARF has it */
	const char *folder;		/* that its name is relative to */
	int line;
	const struct inlined *into;
};

struct place_in_code {
	/* Borrowed until symbols_close(); NULL: not known. */
	const char *function;	/* of the symbol table; C++, Rust: demangled */
	const char *file;	/* the source */
	int line;
	const struct inlined *inlined;	/* the innermost; NULL: none */
};

/* The function and source line of the code at an offset of the file; inlined
 * functions with `inlines` only. */
void symbols_find(struct symbols *symbols, uint64_t offset, bool inlines,
		  struct place_in_code *out);
/* The file of the call, named as symbols_find() names files; NULL: not known. */
const char *symbols_call_file(struct symbols *symbols,
			      const struct inlined *inlined);

/* Is the file stripped: has it no names of local functions? */
bool symbols_stripped(struct symbols *symbols);

/* The address, as the file has it, of a symbol; false: there is no such
 * symbol. */
bool symbols_address(const struct symbols *symbols, const char *name,
		     uint64_t *out);

/* Demangles a name of C++ or Rust. The caller frees the result. NULL: not a
 * mangled name, or there is no libstdc++. */
char *symbols_demangle(const char *name);

#endif
