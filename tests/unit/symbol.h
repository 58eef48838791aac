/* SPDX-License-Identifier: MIT */
/* Symbols of an asm() statement that has the label 1. */
#ifndef TESTS_SYMBOL_H
#define TESTS_SYMBOL_H

/* name, binding, its place; bytes: 0 for a label. */
#define SYMBOL(bind, name, at, bytes) \
	"." bind " \"" name "\"\n" \
	".type \"" name "\", %function\n" \
	".set \"" name "\", 1b + " #at "\n" \
	".size \"" name "\", " #bytes "\n"

#endif
