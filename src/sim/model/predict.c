/* SPDX-License-Identifier: MIT */
/* The predictor's layout, and its rarer steps. */
#include "sim/model/predict.h"

#define MOST_ENTRIES (1u << 20)
#define MOST_STACK 256

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
	    (g->history < PREDICT_TABLES || g->history > 64 * PREDICT_WORDS))
		return "the branch history is not 4 to 256 bits";
	return NULL;
}

/* ---- layout -------------------------------------------------------------- */

/* So many low bits, of those beyond `from`; at most 64. */
static uint64_t low_bits(uint32_t bits, uint32_t from)
{
	const uint32_t some = bits > from ? bits - from : 0;

	return !some ? 0 : ~UINT64_C(0) >> (some < 64 ? 64 - some : 0);
}

static void derive_history(struct predictor *p, uint32_t bits)
{
	p->words = !bits ? 0 : bits <= 64 ? 1 : bits <= 128 ? 2 : 4;
	for (uint32_t word = 0; word < PREDICT_WORDS; word++)
		p->mask[word] = low_bits(bits, 64 * word);
	for (uint32_t t = 0; t < PREDICT_TABLES; t++)
		p->length[t] = low_bits(bits >> (PREDICT_TABLES - 1 - t), 0);
	p->beyond = low_bits(bits >> 1, 64);
}

/* Whole words, for predictor_hash. */
static size_t bytes_of(uint32_t entries, size_t each)
{
	return (entries * each + 7) & ~(size_t)7;
}

struct predictor *predictor_build(const struct predictor_geometry *g,
				  struct carve *c)
{
	struct predictor *p = carve_take(c, sizeof(*p));
	const uint32_t base = g->kind == PREDICT_NONE ? 0 : g->entries;
	const uint32_t tagged = g->kind != PREDICT_TAGE ? 0 :
				base < PREDICT_TABLES ? 1 :
				base / PREDICT_TABLES;
	const uint32_t entries = base + PREDICT_TABLES * tagged;
	const uint32_t stacked = g->kind == PREDICT_NONE ? 0 : g->return_stack;
	uint8_t *entry = carve_take(c, bytes_of(entries, 1));
	uint16_t *tag = carve_take(c, bytes_of(tagged ? entries : 0, 2));
	uint64_t *stack = carve_take(c, (size_t)stacked * 8);
	uint64_t *target = carve_take(c, PREDICT_TARGETS * 8);

	if (!c->base)
		return NULL;
	*p = (struct predictor){
		.kind = g->kind, .base_mask = base - 1, .entries = entries,
		.stack_entries = stacked,
		.entry = entry, .tag = tag, .stack = stack, .target = target
	};
	for (uint32_t t = 0; tagged && t < PREDICT_TABLES; t++)
		p->first[1 + t] = base + t * tagged;
	if (tagged)
		p->shift = 64 - 16 - (uint32_t)__builtin_ctz(tagged);
	derive_history(p, tagged ? g->history : 0);
	return p;
}

void predictor_reset(struct predictor *p)
{
	words_clear(p->entry, bytes_of(p->entries, 1));
	for (uint32_t i = 0; i < p->entries; i++)
		p->entry[i] = ENTRY_TAKEN |
			      (i <= p->base_mask ? ENTRY_BASE : 0);
	if (p->words)
		words_clear(p->tag, bytes_of(p->entries, 2));
	words_clear(p->stack, (size_t)p->stack_entries * 8);
	words_clear(p->target, PREDICT_TARGETS * 8);
}

static uint64_t hash_words(uint64_t hash, const void *from, size_t bytes)
{
	const unsigned char *byte = from;
	uint64_t word;

	for (size_t i = 0; i + 8 <= bytes; i += 8) {
		__builtin_memcpy(&word, byte + i, 8);
		hash = words_hash(hash, word);
	}
	return hash;
}

uint64_t predictor_hash(const struct predictor *p)
{
	uint64_t hash = p->top;

	if (p->kind == PREDICT_NONE)
		return 0;
	hash = hash_words(hash, p->history, sizeof(p->history));
	hash = hash_words(hash, p->entry, bytes_of(p->entries, 1));
	if (p->words)
		hash = hash_words(hash, p->tag, bytes_of(p->entries, 2));
	hash = hash_words(hash, p->stack, (size_t)p->stack_entries * 8);
	return hash_words(hash, p->target, PREDICT_TARGETS * 8);
}

