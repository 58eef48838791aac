/* SPDX-License-Identifier: MIT */
/* What is known of a quantity or an event by its name. */
#include "analysis/compare/compare.h"

#include <string.h>
#include <strings.h>

#include "base/text.h"

/*
 * The first row whose word is a part of the name decides; of all other names
 * less is better: work, misses, time.
 */
static const struct {
	const char *word;
	enum compare_better better;
} directions[] = {
	{ "ipc", COMPARE_MORE },
	{ "insn_per_cycle", COMPARE_MORE },
	{ "hit", COMPARE_NEITHER },
	{ "served_l1", COMPARE_NEITHER },
	{ "served_l2", COMPARE_NEITHER },
	{ "served_l3", COMPARE_NEITHER },
	{ "evict_clean", COMPARE_NEITHER },
	{ "frequency", COMPARE_NEITHER },
};

enum compare_better compare_better(const char *name)
{
	for (size_t i = 0; i < sizeof(directions) / sizeof(*directions); i++)
		if (text_part(directions[i].word, name))
			return directions[i].better;
	return COMPARE_LESS;
}

/*
 * Rough costs in cycles choose the change that the first sentence names; the
 * columns are those of store/programs/tally.def.
 */
static const struct {
	const char *name;
	double cost;
	const char *column;
} quantities[] = {
	{ "ns", 3, NULL },
	{ "cycles", 1, NULL },
	{ "instructions", 0.25, "instructions" },
	{ "loads", 0, "loads" },
	{ "stores", 0, "stores" },
	{ "mispredicts", 15, "mispredicts" },
	{ "l1d_refills", 10, "l1d_misses" },
	{ "l1d_read_misses", 0, "l1d_misses" },
	{ "l1d_write_misses", 0, "l1d_misses" },
	{ "l1i_refills", 10, "l1i_misses" },
	{ "l2_refills", 30, "l2_misses" },
	{ "l2_read_misses", 0, "l2_misses" },
	{ "l3_read_misses", 0, "l3_misses" },
	{ "dram_reads", 150, "l3_misses" },
	{ "served_dram", 0, "l3_misses" },
	{ "dtlb_misses", 10, "dtlb_misses" },
	{ "l2tlb_misses", 0, "dtlb_misses" },
	{ "page_walks", 30, "dtlb_misses" },
};
#define QUANTITIES (sizeof(quantities) / sizeof(*quantities))

double compare_cost(const char *name)
{
	for (size_t i = 0; i < QUANTITIES; i++)
		if (!strcasecmp(quantities[i].name, name))
			return quantities[i].cost;
	return 0;
}

const char *compare_column(const char *name)
{
	for (size_t i = 0; i < QUANTITIES; i++) {
		if (!strcasecmp(quantities[i].name, name) ||
		    (quantities[i].column &&
		     !strcasecmp(quantities[i].column, name)))
			return quantities[i].column;
	}
	return NULL;
}
