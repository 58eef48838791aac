/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "plugin/filter/move.h"
#include "plugin/why/bytes.h"
#include "plugin/why/footprint.h"
#include "plugin/why/shadow.h"
#include "plugin/why/stride.h"
#include "plugin/why/why.h"

_Static_assert(PARTS == TALLY_PARTS, "a tally has room for all parts");

#define MOST_SETS 1024u

/* Sets of L1D in the present run of misses of one instruction. */
struct run {
	uint32_t misses, sets;
	uint64_t set[MOST_SETS / 64];
};

struct why {
	struct shadow shadow[PARTS];
	struct bytes bytes;
	struct footprint footprint;
	/* lines that prefetchers brought into L1D and L2, and because of which
	 * reasons: by slot */
	struct lines pending[2];
	uint32_t *owner[2];
	struct run *run;	/* by reasons */
	uint64_t *last;		/* by site: its last address; 0: none */
	uint32_t run_misses;	/* L1D's sets; 0: too many, or no power of two */
	bool split_dtlb;	/* stores have a data TLB of their own */
	/* of the record that is being fed */
	uint32_t site;
	uint64_t address;	/* of a load or store that has not looked up L1D */
	uint64_t left;		/* its bytes that have not */
	bool orders;		/* it only changes the order of lines */
	bool translated;	/* a data TLB was looked up */
};

/* ---- reasons ------------------------------------------------------------- */

/* The index of a site's reasons; 0: they do not count, as outside of a part. */
static uint32_t reasons_of(uint32_t site)
{
	struct tally *t = session.map.tally;
	uint32_t *why = &session.map.site[site].why;

	if (!session.counts)
		return 0;
	if (!t->whys)
		t->whys = 1;
	if (!*why && t->whys == TALLY_WHYS)
		t->lost_sites++;
	if (!*why)
		*why = t->whys < TALLY_WHYS ? t->whys++ : TALLY_WHYS;
	return *why % TALLY_WHYS;
}

static struct tally_why *reasons(const struct why *w)
{
	return &session.reasons[reasons_of(w->site)];
}

/* ---- prefetches ---------------------------------------------------------- */

static void prefetched(struct why *w, enum sim_part part, uint32_t number)
{
	const int at = part == PART_L2;
	const uint32_t owner = reasons_of(w->site);

	session.reasons[owner].part[part].prefetched++;
	w->owner[at][lines_use(&w->pending[at], number)] = owner;
}

/* A prefetched line is used, or has left without a use. */
static void settle_prefetch(struct why *w, enum sim_part part,
			    uint32_t number, bool used)
{
	const int at = part == PART_L2;
	const uint32_t slot = lines_find(&w->pending[at], number);

	if (slot == LINES_NONE)
		return;
	session.reasons[w->owner[at][slot]].part[part].unused += !used;
	lines_remove(&w->pending[at], number);
}

/* ---- L1D ----------------------------------------------------------------- */

static void count_set(struct why *w, struct tally_why *t, uint32_t number)
{
	struct run *run = &w->run[t - session.reasons];
	const uint32_t set = number & (w->run_misses - 1);
	uint64_t *word = &run->set[set / 64];
	const uint64_t bit = UINT64_C(1) << set % 64;

	run->sets += !(*word & bit);
	*word |= bit;
	if (++run->misses < w->run_misses)
		return;
	t->runs++;
	t->run_sets += run->sets;
	memset(run, 0, sizeof(*run));
}

static void count_pattern(struct why *w, struct tally_why *t,
			  enum tally_patterns of, uint32_t number)
{
	struct tally_pattern *p = &t->pattern[of];
	const uint32_t owner = (uint32_t)(t - session.reasons) + 1 +
			       of * TALLY_WHYS;
	const enum footprint_answer answer =
		footprint_add(&w->footprint, owner, number);
	const uint64_t last = w->last[w->site];

	p->lines += answer == FOOTPRINT_NEW;
	p->lines_lost += answer == FOOTPRINT_FULL;
	if (!last)
		return;
	p->strides++;
	stride_add(p->stride, (int64_t)(w->address - last));
}

static void count_miss(struct why *w, uint32_t number)
{
	struct tally_why *t = reasons(w);

	if (w->run_misses)
		count_set(w, t, number);
	count_pattern(w, t, TALLY_OF_L1D, number);
}

