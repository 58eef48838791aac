/* SPDX-License-Identifier: MIT */
/*
 * Branch prediction: bimodal, and a TAGE-like one (four tagged tables of
 * geometric history lengths over a bimodal base); a return stack; the last
 * target of each indirect jump. No clock and no random choice, so that equal
 * states have equal futures. docs/cpu-file.md defines what it says of a
 * conditional branch; here it is done with no branch on what was found, as
 * that is what a processor cannot foresee.
 *
 * A run of equal outcomes ends early once nothing changes any more: from then
 * on every prediction is the same, and right.
 */
#ifndef SIM_PREDICT_H
#define SIM_PREDICT_H

#include <stdbool.h>

#include "base/access.h"
#include "base/geometry.h"
#include "sim/words.h"

#define PREDICT_TABLES 4
#define PREDICT_WORDS 4		/* of history */
#define PREDICT_TARGETS 512

/*
 * What an entry says: bits 0..2 a counter, of which bit 2 is "taken"; bits 4
 * and 5 how useful a tagged one was. Counters of the base have bit 3 and the
 * values 0, 3, 4 and 7.
 */
#define ENTRY_TAKEN 4
#define ENTRY_BASE 8
#define ENTRY_USEFUL 0x30
#define ENTRY_USE 0x10

/* Of 16 bits each in a word, whatever the order of its bytes. */
#define SLOT(s) ((s) ^ (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 3u : 0))

struct predictor {
	enum predictor_kind kind;
	uint32_t base_mask;
	uint32_t words;		/* of history: 0 (bimodal), 1, 2 or 4 */
	uint32_t shift;		/* leaves index and tag of a hash */
	uint32_t first[1 + PREDICT_TABLES];	/* entries of the base, ... */
	uint64_t mask[PREDICT_WORDS];	/* of history[] */
	/* Of the newest 64 outcomes for each table, and the next for table 2. */
	uint64_t length[PREDICT_TABLES], beyond;
	uint64_t history[PREDICT_WORDS];	/* newest: bit 0 of the first */
	uint32_t entries;	/* of all tables and the base */
	uint32_t stack_entries;
	uint32_t top;		/* calls on the stack are top - 1 downwards */
	uint16_t *tag;		/* as entry; unused of the base */
	uint8_t *entry;
	uint64_t *stack, *target;
};

/* predict.c */
struct predictor *predictor_build(const struct predictor_geometry *g,
				  struct carve *c);
/* Of one that was just built: what it points to. */
void predictor_reset(struct predictor *p);
const char *predictor_refusal(const struct predictor_geometry *g);
uint64_t predictor_hash(const struct predictor *p);
/* After a mistake at pc, before the history is shifted: a history longer than
 * those of the tables before `from` gets it, if one has room. Is anything else
 * now? */
bool predictor_allocate(const struct predictor *p, const uint64_t *history,
			uint64_t pc, bool taken, uint32_t from);

/* What an entry becomes: by what it was, ^ TRAIN_TAKEN, which makes one bit say
 * that it was wrong, | TRAIN_DECIDED. */
#define TRAIN_TAKEN 0x44
#define TRAIN_WRONG ENTRY_TAKEN
#define TRAIN_DECIDED 0x80	/* the next shorter one said otherwise */
extern const uint8_t predictor_trained[256];

/* The outcomes that table t looks at, but for the newest word, as one word;
 * `words` is a constant. */
static inline uint64_t predictor_older(const struct predictor *p,
				       const uint64_t *history,
				       const uint32_t words, unsigned t)
{
	uint64_t older = 0;

	if (t == 2 && words > 2)
		older = words_hash(older, history[1] & p->beyond);
	for (uint32_t word = words; t == 3 && word-- > 1;)
		older = words_hash(older, history[word]);
	return older;
}

/* What a PC, and then that with the outcomes, are multiplied by. */
#define PREDICT_PLACE UINT64_C(0x9e3779b97f4a7c15)
#define PREDICT_MIX UINT64_C(0xd6e8feb86659fd93)

static inline void predictor_shift(const struct predictor *p,
				   uint64_t *history, const uint32_t words,
				   bool taken)
{
	uint64_t in = taken;

	for (uint32_t word = 0; word < words; word++) {
		const uint64_t out = history[word] >> 63;

		history[word] = (history[word] << 1 | in) & p->mask[word];
		in = out;
	}
}

/* The place of an entry for pc in each table, behind the base's; bit t + 1 of
 * the answer: it is there. Bit 0 is the base. */
