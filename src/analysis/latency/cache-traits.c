/* SPDX-License-Identifier: MIT */
/* Line size, ways, TLBs and prefetchers from latencies. See cache-traits.h. */
#include "analysis/latency/cache-traits.h"

#include <math.h>
#include <stdio.h>

#include "base/text.h"

const char *const trait_trust_words[] = {
	[TRAIT_NONE] = "cannot tell here", [TRAIT_LOW] = "low",
	[TRAIT_MEDIUM] = "medium", [TRAIT_HIGH] = "high",
	[TRAIT_CONTRADICTED] = "contradicted",
	[TRAIT_UNDECIDED] = "not decided",
};

static struct trait cannot_tell(void)
{
	return (struct trait){ 0, 0, TRAIT_NONE };
}

/* The trust in a step of latency, by the ratio of its two sides. */
static enum trait_trust by_ratio(double ratio)
{
	return ratio >= 1.5 ? TRAIT_HIGH : ratio >= 1.3 ? TRAIT_MEDIUM :
	       ratio >= 1.2 ? TRAIT_LOW : TRAIT_NONE;
}

struct trait trait_line(const double *gap, const double *cycles, size_t n)
{
	double low = INFINITY, high = 0, middle;
	size_t first = n;

	for (size_t i = 0; i < n; i++) {
		if (!(cycles[i] > 0))
			return cannot_tell();
		low = fmin(low, cycles[i]);
		high = fmax(high, cycles[i]);
	}
	if (n < 2 || by_ratio(high / low) == TRAIT_NONE)
		return cannot_tell();
	middle = sqrt(low * high);
	for (size_t i = n; i-- > 0 && cycles[i] > middle;)
		first = i;
	/* exactly one step: all gaps below it are fast, all above are slow */
	if (first == 0 || first == n)
		return cannot_tell();
	for (size_t i = 0; i < first; i++)
		if (cycles[i] > middle)
			return cannot_tell();
	return (struct trait){ gap[first], 0, by_ratio(high / low) };
}

struct trait trait_ways(const double *cycles, size_t n, double hit,
			double miss)
{
	const double limit = hit + (miss - hit) * 0.2;
	size_t held = 0;

	if (!(hit > 0) || miss < 1.2 * hit)
		return cannot_tell();
	while (held < n && cycles[held] > 0 && cycles[held] < limit)
		held++;
	if (held == 0 || held == n || !(cycles[held] > 0))
		return cannot_tell();
	/* the next points stay above too: not a single disturbed point */
	for (size_t i = held; i < n && i < held + 3; i++)
		if (cycles[i] < limit)
			return cannot_tell();
	return (struct trait){ (double)held, 0, cycles[held] >
			       (hit + miss) / 2 ? TRAIT_HIGH : TRAIT_MEDIUM };
}

struct trait trait_agreed_ways(const struct trait *found, size_t places,
			       double bytes, double line)
{
	double sets;

	for (size_t i = 0; i < places; i++)
		if (found[i].trust == TRAIT_NONE ||
		    found[i].value != found[0].value)
			return cannot_tell();
	if (!places || !(line > 0))
		return cannot_tell();
	sets = bytes / line / found[0].value;
	if (sets < 1 || exp2(floor(log2(sets))) != sets)
		return cannot_tell();
	return (struct trait){ found[0].value, 0, TRAIT_MEDIUM };
}

/* See trait_check_ways(). */
static void check(struct trait *t, double ways, double line,
		  const struct trait_cache *c, char *why, size_t room)
{
	const double product = ways * c->sets * line;
	const double reported = (double)c->ways * c->sets * c->line;
	char made[32], said[32], low[32], high[32];

	text_copy(why, room, "");
	if (t->trust == TRAIT_NONE || !(reported > 0) || product == reported ||
	    (product >= c->low && product <= c->high))
		return;
	t->trust = TRAIT_CONTRADICTED;
	text_about_bytes(made, sizeof(made), product);
	text_about_bytes(said, sizeof(said), reported);
	text_about_bytes(low, sizeof(low), c->low);
	text_about_bytes(high, sizeof(high), c->high);
	snprintf(why, room, "%.0f ways x %u sets x %.0f bytes are %s, but %s "
		 "is reported%s%s%s%s%s", ways, c->sets, line, made, said,
		 c->high > 0 ? " and " : "", c->high > 0 ? low : "",
		 c->high > 0 ? " to " : "", c->high > 0 ? high : "",
		 c->high > 0 ? " is timed" : "");
}

void trait_check_ways(struct trait *ways, const struct trait_cache *cache,
		      char *why, size_t room)
{
	check(ways, ways->value, cache->line, cache, why, room);
}

void trait_check_line(struct trait *line, const struct trait_cache *cache,
		      char *why, size_t room)
{
	check(line, cache->ways, line->value, cache, why, room);
}

/* Cycles that a page per line costs. */
static double extra(const struct tlb_point *p)
{
	return p->spread - p->packed;
}

/*
 * The last point before the extra cost is above the limit at two points in a
 * row; n: there is none.
 */
static size_t last_below(const struct tlb_point *p, size_t n, size_t from,
			 double limit)
{
	for (size_t i = from; i + 1 < n; i++)
		if (extra(&p[i]) > limit && extra(&p[i + 1]) > limit)
			return i ? i - 1 : n;
	return n;
}

void trait_tlbs(const struct tlb_point *p, size_t n, struct tlb_traits *out)
{
	size_t first, second, at;
	double step;

	*out = (struct tlb_traits){ .first = cannot_tell() };
	first = last_below(p, n, 0, 1.5);
	if (first == n || first + 4 >= n)
		return;
	out->first = (struct trait){ p[first].pages, p[first + 1].pages,
				     TRAIT_HIGH };
	/* with twice as many pages, nearly all accesses miss the first TLB */
	for (at = first; at < n && p[at].pages < 2 * p[first].pages;)
		at++;
	if (at == n)
		return;
	step = extra(&p[at]);
	out->first_miss = (struct trait){ step, 0, TRAIT_MEDIUM };
	second = last_below(p, n, at, 1.6 * step + 2);
	if (second == n)
		return;
	out->second = (struct trait){ p[second].pages, p[second + 1].pages,
				      TRAIT_MEDIUM };
	for (at = second; at < n && p[at].pages < 2 * p[second].pages;)
		at++;
	if (at < n && extra(&p[at]) > step)
		out->walk = (struct trait){ extra(&p[at]) - step, 0,
					    TRAIT_LOW };
}

struct trait trait_prefetch(double with, double without)
{
	const double ratio = without > 0 ? with / without : 0;

	if (!(ratio > 0))
		return cannot_tell();
	if (ratio < 0.5)
		return (struct trait){ 1, 0, TRAIT_HIGH };
	if (ratio < 0.75)
		return (struct trait){ 1, 0, TRAIT_MEDIUM };
	if (ratio > 0.92)
		return (struct trait){ 0, 0, TRAIT_MEDIUM };
	return cannot_tell();
}
