/* SPDX-License-Identifier: MIT */
/* What kind of program a file is, as the kernel would take it. */
#ifndef STORE_PROGRAMS_BINARY_H
#define STORE_PROGRAMS_BINARY_H

#include <stdbool.h>

#include "base/geometry.h"

#define BINARY_LINE 256		/* of a script, that the kernel looks at */
#define BINARY_DEPTH 5		/* scripts that are interpreted by scripts */

enum binary_kind {
	BINARY_PROGRAM,		/* ELF, for an ISA */
	BINARY_SCRIPT,
	BINARY_FOREIGN,		/* ELF, for something else */
	BINARY_OBJECT,		/* ELF that cannot be run */
	BINARY_CUT,		/* ELF whose segments are not in the file */
	BINARY_UNKNOWN
};

struct binary {
	enum binary_kind kind;
	enum isa isa;
	char interpreter[BINARY_LINE];	/* "": none */
	char argument[BINARY_LINE];	/* of a script's interpreter; "": none */
};

/* Returns 0 or -errno of opening it. */
int binary_read(struct binary *out, const char *path);

/* Would the kernel give other rights with it than this process has? */
bool binary_changes_rights(const char *path);

/* Where Debian has the libraries of another ISA. */
extern const char *const binary_sysroots[ISAS];
/* Must QEMU look there for the program's loader? */
bool binary_needs_sysroot(const struct binary *binary);

#endif
