/* SPDX-License-Identifier: MIT */
/*
 * Branch prediction: bimodal, and a TAGE-like one (four tagged tables of
 * geometric history lengths over a bimodal base); a return stack; the last
 * target of each indirect jump. No clock and no random choice, so that equal
 * states have equal futures.
 *
 * A run of equal outcomes ends early once nothing changes any more: from then
 * on every prediction is the same, and right.
 */
#include "sim/state.h"

#define TABLES 4
#define HISTORY_WORDS 4
#define MOST_ENTRIES (1u << 20)
#define MOST_STACK 256
#define TARGETS 512

/* A tagged entry: tag << 8 | useful << 4 | counter (0..7, >= 4: taken). */
#define TAG_BITS 14
#define USEFUL(e) ((e) >> 4 & 3)
#define COUNTER(e) ((e) & 7)

struct predictor {
	enum predictor_kind kind;
	uint32_t entries, tagged;	/* per table; powers of two */
	uint32_t history_bits, stack_entries;
	uint64_t history[HISTORY_WORDS];
	uint32_t length[TABLES];
	uint32_t top;		/* calls on the stack are top - 1 downwards */
	uint8_t *base;		/* two-bit counters */
	uint32_t *table;	/* TABLES * tagged */
	uint64_t *stack, *target;
};

struct guess {
	bool taken, other;	/* and what the next shorter history says */
	int table;		/* that decided; -1: the base */
	uint32_t *entry[TABLES], tag[TABLES];
	uint8_t *base;
};

const char *predictor_refusal(const struct predictor_geometry *g)
{
	if ((unsigned)g->kind > PREDICT_TAGE)
		return "the branch predictor is unknown";
	if (g->kind == PREDICT_NONE)
		return NULL;
	if (!g->entries || g->entries & (g->entries - 1) ||
	    g->entries > MOST_ENTRIES)
		return "the branch predictor's entries are not a power of two up to 2^20";
	if (g->return_stack > MOST_STACK)
		return "the return stack has more than 256 entries";
	if (g->kind == PREDICT_TAGE &&
	    (g->history < TABLES || g->history > 64 * HISTORY_WORDS))
		return "the branch history is not 4 to 256 bits";
	return NULL;
}

struct predictor *predictor_build(const struct predictor_geometry *g,
				  struct carve *c)
{
	struct predictor *p = carve_take(c, sizeof(*p));
	const uint32_t entries = g->kind == PREDICT_NONE ? 0 : g->entries;
	const uint32_t tagged = g->kind != PREDICT_TAGE ? 0 :
				entries < TABLES ? 1 : entries / TABLES;
	uint8_t *base = carve_take(c, entries);
	uint32_t *table = carve_take(c, (size_t)TABLES * tagged * 4);
	uint64_t *stack = carve_take(c, (size_t)g->return_stack * 8);
	uint64_t *target = carve_take(c, TARGETS * 8);

	if (!p)
		return NULL;
	p->kind = g->kind;
	p->entries = entries;
	p->tagged = tagged;
	p->history_bits = tagged ? g->history : 0;
	p->stack_entries = g->return_stack;
	p->base = base;
	p->table = table;
	p->stack = stack;
	p->target = target;
	return p;
}

void predictor_reset(struct predictor *p)
{
	words_clear(p->history, sizeof(p->history));
	for (int t = 0; t < TABLES; t++)
		p->length[t] = p->history_bits >> (TABLES - 1 - t);
	p->top = 0;
	for (uint32_t i = 0; i < p->entries; i++)
		p->base[i] = 2;
	words_clear(p->table, (size_t)TABLES * p->tagged * 4);
	words_clear(p->stack, (size_t)p->stack_entries * 8);
	words_clear(p->target, TARGETS * 8);
}

static uint64_t hash_bytes(uint64_t hash, const void *from, size_t bytes)
{
	const unsigned char *byte = from;

	for (size_t i = 0; i < bytes; i++)
		hash = words_hash(hash, byte[i]);
	return hash;
}

uint64_t predictor_hash(const struct predictor *p)
{
	uint64_t hash = p->top;

	if (p->kind == PREDICT_NONE)
		return 0;
	for (int i = 0; i < HISTORY_WORDS; i++)
		hash = words_hash(hash, p->history[i]);
	for (uint32_t i = 0; i < TABLES * p->tagged; i++)
		hash = words_hash(hash, p->table[i]);
	for (uint32_t i = 0; i < p->stack_entries; i++)
		hash = words_hash(hash, p->stack[i]);
	for (uint32_t i = 0; i < TARGETS; i++)
		hash = words_hash(hash, p->target[i]);
	return hash_bytes(hash, p->base, p->entries);
}

