/* SPDX-License-Identifier: MIT */
/* How CPU files and people spell the words of geometry.h; what a hierarchy
 * lacks. */
#include "base/geometry.h"

#include <string.h>

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

const char *geometry_lacks(const struct geometry *g, const char *signal)
{
	const bool predicts = g->predictor.kind != PREDICT_NONE;
	const struct {
		const char *begins, *why;
		bool present;
	} part[] = {
		{ "mispredicts", "this model has no branch predictor",
		  predicts },
		{ "return_mispredicts", "this model has no branch predictor",
		  predicts },
		{ "l1i_", "this model has no L1I", g->l1i.present },
		{ "l2_", "this model has no L2", g->l2.present },
		{ "l3_", "this model has no L3", g->l3.present },
		{ "dtlb_", "this model has no data TLB", g->dtlb.present },
		{ "itlb_", "this model has no code TLB", g->itlb.present },
		{ "l2tlb_", "this model has no second-level TLB",
		  g->l2tlb.present },
		{ "walks_", "this model has no TLB",
		  g->dtlb.present || g->itlb.present },
	};

	for (size_t i = 0; i < sizeof(part) / sizeof(*part); i++)
		if (!strncmp(signal, part[i].begins, strlen(part[i].begins)))
			return part[i].present ? NULL : part[i].why;
	return NULL;
}
