/* SPDX-License-Identifier: MIT */
/*
 * Small text files of the kernel (/proc, /sys, /dev) below a root folder. Every
 * function takes the root as `sysroot`: "/" or NULL is this machine, any other
 * path is a recorded machine, which the same code reads. Paths are given as
 * printf formats and begin with '/'. A path over 1023 bytes is an error.
 */
#ifndef BASE_SYSFILE_H
#define BASE_SYSFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Is the root this machine ("/" or NULL), and no recorded one? */
bool sysroot_is_live(const char *sysroot);

/*
 * Reads up to room - 1 bytes, terminates the text, and drops newlines and NUL
 * bytes at its end. Returns the length, or -errno with out = "".
 */
int sysfile_text(char *out, size_t room, const char *sysroot,
		 const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* Opens a file that is too long for sysfile_text; NULL with errno. */
FILE *sysfile_open(const char *sysroot, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * A read-only descriptor on which no read blocks; the caller closes the
 * descriptor. -errno if the file cannot be opened.
 */
int sysfile_descriptor(const char *sysroot, const char *path);

/*
 * The whole number (decimal, or hexadecimal with 0x) that the file begins with.
 * False, and *out is unchanged, if the file cannot be read or holds no number.
 */
bool sysfile_number(int64_t *out, const char *sysroot, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

bool sysfile_exists(const char *sysroot, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * Calls fn for each name in a folder, in alphabetical order, without names that
 * begin with a dot. fn may be NULL. Returns the number of names, or -errno.
 */
typedef void sysfile_name_fn(void *ctx, const char *name);
int sysfile_list(const char *sysroot, const char *folder, sysfile_name_fn *fn,
		 void *ctx);

/* As sysfile_list, until fn returns non-zero. Returns this value, 0 at the end
 * of the folder, or -errno. */
typedef int sysfile_visit_fn(void *ctx, const char *name);
int sysfile_visit(const char *sysroot, const char *folder,
		  sysfile_visit_fn *fn, void *ctx);

/* 12 for "cpu12" and the prefix "cpu"; -1 if no digit follows the prefix. */
int sysfile_index(const char *name, const char *prefix);

/*
 * The value of the first line "key<blanks>:<blanks>value" of a text such as
 * /proc/cpuinfo, cut to room - 1 bytes. False, and out is unchanged, if the
 * text has no such line.
 */
bool sysfile_key(char *out, size_t room, const char *text, const char *key);

#endif
