/* SPDX-License-Identifier: MIT */
/* Lists compared, searched and counted: a part of lean-loops.h. */
#ifndef SIM_LEAN_WORDS_H
#define SIM_LEAN_WORDS_H

/* The compiler makes of it what the target has. */
typedef uint32_t words __attribute__((vector_size(32)));
typedef uint32_t words_anywhere
	__attribute__((vector_size(32), aligned(4), may_alias));
#define WORDS_WIDE 8
#define WORDS_AT_ONCE 32
#define WORDS_AT(word) (*(const words_anywhere *)(word))

LEAN_INLINE bool any_bit(const words *w)
{
	typedef uint64_t pairs __attribute__((vector_size(32)));
	const pairs p = (pairs)*w;

	return p[0] | p[1] | p[2] | p[3];
}

LEAN_TARGET static uint32_t same_words(const uint32_t *a, const uint32_t *b,
				       uint32_t n)
{
	uint32_t i = 0;

	for (; i + WORDS_AT_ONCE <= n; i += WORDS_AT_ONCE) {
		words bits = WORDS_AT(a + i) ^ WORDS_AT(b + i);

#pragma GCC unroll 4
		for (uint32_t k = WORDS_WIDE; k < WORDS_AT_ONCE; k += WORDS_WIDE)
			bits |= WORDS_AT(a + i + k) ^ WORDS_AT(b + i + k);
		if (any_bit(&bits))
			break;
	}
	while (i < n && a[i] == b[i])
		i++;
	return i;
}

LEAN_TARGET static uint32_t find_word(const uint32_t *word, uint32_t n,
				      uint32_t like)
{
	uint32_t i = 0;

	for (; i + WORDS_AT_ONCE <= n; i += WORDS_AT_ONCE) {
		words found = WORDS_AT(word + i) == like;

#pragma GCC unroll 4
		for (uint32_t k = WORDS_WIDE; k < WORDS_AT_ONCE; k += WORDS_WIDE)
			found |= WORDS_AT(word + i + k) == like;
		if (any_bit(&found))
			break;
	}
	while (i < n && word[i] != like)
		i++;
	return i;
}

/* The list is padded. */
LEAN_TARGET static uint32_t count_prefetches(const uint32_t *entry, uint32_t n)
{
	words sum = { 0 };
	uint32_t all = 0;

	for (uint32_t i = 0; i < n; i += WORDS_WIDE)
		sum += WORDS_AT(entry + i) / LEAN_PREFETCH & 1;
	for (int i = 0; i < WORDS_WIDE; i++)
		all += sum[i];
	return all;
}

LEAN_TARGET static void count_kinds(const uint32_t *key, uint32_t n,
				    uint32_t *of)
{
	uint32_t low, high, both;

	codes(key, n & ~7u, &low, &high, &both);
	for (uint32_t i = n & ~7u; i < n; i++) {
		low += key[i] & 1;
		high += key[i] >> 1 & 1;
	}
	of[STEP_STORE] = low;
	of[STEP_WALK] = high;
	of[STEP_LOAD] = n - low - high;
}

#endif