/* The part of the access that is in this line. */
static void use_bytes(struct why *w, uint32_t number)
{
	const uint64_t line = UINT64_C(1) << session.line_shift;
	const uint64_t from = w->address & (line - 1);
	uint64_t n = line - from;

	if (n > w->left)
		n = w->left;
	if (!n)
		return;
	bytes_use(&w->bytes, number, (uint32_t)from, (uint32_t)(from + n));
	w->address += n;
	w->left -= n;
}

static void look_l1d(struct why *w, unsigned look, uint32_t number)
{
	const enum sim_look kind = look & LOOK_KINDS;
	const bool demand = kind == LOOK_LOAD || kind == LOOK_STORE;

	if (!(look & LOOK_HIT) && (look & LOOK_KEEPS))
		bytes_come(&w->bytes, number, kind == LOOK_PREFETCH ? 0 :
					      reasons_of(w->site));
	if (!demand)
		return;
	if (look & LOOK_UNUSED)
		bytes_own(&w->bytes, number, reasons_of(w->site));
	if (!(look & LOOK_HIT))
		count_miss(w, number);
	use_bytes(w, number);
}

static void leave_l1d(struct why *w, uint32_t number)
{
	uint32_t used = 0;
	const uint32_t owner = bytes_leave(&w->bytes, number, &used);

	if (!owner)
		return;
	session.reasons[owner].brought += UINT64_C(1) << session.line_shift;
	session.reasons[owner].used += used;
}

/* ---- every part ---------------------------------------------------------- */

static void count_look(struct why *w, enum sim_part part, unsigned look,
		       enum shadow_verdict verdict, uint32_t number)
{
	struct tally_why_part *count;

	if ((look & LOOK_HIT) && !(look & LOOK_UNUSED) &&
	    verdict == SHADOW_HIT)
		return;
	count = &reasons(w)->part[part];
	count->misses += !(look & LOOK_HIT);
	count->full += verdict != SHADOW_HIT;
	count->first += verdict == SHADOW_FIRST;
	if (!(look & LOOK_UNUSED))
		return;
	count->covered++;
	settle_prefetch(w, part, number, true);
}

static void on_look(void *ctx, enum sim_part part, unsigned look,
		    uint32_t number)
{
	struct why *w = ctx;
	const enum sim_look kind = look & LOOK_KINDS;
	enum shadow_verdict verdict;

	if (w->orders)
		return;
	w->translated |= part == PART_DTLB || part == PART_STORE_DTLB;
	verdict = shadow_look(&w->shadow[part], look, number);
	/* walks that read through L1D are none of its loads and stores */
	if (kind < LOOK_PREFETCH && (part != PART_L1D || kind != LOOK_WALK))
		count_look(w, part, look, verdict, number);
	if (kind == LOOK_PREFETCH && !(look & LOOK_HIT) && part <= PART_L2)
		prefetched(w, part, number);
	if (kind >= LOOK_EVICTED && (look & LOOK_UNUSED))
		settle_prefetch(w, part, number, false);
	if ((part == PART_DTLB || part == PART_STORE_DTLB) &&
	    !(look & LOOK_HIT) && kind <= LOOK_STORE)
		count_pattern(w, reasons(w), TALLY_OF_DTLB, number);
	if (part == PART_L1D && kind >= LOOK_EVICTED)
		leave_l1d(w, number);
	else if (part == PART_L1D)
		look_l1d(w, look, number);
}

/* ---- records ------------------------------------------------------------- */

/* A hit of one line that the filter has only counted: a use of the line and the
 * page, which the fully associative ones may even miss. */
static void hit_line(struct why *w, uint64_t address, unsigned flags)
{
	const enum sim_look kind = flags & WHY_CODE ? LOOK_FETCH :
				   flags & WHY_STORE ? LOOK_STORE : LOOK_LOAD;
	const unsigned look = kind | LOOK_HIT | LOOK_KEEPS;
	uint32_t line, page;

	sim_place(session.sim, address, &line, &page);
	on_look(w, flags & WHY_CODE ? PART_ITLB :
		   flags & WHY_STORE && w->split_dtlb ? PART_STORE_DTLB :
							PART_DTLB, look, page);
	on_look(w, flags & WHY_CODE ? PART_L1I : PART_L1D, look, line);
}

/* The simulator does not look up the page of the record before again, but hits
 * of other pages may have come in between. */
static void use_page(struct why *w, uint64_t record)
{
	uint32_t line, page;

	sim_place(session.sim, access_operand(record), &line, &page);
	on_look(w, record >> 60 && w->split_dtlb ? PART_STORE_DTLB : PART_DTLB,
		LOOK_LOAD | LOOK_HIT | LOOK_KEEPS, page);
}

