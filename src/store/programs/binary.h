/* SPDX-License-Identifier: MIT */
/*
 * How the kernel would run a file: as an ELF program of which ISA, by which
 * interpreter, with which rights. Nothing is executed; every file is hostile.
 */
#ifndef STORE_PROGRAMS_BINARY_H
#define STORE_PROGRAMS_BINARY_H

#include <stdbool.h>

#include "base/geometry.h"

#define BINARY_LINE 256		/* bytes of a script that the kernel reads */
#define BINARY_DEPTH 5		/* scripts as interpreters of scripts */

enum binary_kind {
	BINARY_PROGRAM,		/* ELF for one of enum isa */
	BINARY_SCRIPT,
	BINARY_FOREIGN,		/* ELF for another machine */
	BINARY_OBJECT,		/* ELF that is not executable */
	BINARY_CUT,		/* ELF whose segments are not all in the file */
	BINARY_UNKNOWN
};

struct binary {
	enum binary_kind kind;
	enum isa isa;
	char interpreter[BINARY_LINE];	/* "": none */
	char argument[BINARY_LINE];	/* of the interpreter; "": none */
};

/* Returns 0, or -errno if the file cannot be opened. */
int binary_read(struct binary *out, const char *path);

/* Is the file set-user-ID, set-group-ID, or has it capabilities, for us? */
bool binary_changes_rights(const char *path);

/* Debian's folders of the libraries for another ISA. */
extern const char *const binary_sysroots[ISAS];
/* Is the program's interpreter only in its ISA's folder? */
bool binary_needs_sysroot(const struct binary *binary);

#endif
