/* SPDX-License-Identifier: MIT */
/* Writes YAML of at most 80 columns. */
#ifndef CPUFILE_PUT_H
#define CPUFILE_PUT_H

#include <stdio.h>

/*
 * "KEY: TEXT", in quotes; a text that does not fit stands in lines of its own.
 * Lines begin after `indent` blanks.
 */
void put_text(FILE *out, unsigned indent, const char *key, const char *text);

/* The same without quotes, if the text fits: for expressions, numbers. */
void put_plain(FILE *out, unsigned indent, const char *key, const char *text);

#endif