static void hit(struct why *w, uint64_t record)
{
	const uint64_t first = access_operand(record);
	const uint64_t last = first + (w->left ? w->left - 1 : 0);

	hit_line(w, first, access_site(record));
	if (last >> session.line_shift != first >> session.line_shift)
		hit_line(w, last, access_site(record));
}

bool why_feed(uint64_t record, uint32_t site)
{
	struct why *w = session.why;
	const unsigned kind = access_kind(record);
	const bool data = kind <= ACCESS_STORE_NT ||
			  (kind == WHY_HIT &&
			   !(access_site(record) & WHY_CODE));
	const uint64_t address = moved_back(access_operand(record));

	w->site = site;
	w->address = address;
	w->left = data ? UINT64_C(1) << access_log2_bytes(record) : 0;
	w->orders = kind == ACCESS_TOUCH;
	w->translated = kind > ACCESS_STORE;
	if (kind == WHY_HIT)
		hit(w, record);
	else
		sim_feed(session.sim, &record, 1);
	if (!w->translated)
		use_page(w, record);
	if (data)
		w->last[site] = address;
	return kind != WHY_HIT;
}

/* ---- setting up ---------------------------------------------------------- */

static uint64_t lines_of(const struct cache_geometry *c)
{
	return c->present ? (uint64_t)c->sets * c->slices * c->ways : 0;
}

static uint64_t pages_of(const struct tlb_geometry *t)
{
	return t->present ? t->entries : 0;
}

static bool build_shadows(struct why *w, const struct geometry *g)
{
	const struct { uint64_t entries; bool gives; } part[PARTS] = {
		[PART_L1D] = { lines_of(&g->l1d), false },
		[PART_L1I] = { lines_of(&g->l1i), false },
		[PART_L2] = { lines_of(&g->l2),
			      g->l2.inclusion == INCLUDE_EXCLUSIVE },
		[PART_L3] = { lines_of(&g->l3),
			      g->l3.inclusion == INCLUDE_EXCLUSIVE },
		[PART_DTLB] = { pages_of(&g->dtlb), false },
		[PART_STORE_DTLB] = { pages_of(&g->store_dtlb), false },
		[PART_ITLB] = { pages_of(&g->itlb), false },
		[PART_L2TLB] = { pages_of(&g->l2tlb), false },
		[PART_L2ITLB] = { pages_of(&g->l2itlb), false },
	};
	bool ok = true;

	for (int i = 0; i < PARTS && ok; i++)
		ok = shadow_build(&w->shadow[i], part[i].entries,
				  part[i].gives);
	return ok;
}

static bool build_pending(struct why *w, const struct geometry *g)
{
	const uint64_t lines[2] = { lines_of(&g->l1d), lines_of(&g->l2) };
	bool ok = true;

	for (int i = 0; i < 2 && ok; i++) {
		w->owner[i] = calloc(lines[i] + 1, sizeof(*w->owner[i]));
		ok = w->owner[i] &&
		     lines_build(&w->pending[i], (uint32_t)lines[i] + 1);
	}
	return ok;
}

const char *why_build(const struct geometry *g)
{
	struct why *w = calloc(1, sizeof(*w));
	const uint32_t sets = g->l1d.sets;

	if (!w)
		return "no memory for reasons";
	w->run_misses = sets > 1 && sets <= MOST_SETS && !(sets & (sets - 1)) ?
			sets : 0;
	w->split_dtlb = g->store_dtlb.present;
	w->run = calloc(TALLY_WHYS, sizeof(*w->run));
	w->last = calloc(TALLY_SITES, sizeof(*w->last));
	if (!w->run || !w->last || !build_shadows(w, g) ||
	    !build_pending(w, g) || !footprint_build(&w->footprint) ||
	    !bytes_build(&w->bytes, (uint32_t)lines_of(&g->l1d) + 1,
			 (unsigned)__builtin_ctz(g->l1d.line_bytes)))
		return "no memory for reasons";
	session.why = w;
	sim_watch(session.sim, on_look, w);
	return NULL;
}

void why_reset(void)
{
	struct why *w = session.why;

	for (int i = 0; i < PARTS; i++)
		shadow_reset(&w->shadow[i]);
	for (int i = 0; i < 2; i++)
		lines_empty(&w->pending[i]);
	bytes_reset(&w->bytes);
	footprint_reset(&w->footprint);
	memset(w->run, 0, TALLY_WHYS * sizeof(*w->run));
	memset(w->last, 0, TALLY_SITES * sizeof(*w->last));
	sim_watch(session.sim, on_look, w);
}
