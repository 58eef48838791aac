/* SPDX-License-Identifier: MIT */
/*
 * --only: events that the code of one function, source file or object causes.
 * A function is meant wherever its code is: by itself, and inlined into others;
 * what is inlined into the function belongs to the function, too.
 */
#include <stdlib.h>
#include <string.h>

#include "program/attribute.h"
#include "base/record.h"
#include "base/text.h"
#include "store/programs/function.h"

/* The name that names of several files have is followed by " (FILE)". */
static bool is_function(const char *shown, const char *only)
{
	const char *file = strstr(shown, " (");
	char name[1024];

	if (function_is_named(shown, only))
		return true;
	if (!file || (size_t)(file - shown) >= sizeof(name))
		return false;
	memcpy(name, shown, (size_t)(file - shown));
	name[file - shown] = '\0';
	return function_is_named(name, only);
}

static bool is_inlined(const struct inlined *i, const char *only)
{
	char *name = i->mangled ? symbols_demangle(i->mangled) : NULL;
	const bool found = (name && function_is_named(name, only)) ||
			   (i->function && function_is_named(i->function,
							     only));

	free(name);
	return found;
}

static bool is_meant(const struct entry *e, const char *only)
{
	const size_t length = strlen(only);

	if (path_ends(e->object, only, length) ||
	    path_ends(e->file, only, length) || is_function(e->function, only))
		return true;
	for (const struct inlined *i = e->inlined; i; i = i->into)
		if (is_inlined(i, only))
			return true;
	return false;
}

/* The quantities that sites count. */
static const struct { enum assay_quantity quantity; enum tally_column column; }
known[] = {
	{ ASSAY_Q_instructions, TALLY_instructions },
	{ ASSAY_Q_loads, TALLY_loads },
	{ ASSAY_Q_stores, TALLY_stores },
	{ ASSAY_Q_l1d_refills, TALLY_l1d_misses },
	{ ASSAY_Q_l1i_refills, TALLY_l1i_misses },
	{ ASSAY_Q_dtlb_misses, TALLY_dtlb_misses },
	{ ASSAY_Q_mispredicts, TALLY_mispredicts },
};

/* A store's miss need not refill: then L1D's refills are not those misses. */
static bool is_known(const struct tally *t, const struct assay_quantities *all,
		     const uint64_t sum[TALLY_COLUMNS], size_t i)
{
	return tally_has_column(&t->geometry, known[i].column) &&
	       all->of[known[i].quantity].number ==
	       (double)sum[known[i].column];
}

static void keep_truth(struct assay_quantities *truth, const struct tally *t,
		       const uint64_t count[TALLY_COLUMNS])
{
	const struct assay_quantities all = *truth;
	uint64_t sum[TALLY_COLUMNS];

	merged_tally_count(t, sum);
	quantities_absent(truth, "not known by instruction, as --only needs");
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (is_known(t, &all, sum, i))
			truth->of[known[i].quantity] = (struct assay_value){
				.number = (double)count[known[i].column] };
}

int only_keep(unsigned char **kept, struct assay_quantities *truth,
	      const struct tally_map *map, const char *only,
	      struct assay_error *err)
{
	uint64_t count[TALLY_COLUMNS] = { 0 };
	const struct wanted lines = { .by = ASSAY_BY_LINE };
	struct naming n = { .to = { .map = map, .wanted = &lines } };
	const uint32_t sites = map->tally->sites;
	struct entry e;
	bool any = false;
	int rc = naming_init(&n, err);

	*kept = rc ? NULL : calloc(sites + 1, 1);
	if (!rc && !*kept)
		rc = error_memory(err);
	for (uint32_t i = 0; !rc && i < sites; i++) {
		naming_entry(&n, &map->site[i], &e);
		(*kept)[i] = is_meant(&e, only);
		any |= (*kept)[i];
		for (int c = 0; (*kept)[i] && c < TALLY_COLUMNS; c++)
			count[c] += map->site[i].count[c];
	}
	naming_fini(&n);
	if (any)
		keep_truth(truth, map->tally, count);
	if (rc || any)
		return rc;
	return error_set(err, -ASSAY_ENEVER, "no code ran that belongs to a "
			 "function, a source file or an object '%.300s': "
			 "nothing was counted", only);
}