static inline uint32_t predictor_find(const struct predictor *p,
				      const uint64_t *history,
				      const uint32_t words, uint64_t pc,
				      uint32_t *at, uint16_t *tag)
{
	const uint64_t place = pc * PREDICT_PLACE;
	uint32_t found = 1;

	at[0] = (uint32_t)(pc >> 2) & p->base_mask;
	for (unsigned t = 0; words && t < PREDICT_TABLES; t++) {
		const uint64_t fold = predictor_older(p, history, words, t) ^
				      (history[0] & p->length[t]);
		const uint64_t hash = (fold ^ place) * PREDICT_MIX >>
				      p->shift;

		at[1 + t] = p->first[1 + t] + (uint32_t)(hash >> 16);
		tag[1 + t] = (uint16_t)hash;
		found |= (uint32_t)(p->tag[at[1 + t]] == tag[1 + t]) << (1 + t);
	}
	return found;
}

static inline uint32_t predictor_longest(uint32_t found)
{
	return 31 ^ (uint32_t)__builtin_clz(found);
}

/*
 * Trains with one conditional branch. Returns 0 if it was predicted, else 1 +
 * the table that was wrong, the base being 0: predictor_allocate is to follow.
 * *changed, if not NULL: does the next one see another entry? The caller
 * shifts the history.
 */
static inline uint32_t predictor_outcome(const struct predictor *p,
					 const uint64_t *history,
					 const uint32_t words, uint64_t pc,
					 bool taken, bool *changed)
{
	uint32_t at[1 + PREDICT_TABLES];
	uint16_t tag[1 + PREDICT_TABLES];
	const uint32_t found = predictor_find(p, history, words, pc, at, tag);
	const uint32_t from = predictor_longest(found);
	const uint32_t next = predictor_longest((found ^ 1u << from) | 1);
	const uint32_t old = p->entry[at[from]];
	const uint32_t decided = (old ^ p->entry[at[next]]) & ENTRY_TAKEN;
	const uint32_t what = old ^ taken * TRAIN_TAKEN;
	const uint8_t new = predictor_trained[what | decided *
					      (TRAIN_DECIDED / ENTRY_TAKEN)];

	p->entry[at[from]] = new;
	if (changed)
		*changed = new != old;
	return what & TRAIN_WRONG ? 1 + from : 0;
}

/* So many equal outcomes; how many of them are mispredicted? *first: is the
 * first one? */
static inline uint64_t predictor_run(const struct predictor *p,
				     uint64_t *history, const uint32_t words,
				     uint64_t pc, bool taken, uint64_t run,
				     bool *first)
{
	uint64_t wrong = 0;
	bool changed = true;

	*first = false;
	for (uint64_t i = 0; i < run && changed; i++) {
		uint64_t moved = 0, before[PREDICT_WORDS];
		const uint32_t from = predictor_outcome(p, history, words, pc,
							taken, &changed);

		wrong += from != 0;
		*first |= from && !i;
		if (from)
			changed |= predictor_allocate(p, history, pc, taken,
						      from);
		for (uint32_t word = 0; word < words; word++)
			before[word] = history[word];
		predictor_shift(p, history, words, taken);
		for (uint32_t word = 0; word < words; word++)
			moved |= before[word] ^ history[word];
		changed |= moved != 0;
	}
	return wrong;
}

/* Calls, whose returns are to go there, and returns that went there; how many
 * were wrong? With no branch on which of them it is. */
static inline uint64_t predictor_stack(struct predictor *p,
				       const uint64_t *record, size_t n)
{
	const uint32_t entries = p->stack_entries;
	uint64_t *const stack = p->stack;
	uint64_t wrong = 0;
	uint32_t top = p->top;

	for (size_t i = 0; i < n; i++) {
		const uint64_t to = access_operand(record[i]);
		const uint32_t returns = access_kind(record[i]) ==
					 ACCESS_RETURN;
		const uint32_t beside = top + 1 - 2 * returns;
		const uint32_t up = beside == entries ? 0 : beside;
		const uint32_t next = up > entries ? entries - 1 : up;
		const uint32_t at = top ^ ((top ^ next) & (0 - returns));
		const uint64_t said = stack[at];

		stack[at] = to & ((uint64_t)returns - 1);
		wrong += returns & (said != to);
		top = next;
	}
	p->top = top;
	return wrong;
}

static inline bool predictor_jump(struct predictor *p, uint64_t pc,
				  uint64_t to)
{
	uint64_t *slot = &p->target[words_mix(pc) % PREDICT_TARGETS];
	const bool wrong = *slot != to;

	if (p->kind == PREDICT_NONE)
		return false;
	*slot = to;
	return wrong;
}

#endif
