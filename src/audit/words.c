/* SPDX-License-Identifier: MIT */
/* Words of event names: can two names mean the same? */
#include <stdio.h>
#include <string.h>

#include "audit/items.h"
#include "base/text.h"

enum { WORDS = 24, WORD = 32 };

struct words {
	char word[WORDS][WORD];
	unsigned words;
};

/* One spelling for words that tables use for the same thing. */
static const char *const synonyms[][2] = {
	{ "LD", "READ" }, { "RD", "READ" }, { "READS", "READ" },
	{ "LOADS", "READ" }, { "LOAD", "READ" },
	{ "ST", "WRITE" }, { "WR", "WRITE" }, { "WRITES", "WRITE" },
	{ "STORE", "WRITE" }, { "STORES", "WRITE" }, { "LLC", "L3" },
	{ "MISPREDICTED", "MISP" }, { "GROUP", "GRP" }, { "INST", "INSTR" },
	{ "INSTRUCTION", "INSTR" }, { "INSTRUCTIONS", "INSTR" },
	{ "CODE", "INSTR" }, { "FILL", "REFILL" }, { "PREFETCH", "PF" },
	{ "PREF", "PF" }, { "HWPF", "PF" }, { "CONDITIONAL", "COND" },
	{ "REQUEST", "RQSTS" }, { "REQUESTS", "RQSTS" }, { "REQ", "RQSTS" },
	{ "MISSES", "MISS" }, { "HITS", "HIT" }, { "CYCLE", "CYCLES" },
	{ "CYC", "CYCLES" }, { "BRANCH", "BR" }, { "BRANCHES", "BR" },
	{ "RSP", "RESPONSE" }, { "SINGLE", "SP" }, { "DOUBLE", "DP" },
	{ "HALF", "HP" },
	{ "STALLS", "STALL" }, { "UOP", "UOPS" }, { "EVICT", "EVICTION" },
};

/* Words that cannot both be true of one count. */
static const char *const opposites[][2] = {
	{ "READ", "WRITE" }, { "HIT", "MISS" }, { "INSERTS", "OCCUPANCY" },
	{ "LOCAL", "REMOTE" }, { "TAKEN", "NOT" }, { "USER", "KERNEL" },
	{ "STARTED", "COMPLETED" }, { "FULL", "PARTIAL" },
	{ "DSB", "MITE" }, { "DSB", "MS" }, { "MITE", "MS" },
	{ "ITLB", "DTLB" }, { "DCU", "ICU" }, { "L1D", "L1I" },
	{ "REFILL", "WRITE" }, { "LDQ", "STQ" }, { "SP", "DP" },
	{ "HP", "SP" }, { "HP", "DP" },
};

static const char *canonical(const char *word)
{
	for (size_t i = 0; i < sizeof(synonyms) / sizeof(synonyms[0]); i++)
		if (!strcmp(word, synonyms[i][0]))
			return synonyms[i][1];
	return word;
}

static void split(struct words *out, const char *name)
{
	char word[WORD];

	out->words = 0;
	while (*name && out->words < WORDS) {
		const size_t n = strcspn(name, "_");

		snprintf(word, sizeof(word), "%.*s",
			 (int)(n < WORD ? n : WORD - 1), name);
		if (n)
			text_copy(out->word[out->words++], WORD,
				  canonical(word));
		name += n + (name[n] == '_');
	}
}

static bool has(const struct words *w, const char *word)
{
	for (unsigned i = 0; i < w->words; i++)
		if (!strcmp(w->word[i], word))
			return true;
	return false;
}

/* Words of a that b lacks. */
static unsigned lacks(const struct words *a, const struct words *b)
{
	unsigned n = 0;

	for (unsigned i = 0; i < a->words; i++)
		n += !has(b, a->word[i]);
	return n;
}

static bool opposite(const struct words *a, const struct words *b)
{
	for (size_t i = 0; i < sizeof(opposites) / sizeof(opposites[0]); i++) {
		const char *x = opposites[i][0], *y = opposites[i][1];

		if ((has(a, x) && !has(a, y) && has(b, y) && !has(b, x)) ||
		    (has(b, x) && !has(b, y) && has(a, y) && !has(a, x)))
			return true;
	}
	return false;
}

enum audit_words audit_words(const char *x, const char *y)
{
	struct words a, b;

	split(&a, x);
	split(&b, y);
	if (!lacks(&a, &b) || !lacks(&b, &a))
		return WORDS_ALIAS;
	return opposite(&a, &b) ? WORDS_OPPOSITE : WORDS_APART;
}

bool audit_words_equal(const char *x, const char *y)
{
	struct words a, b;

	split(&a, x);
	split(&b, y);
	return !lacks(&a, &b) && !lacks(&b, &a);
}
