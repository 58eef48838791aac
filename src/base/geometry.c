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
#define QLRU(constant, name, h3, h2, m, r, u) [REPLACE_##constant] = name,
#include "base/qlru.def"
#undef QLRU
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