/* ---- training ------------------------------------------------------------ */

/* A tagged entry's counter, 0 to 7. */
#define DOWN(c) ((c) ? (c) - 1 : 0)
#define UP(c) ((c) < 7 ? (c) + 1 : 7)
/* One of the base: 0, 3, 4 or 7. */
#define BASE_DOWN(c) ((c) > 4 ? 4 : (c) > 3 ? 3 : 0)
#define BASE_UP(c) ((c) < 3 ? 3 : (c) < 4 ? 4 : 7)
/* Useful, 0 to 3: was it right where the next shorter one was wrong? */
#define USEFUL_DOWN(u) ((u) ? (u) - 1 : 0)
#define USEFUL_UP(u) ((u) < 3 ? (u) + 1 : 3)

#define EIGHT_UP(row, ...) \
	row(4, __VA_ARGS__), row(5, __VA_ARGS__), row(6, __VA_ARGS__), \
	row(7, __VA_ARGS__), row(0, __VA_ARGS__), row(1, __VA_ARGS__), \
	row(2, __VA_ARGS__), row(3, __VA_ARGS__)

#define EIGHT(row, ...) \
	row(0, __VA_ARGS__), row(1, __VA_ARGS__), row(2, __VA_ARGS__), \
	row(3, __VA_ARGS__), row(4, __VA_ARGS__), row(5, __VA_ARGS__), \
	row(6, __VA_ARGS__), row(7, __VA_ARGS__)

#define TAGGED(c, step, useful) (step(c) | (useful) << 4)
#define BASE(c, step, useful) (step(c) | ENTRY_BASE | (useful) << 4)
/* Was it right? */
#define WHERE_UP(c, step, u) (step(c) | ((c) & ENTRY_TAKEN ? \
					 USEFUL_UP(u) : USEFUL_DOWN(u)) << 4)
#define WHERE_DOWN(c, step, u) (step(c) | ((c) & ENTRY_TAKEN ? \
					   USEFUL_DOWN(u) : USEFUL_UP(u)) << 4)

#define USEFULS(eight, row, step, base_step) \
	eight(row, step, 0), eight(BASE, base_step, 0), \
	eight(row, step, 1), eight(BASE, base_step, 1), \
	eight(row, step, 2), eight(BASE, base_step, 2), \
	eight(row, step, 3), eight(BASE, base_step, 3)

const uint8_t predictor_trained[256] = {
	USEFULS(EIGHT, TAGGED, DOWN, BASE_DOWN),
	USEFULS(EIGHT_UP, TAGGED, UP, BASE_UP),
	USEFULS(EIGHT, WHERE_DOWN, DOWN, BASE_DOWN),
	USEFULS(EIGHT_UP, WHERE_UP, UP, BASE_UP),
};

static bool allocate(const struct predictor *p, uint32_t from,
		     const uint32_t *at, const uint16_t *tag, bool taken)
{
	for (uint32_t t = from; t <= PREDICT_TABLES; t++)
		if (!(p->entry[at[t]] & ENTRY_USEFUL)) {
			p->tag[at[t]] = tag[t];
			p->entry[at[t]] = taken ? 4 : 3;
			return true;
		}
	for (uint32_t t = from; t <= PREDICT_TABLES; t++)
		p->entry[at[t]] -= ENTRY_USE;
	return from <= PREDICT_TABLES;
}

bool predictor_allocate(const struct predictor *p, const uint64_t *history,
			uint64_t pc, bool taken, uint32_t from)
{
	uint32_t at[1 + PREDICT_TABLES];
	uint16_t tag[1 + PREDICT_TABLES];

	if (!p->words)
		return false;
	if (p->words == 1)
		predictor_find(p, history, 1, pc, at, tag);
	else if (p->words == 2)
		predictor_find(p, history, 2, pc, at, tag);
	else
		predictor_find(p, history, PREDICT_WORDS, pc, at, tag);
	return allocate(p, from, at, tag, taken);
}
