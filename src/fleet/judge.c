/* SPDX-License-Identifier: MIT */
/* Numbers by median and MAD, series by series; texts by the commonest one. */
#define _GNU_SOURCE	/* qsort_r */
#include "fleet/judge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "assay/error.h"
#include "base/array.h"
#include "fleet/scan.h"

/* A text is usual if so many of the nodes have it: 3 of 4. */
static const double usual = 0.7;

struct judging {
	struct judged *out;
	const struct fleet *fleet;
	const uint32_t *node;
	size_t nodes;
	uint32_t *item;		/* all, sorted by series */
	size_t items;
	uint32_t *tally;	/* of texts, by their number */
	int rc;
};

static bool room(void *array, size_t used, size_t *have, size_t bytes)
{
	const size_t more = *have ? 2 * *have : 64;

	if (used < *have)
		return true;
	if (!array_resize(array, more, bytes))
		return false;
	*have = more;
	return true;
}

static void add_odd(struct judging *j, const struct judge_odd *odd)
{
	struct judged *out = j->out;

	if (!room(&out->odd, out->odds, &out->odd_room, sizeof(*out->odd)))
		j->rc = -ASSAY_ENOMEM;
	else
		out->odd[out->odds++] = *odd;
}

/* ---- texts --------------------------------------------------------------- */

static void add_split(struct judging *j, uint32_t item, uint32_t most,
		      const char *value)
{
	struct judged *out = j->out;

	if (!room(&out->split, out->splits, &out->split_room,
		  sizeof(*out->split)))
		j->rc = -ASSAY_ENOMEM;
	else
		out->split[out->splits++] = (struct judge_split){
			item, most, value
		};
}

/* The commonest text; *have: how many nodes have a text. */
static uint32_t commonest(struct judging *j, uint32_t item, uint32_t *have)
{
	uint32_t best = 0;

	*have = 0;
	for (size_t i = 0; i < j->nodes; i++) {
		const double v = fleet_get(j->fleet, j->node[i], item);

		if (isnan(v))
			continue;
		++*have;
		if (++j->tally[(size_t)v] > j->tally[best])
			best = (uint32_t)v;
	}
	return best;
}

static void judge_text(struct judging *j, uint32_t item)
{
	char **const text = j->fleet->text.name;
	uint32_t have, most, best;

	memset(j->tally, 0, (j->fleet->text.names + 1) * sizeof(*j->tally));
	best = commonest(j, item, &have);
	most = j->tally[best];
	if (have < JUDGE_LEAST)
		return;
	j->out->items++;
	if (most < usual * have) {
		add_split(j, item, most, text[best]);
		return;
	}
	for (size_t i = 0; i < j->nodes && most < have && !j->rc; i++) {
		const double v = fleet_get(j->fleet, j->node[i], item);

		if (!isnan(v) && (uint32_t)v != best)
			add_odd(j, &(struct judge_odd){
				.node = j->node[i], .item = item, .last = item,
				.points = 1, .sure = HUGE_VAL,
				.text = text[(size_t)v], .usual = text[best],
			});
	}
}

/* ---- numbers ------------------------------------------------------------- */

static void on_found(void *ctx, const struct scan_found *found)
{
	struct judging *j = ctx;

	add_odd(j, &(struct judge_odd){
		.node = found->node, .item = found->first, .last = found->last,
		.points = found->points, .off = found->off, .sure = found->sure,
	});
}

/* One series: items first .. end - 1 of j->item. */
static void judge_series(struct judging *j, size_t first, size_t end,
			 double windows, double threes)
{
	struct scan scan = {
		.fleet = j->fleet, .node = j->node, .nodes = j->nodes,
		.item = j->item + first, .items = end - first,
		.windows = windows, .threes = threes,
		.found = on_found, .ctx = j,
	};

	if (j->fleet->item[j->item[first]].kind != FLEET_TEXT) {
		const int rc = scan_series(&scan);

		j->rc = j->rc ? j->rc : rc;
		j->out->items += scan.shared;
		return;
	}
	for (size_t i = first; i < end && !j->rc; i++)
		judge_text(j, j->item[i]);
}

static size_t end_of(const struct judging *j, size_t first)
{
	const struct fleet_item *f = &j->fleet->item[j->item[first]];
	size_t end = first;

	while (end < j->items &&
	       j->fleet->item[j->item[end]].series == f->series &&
	       j->fleet->item[j->item[end]].kind == f->kind)
		end++;
	return end;
}

/* The comparisons of one node: their number sets the limit of each. */
static void count(const struct judging *j, double *windows, double *threes)
{
	*windows = *threes = 0;
	for (size_t i = 0, end; i < j->items; i = end) {
		end = end_of(j, i);
		if (j->fleet->item[j->item[i]].kind != FLEET_TEXT)
			scan_count(end - i, windows, threes);
	}
}

/* Items by kind and series, each in the order in which the fleet got them. */
static int by_series(const void *a, const void *b, void *ctx)
{
	const struct fleet *f = ctx;
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	const struct fleet_item *p = &f->item[x], *q = &f->item[y];

	if (p->kind != q->kind)
		return p->kind < q->kind ? -1 : 1;
	if (p->series != q->series)
		return p->series < q->series ? -1 : 1;
	return (x > y) - (x < y);
}

int judge(struct judged *out, const struct fleet *fleet, const uint32_t *node,
	  size_t nodes)
{
	struct judging j = {
		.out = out, .fleet = fleet, .node = node, .nodes = nodes,
		.items = fleet->keys.names,
		.item = calloc(fleet->keys.names + 1, sizeof(*j.item)),
		.tally = calloc(fleet->text.names + 1, sizeof(*j.tally)),
	};
	double windows = 0, threes = 0;

	if (!j.item || !j.tally)
		j.rc = -ASSAY_ENOMEM;
	for (size_t i = 0; !j.rc && i < j.items; i++)
		j.item[i] = (uint32_t)i;
	if (!j.rc) {
		qsort_r(j.item, j.items, sizeof(*j.item), by_series,
			(void *)fleet);
		count(&j, &windows, &threes);
	}
	for (size_t i = 0, end; !j.rc && i < j.items; i = end) {
		end = end_of(&j, i);
		judge_series(&j, i, end, windows, threes);
	}
	free(j.item);
	free(j.tally);
	return j.rc;
}

static int surest(const void *a, const void *b)
{
	const struct judge_odd *x = a, *y = b;

	if (x->node != y->node)
		return x->node < y->node ? -1 : 1;
	if (!x->text != !y->text)	/* numbers first */
		return x->text ? 1 : -1;
	if (x->points != y->points)
		return x->points > y->points ? -1 : 1;
	if (x->sure != y->sure)
		return x->sure > y->sure ? -1 : 1;
	return (x->item > y->item) - (x->item < y->item);
}

void judged_sort(struct judged *judged)
{
	if (judged->odds)
		qsort(judged->odd, judged->odds, sizeof(*judged->odd), surest);
}

void judged_fini(struct judged *judged)
{
	free(judged->odd);
	free(judged->split);
	*judged = (struct judged){ 0 };
}
