/* SPDX-License-Identifier: MIT */
/* How CPU files and people spell the words of geometry.h. */
#include "base/geometry.h"

const char *const isa_names[ISAS] = {
	[ISA_X86_64] = "x86-64",
	[ISA_AARCH64] = "aarch64",
};

const char *const replacement_names[REPLACEMENTS] = {
	[REPLACE_LRU] = "lru",
	[REPLACE_TREE_PLRU] = "tree-plru",
	[REPLACE_BIT_PLRU] = "bit-plru",
	[REPLACE_FIFO] = "fifo",
	[REPLACE_RANDOM] = "random",
	[REPLACE_SRRIP] = "srrip",
	[REPLACE_QLRU_H00_M1_R2_U1] = "qlru-h00-m1-r2-u1",
	[REPLACE_QLRU_H11_M1_R0_U0] = "qlru-h11-m1-r0-u0",
};

const char *const inclusion_names[INCLUSIONS] = {
	[INCLUDE_NON] = "non-inclusive",
	[INCLUDE_ALL] = "inclusive",
	[INCLUDE_EXCLUSIVE] = "exclusive",
	[INCLUDE_VICTIM] = "victim",
};

const char *const prefetch_names[PREFETCH_KINDS] = {
	[PREFETCH_NEXT_LINE] = "next-line",
	[PREFETCH_ADJACENT_PAIR] = "adjacent-pair",
	[PREFETCH_IP_STRIDE] = "ip-stride",
	[PREFETCH_STREAM] = "stream",
};