/* A hash of the last `bits` outcomes. */
static uint64_t recent(const struct predictor *p, uint32_t bits)
{
	uint64_t hash = bits;

	for (uint32_t word = 0; bits; word++) {
		const uint32_t some = bits < 64 ? bits : 64;

		hash = words_hash(hash, p->history[word] &
					(~UINT64_C(0) >> (64 - some)));
		bits -= some;
	}
	return hash;
}

static void guess(struct predictor *p, uint64_t pc, struct guess *g)
{
	g->base = &p->base[pc >> 2 & (p->entries - 1)];
	g->taken = g->other = *g->base >= 2;
	g->table = -1;
	for (int t = 0; p->tagged && t < TABLES; t++) {
		const uint64_t hash = words_mix(recent(p, p->length[t]) ^
						pc << 8);

		g->tag[t] = (uint32_t)(hash >> 40 & ((1u << TAG_BITS) - 1)) |
			    1u << TAG_BITS;
		g->entry[t] = &p->table[t * p->tagged +
					(hash & (p->tagged - 1))];
		if (*g->entry[t] >> 8 != g->tag[t])
			continue;
		g->other = g->taken;
		g->taken = COUNTER(*g->entry[t]) >= 4;
		g->table = t;
	}
}

static bool shift_history(struct predictor *p, bool taken)
{
	bool changed = false;
	uint64_t in = taken;

	for (uint32_t word = 0; word * 64 < p->history_bits; word++) {
		const uint32_t bits = p->history_bits - word * 64;
		const uint64_t mask = bits >= 64 ? ~UINT64_C(0) :
				      (UINT64_C(1) << bits) - 1;
		const uint64_t old = p->history[word];

		p->history[word] = (old << 1 | in) & mask;
		changed |= p->history[word] != old;
		in = old >> 63;
	}
	return changed;
}

static bool count_to(uint32_t *counter, bool up, uint32_t most)
{
	const uint32_t old = *counter;

	if (up && *counter < most)
		++*counter;
	if (!up && *counter)
		--*counter;
	return *counter != old;
}

static bool train_base(struct guess *g, bool taken)
{
	uint32_t counter = *g->base;
	const bool changed = count_to(&counter, taken, 3);

	*g->base = (uint8_t)counter;
	return changed;
}

static bool train_tagged(struct guess *g, bool taken)
{
	uint32_t *entry = g->entry[g->table];
	uint32_t counter = COUNTER(*entry), useful = USEFUL(*entry);
	bool changed = count_to(&counter, taken, 7);

	if (g->taken != g->other)
		changed |= count_to(&useful, g->taken == taken, 3);
	*entry = (*entry & ~UINT32_C(0xff)) | useful << 4 | counter;
	return changed;
}

/* After a mistake: a longer history gets the branch, if one has room. */
static bool allocate(struct guess *g, bool taken)
{
	bool changed = false;

	for (int t = g->table + 1; t < TABLES; t++)
		if (!USEFUL(*g->entry[t])) {
			*g->entry[t] = g->tag[t] << 8 | (taken ? 4 : 3);
			return true;
		}
	for (int t = g->table + 1; t < TABLES; t++) {
		*g->entry[t] -= 1u << 4;
		changed = true;
	}
	return changed;
}

/* One outcome; *changed: would the next one see another state? */
static bool outcome(struct predictor *p, uint64_t pc, bool taken,
		    bool *changed)
{
	struct guess g;

	guess(p, pc, &g);
	*changed = g.table < 0 ? train_base(&g, taken) :
				 train_tagged(&g, taken);
	if (p->tagged && g.taken != taken)
		*changed |= allocate(&g, taken);
	*changed |= shift_history(p, taken);
	return g.taken != taken;
}

uint64_t predictor_branch(struct predictor *p, uint64_t pc, bool taken,
			  uint64_t run)
{
	uint64_t wrong = 0;
	bool changed = true;

	if (p->kind == PREDICT_NONE)
		return 0;
	for (; run && changed; run--)
		wrong += outcome(p, pc, taken, &changed);
	return wrong;
}

void predictor_call(struct predictor *p, uint64_t back)
{
	if (p->kind == PREDICT_NONE || !p->stack_entries)
		return;
	p->stack[p->top] = back;
	p->top = (p->top + 1) % p->stack_entries;
}

bool predictor_return(struct predictor *p, uint64_t to)
{
	uint64_t said;

	if (p->kind == PREDICT_NONE)
		return false;
	if (!p->stack_entries)
		return true;
	p->top = (p->top + p->stack_entries - 1) % p->stack_entries;
	said = p->stack[p->top];
	p->stack[p->top] = 0;
	return said != to;
}

bool predictor_jump(struct predictor *p, uint64_t pc, uint64_t to)
{
	uint64_t *slot = &p->target[words_mix(pc) % TARGETS];
	const bool wrong = *slot != to;

	if (p->kind == PREDICT_NONE)
		return false;
	*slot = to;
	return wrong;
}
