/* SPDX-License-Identifier: MIT */
/*
 * What rows of --by are sorted by. Each miss costs what the CPU file says that
 * the next level takes longer than the level that missed:
 *
 *	(l2-hit - l1-hit) * (l1d_misses + l1i_misses)
 *	+ (l3-hit - l2-hit) * l2_misses + dram-extra * l3_misses
 *	+ dtlb-miss * dtlb_misses + mispredict * mispredicts
 *
 * so that an access costs the latency of the level that served it, beyond that
 * of L1. Misses that overlap each other cost less in a real CPU.
 */
#include <ctype.h>
#include <string.h>

#include "program/attribute.h"
#include "base/text.h"

const char *const tally_column_names[TALLY_COLUMNS] = {
#define X(name, sentence) [TALLY_##name] = #name,
#include "store/programs/tally.def"
#undef X
};

bool tally_has_column(const struct geometry *g, enum tally_column column)
{
	switch (column) {
	case TALLY_l1i_misses:
		return g->l1i.present;
	case TALLY_l2_misses:
		return g->l2.present;
	case TALLY_l3_misses:
		return g->l3.present;
	case TALLY_dtlb_misses:
		return g->dtlb.present;
	case TALLY_mispredicts:
		return g->predictor.kind != PREDICT_NONE;
	default:
		return true;
	}
}

bool tally_is_of_data(enum tally_column column)
{
	return column == TALLY_l1d_misses || column == TALLY_l2_misses ||
	       column == TALLY_l3_misses || column == TALLY_dtlb_misses;
}

/* Other names of columns: the quantities of a record that they are. */
static const struct { const char *name; enum tally_column column; } aliases[] = {
	{ "l1d_refills", TALLY_l1d_misses },
	{ "l1i_refills", TALLY_l1i_misses },
	{ "l2_read_misses", TALLY_l2_misses },
	{ "l3_read_misses", TALLY_l3_misses },
};

static const char lost_cycles[] = "lost_cycles";

/* Is `given` the name, be it with capitals and blanks? */
static bool is_name(const char *given, const char *name)
{
	while (*name && (tolower((unsigned char)*given) == *name ||
			 (*name == '_' && (*given == ' ' || *given == '-')))) {
		given++;
		name++;
	}
	return !*given && !*name;
}

static int column_of(const char *name)
{
	for (int i = 0; i < TALLY_COLUMNS; i++)
		if (is_name(name, tally_column_names[i]))
			return i;
	for (size_t i = 0; i < sizeof(aliases) / sizeof(*aliases); i++)
		if (is_name(name, aliases[i].name))
			return (int)aliases[i].column;
	return -1;
}

/* What the next level takes longer; never below 0. */
static double step(double from, double to)
{
	return to > from ? to - from : 0;
}

static void set_prices(struct cost *c, const struct geometry *g)
{
	const struct cycle_model *m = &g->cycles;
	const double l1 = !g->l2.present ? m->dram_extra :
			  step(m->l1_hit, m->l2_hit);

	c->price[TALLY_l1d_misses] = c->price[TALLY_l1i_misses] = l1;
	c->price[TALLY_l2_misses] = !g->l3.present ? m->dram_extra :
				    step(m->l2_hit, m->l3_hit);
	c->price[TALLY_l3_misses] = m->dram_extra;
	c->price[TALLY_dtlb_misses] = m->dtlb_miss;
	c->price[TALLY_mispredicts] = m->mispredict;
	c->known = l1 > 0;
}

static int unknown(const char *name, struct assay_error *err)
{
	const char *words[TALLY_COLUMNS + 2] = { NULL };

	for (int i = 0; i < TALLY_COLUMNS; i++)
		words[i] = tally_column_names[i];
	words[TALLY_COLUMNS] = lost_cycles;
	return error_unknown(err, "quantity to sort by", name, words,
			     "try: one of the columns of assay sim --by line "
			     "-v");
}

int cost_init(struct cost *out, const char *sort, const struct geometry *g,
	      struct assay_error *err)
{
	*out = (struct cost){ .column = -1 };
	set_prices(out, g);
	if (!sort && !out->known)
		sort = tally_column_names[TALLY_l1d_misses];
	if (sort && !is_name(sort, lost_cycles)) {
		out->column = column_of(sort);
		if (out->column < 0)
			return unknown(sort, err);
		if (!tally_has_column(g, out->column))
			return error_set(err, -ASSAY_ENOENT, "nothing to sort "
					 "by: %s has no %s", g->name,
					 tally_column_names[out->column]);
	} else if (sort && !out->known) {
		return error_set(err, -ASSAY_ENOENT, "nothing to sort by: the "
				 "CPU file of %s has no latencies", g->name);
	}
	return 0;
}

const char *cost_name(const struct cost *cost)
{
	return cost->column < 0 ? lost_cycles :
	       tally_column_names[cost->column];
}

double cost_of(const struct cost *cost, const uint64_t count[TALLY_COLUMNS])
{
	double sum = 0;

	for (int i = 0; i < TALLY_COLUMNS; i++)
		sum += cost->price[i] * (double)count[i];
	return sum;
}

double cost_key(const struct cost *cost, const uint64_t count[TALLY_COLUMNS])
{
	return cost->column < 0 ? cost_of(cost, count) :
				  (double)count[cost->column];
}

void entry_add(struct entry *to, const struct entry *from)
{
	for (int i = 0; i < TALLY_COLUMNS; i++)
		to->count[i] += from->count[i];
	to->branches += from->branches;
	to->bytes += from->bytes;
	if (to->why && from->why)
		tally_why_add(to->why, from->why);
	else if (from->why)
		to->why = from->why;
}
