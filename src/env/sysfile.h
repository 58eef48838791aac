/* SPDX-License-Identifier: MIT */
/*
 * The only way to /proc and /sys: small text files below a root, so that a
 * recorded machine is read by the same code as this one.
 */
#ifndef ENV_SYSFILE_H
#define ENV_SYSFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* "/" is the living machine; anything else a recorded one. */
bool sysroot_is_live(const char *sysroot);

/*
 * Reads up to room - 1 bytes, terminates them, and drops trailing newlines.
 * Returns the length, or -errno with out = "".
 */
int sysfile_text(char *out, size_t room, const char *sysroot,
		 const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* For files that are too long for sysfile_text; NULL with errno. */
FILE *sysfile_open(const char *sysroot, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * A descriptor for reading that never waits; the caller closes it. -errno if
 * it cannot be opened.
 */
int sysfile_descriptor(const char *sysroot, const char *path);

/* A whole number, decimal or 0x; false if there is none. */
bool sysfile_number(int64_t *out, const char *sysroot, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

bool sysfile_exists(const char *sysroot, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * Calls fn for each name in a folder, in alphabetical order, without those
 * that start with a dot. Returns the number of names, or -errno.
 */
typedef void sysfile_name_fn(void *ctx, const char *name);
int sysfile_list(const char *sysroot, const char *folder, sysfile_name_fn *fn,
		 void *ctx);

/*
 * The value of the first line "key<blanks>:<blanks>value" of a text such as
 * /proc/cpuinfo; false if there is none.
 */
bool sysfile_key(char *out, size_t room, const char *text, const char *key);

#endif
