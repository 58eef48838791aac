/* SPDX-License-Identifier: MIT */
/* Symbols that test-symbol-names.c has, too. */
#include "symbol.h"

__asm__(".pushsection other_names, \"ax\", %progbits\n"
	"1:	.skip 32\n"
	SYMBOL("local", "same", 0, 16)
	SYMBOL("local", "twice", 16, 8)
	".popsection\n");
