/* SPDX-License-Identifier: MIT */
/*
 * The groups of quantities that -g takes: which formulas of the call's files
 * give a quantity of these groups, and which events those formulas need.
 * Groups and quantities are matched by name, in lists separated by commas.
 */
#include <stdio.h>
#include <string.h>

#include "run/formulas.h"
#include "stat/stat.h"
#include "base/text.h"

/* What -g takes, in the order in which the groups are listed. */
static const struct { const char *name, *quantities; } groups_table[] = {
	{ "core", "instructions,cycles,loads,stores" },
	{ "branch",
	  "branches,branches_taken,mispredicts,returns,"
	  "return_mispredicts" },
	{ "served", "loads,stores,served_l1,served_l2,served_l3,served_dram" },
	{ "l1",
	  "l1d_reads,l1d_writes,l1d_read_misses,l1d_write_misses,"
	  "l1d_refills,l1d_writebacks,l1i_fetches,l1i_refills" },
	{ "l2",
	  "l2_reads,l2_writes,l2_read_misses,l2_write_misses,"
	  "l2_refills,l2_evict_clean,l2_evict_dirty" },
	{ "l3",
	  "l3_reads,l3_writes,l3_read_misses,l3_write_misses,"
	  "l3_writebacks" },
	{ "memory", "served_dram,dram_reads,dram_writes" },
	{ "tlb", "dtlb_misses,itlb_misses,l2tlb_misses,page_walks" },
	{ "system", "page_faults" },
};

enum { GROUPS = sizeof(groups_table) / sizeof(groups_table[0]) };

/* Is word, of n characters, one of "a,b,c"? */
static bool list_has(const char *list, const char *word, size_t n)
{
	while (*list) {
		const size_t length = strcspn(list, ",");

		if (length == n && !strncmp(list, word, n))
			return true;
		list += length;
		list += *list == ',';
	}
	return false;
}

bool stat_group_has(const char *groups, int quantity)
{
	const char *name = quantity < 0 ? NULL :
		assay_quantity_name((enum assay_quantity)quantity);

	for (int i = 0; name && i < GROUPS; i++)
		if (list_has(groups, groups_table[i].name,
			     strlen(groups_table[i].name)) &&
		    list_has(groups_table[i].quantities, name, strlen(name)))
			return true;
	return false;
}

static int unknown_group(const char *word, struct assay_error *err)
{
	const char *names[GROUPS + 1];

	for (int i = 0; i < GROUPS; i++)
		names[i] = groups_table[i].name;
	names[GROUPS] = NULL;
	error_set(err, -ASSAY_ENOENT, "unknown group '%.40s'", word);
	error_meant(err, word, names);
	error_add(err, "known:");
	for (int i = 0; i < GROUPS; i++)
		error_append(err, "%s %s", i ? "," : "", names[i]);
	return -ASSAY_ENOENT;
}

int stat_group_check(const char *groups, struct assay_error *err)
{
	char word[64];

	do {
		const size_t n = strcspn(groups, ",");
		bool known = false;

		for (int i = 0; i < GROUPS; i++)
			known |= strlen(groups_table[i].name) == n &&
				 !strncmp(groups_table[i].name, groups, n);
		snprintf(word, sizeof(word), "%.*s", n < 60 ? (int)n : 60,
			 groups);
		if (!known)
			return unknown_group(word, err);
		groups += n;
	} while (*groups && *++groups);
	return 0;
}

static bool gives(const struct formula_file *file, int quantity)
{
	for (size_t i = 0; i < file->formulas; i++)
		if (file->formula[i].quantity == quantity)
			return true;
	return false;
}

bool stat_group_wants(const struct stat_schedule *schedule, unsigned f,
		      size_t formula)
{
	const struct run *run = &schedule->run;
	const int quantity = run->file[f]->formula[formula].quantity;

	if (f < run->asked)
		return true;
	if (!stat_group_has(schedule->groups, quantity))
		return false;
	for (unsigned g = run->asked; g < f; g++)
		if (gives(run->file[g], quantity))
			return false;
	return true;
}

int stat_group_events(struct stat_schedule *schedule, unsigned number,
		      struct assay_error *err)
{
	const struct formula_file *file = schedule->run.file[number];
	int rc = 0;

	for (size_t i = 0; i < file->formulas; i++) {
		const struct formula *f = &file->formula[i];

		if (!stat_group_wants(schedule, number, i))
			continue;
		for (unsigned e = 0; e < f->events && !rc; e++)
			rc = formulas_add_event(&schedule->run,
						file->event[f->event[e]], err);
	}
	return rc;
}

int assay_stat_groups(assay_row_fn *fn, void *ctx)
{
	int rc = 0;

	for (int i = 0; i < GROUPS && !rc; i++) {
		const struct assay_field field[] = {
			{ .name = "group", .text = groups_table[i].name },
			{ .name = "quantities",
			  .text = groups_table[i].quantities },
		};

		rc = fn(ctx, &(struct assay_row){ "group", field, 2 });
	}
	return rc ? -ASSAY_ESTOP : 0;
}
