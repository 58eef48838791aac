/* SPDX-License-Identifier: MIT */
/* The spelling of geometry.h's enumerations in CPU files and for people, and
 * which signals a hierarchy cannot have. */
#include "base/geometry.h"

#include <string.h>

const char *const isa_names[ISAS] = {
	[ISA_X86_64] = "x86-64",
	[ISA_AARCH64] = "aarch64",
};

const char *const replacement_names[REPLACEMENTS] = {
#define POLICY(constant, name, ...) [REPLACE_##constant] = name,
#include "base/policies.def"
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

const char *const page_names[PAGE_SIZES] = {
	[PAGE_4K] = "4k",
	[PAGE_16K] = "16k",
	[PAGE_64K] = "64k",
	[PAGE_2M] = "2m",
	[PAGE_32M] = "32m",
	[PAGE_512M] = "512m",
	[PAGE_1G] = "1g",
};

#define SIZED(size) "identity-" size, "random-" size
const char *const page_map_names[PAGE_MAP_NAMES] = {
	"identity", "random", SIZED("4k"), SIZED("16k"), SIZED("64k"),
	SIZED("2m"), SIZED("32m"), SIZED("512m"), SIZED("1g"),
};

struct page_map geometry_page_map(const struct geometry *g, int name)
{
	return (struct page_map){
		.kind = name % 2 ? PAGE_MAP_RANDOM : PAGE_MAP_IDENTITY,
		.size = name < 2 ? g->page : (enum page_size)(name / 2 - 1),
	};
}

int page_map_name(const struct page_map *map)
{
	const int random = map->kind == PAGE_MAP_RANDOM;

	return map->kind == PAGE_MAP_RECORDED ? -1 :
	       map->size == PAGE_4K ? random : 2 + 2 * (int)map->size + random;
}

void geometry_place(struct geometry *g, const struct page_map *map)
{
	const struct tlbs *tlbs = &g->tlbs[map->size];

	g->page_map = *map;
	if (!g->by_size)
		return;
	g->dtlb = tlbs->dtlb;
	g->itlb = tlbs->itlb;
	g->l2tlb = tlbs->l2tlb;
	g->l2itlb = tlbs->l2itlb;
	g->store_dtlb = tlbs->store_dtlb;
}

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
		{ "l2tlb_code", "this model has no second-level TLB for code",
		  !g->split_l2tlb || g->l2itlb.present },
		{ "l2tlb_data", "this model has no second-level TLB for data",
		  !g->split_l2tlb || g->l2tlb.present },
		{ "l2tlb_", "this model has no second-level TLB",
		  g->split_l2tlb || g->l2tlb.present },
		{ "walks_", "this model has no TLB",
		  g->dtlb.present || g->itlb.present },
	};

	for (size_t i = 0; i < sizeof(part) / sizeof(*part); i++)
		if (!part[i].present && !strncmp(signal, part[i].begins,
						 strlen(part[i].begins)))
			return part[i].why;
	return NULL;
}
