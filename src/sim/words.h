/* SPDX-License-Identifier: MIT */
/* Memory, hashes and divisors without a C library. */
#ifndef SIM_WORDS_H
#define SIM_WORDS_H

#include <stddef.h>
#include <stdint.h>

/* Keeps the compiler from making a call of memset or memcpy out of a loop. */
#define WORDS_OWN_LOOP() __asm__ volatile("" ::: "memory")

static inline void words_fill(uint32_t *to, uint32_t value, size_t words)
{
	for (size_t i = 0; i < words; i++) {
		to[i] = value;
		WORDS_OWN_LOOP();
	}
}

#define WORDS_BLOCK 64	/* bytes at once */

static inline void words_clear(void *to, size_t bytes)
{
	unsigned char *byte = to;
	size_t i = 0;

	for (; i + WORDS_BLOCK <= bytes; i += WORDS_BLOCK) {
		__builtin_memset(byte + i, 0, WORDS_BLOCK);
		WORDS_OWN_LOOP();
	}
	for (; i < bytes; i++) {
		byte[i] = 0;
		WORDS_OWN_LOOP();
	}
}

static inline void words_copy(void *to, const void *from, size_t bytes)
{
	unsigned char *t = to;
	const unsigned char *f = from;
	size_t i = 0;

	for (; i + WORDS_BLOCK <= bytes; i += WORDS_BLOCK) {
		__builtin_memcpy(t + i, f + i, WORDS_BLOCK);
		WORDS_OWN_LOOP();
	}
	for (; i < bytes; i++) {
		t[i] = f[i];
		WORDS_OWN_LOOP();
	}
}

/* Every bit of the result depends on every bit of x. */
static inline uint64_t words_mix(uint64_t x)
{
	x = (x ^ x >> 32) * UINT64_C(0xd6e8feb86659fd93);
	x = (x ^ x >> 32) * UINT64_C(0xd6e8feb86659fd93);
	return x ^ x >> 32;
}

/* One more word into a running hash, in order. */
static inline uint64_t words_hash(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 29;
}

static inline uint32_t words_gcd(uint32_t a, uint32_t b)
{
	while (b) {
		const uint32_t r = a % b;

		a = b;
		b = r;
	}
	return a;
}

/* Gives out parts of one block of memory; with no block it only adds up. */
struct carve {
	unsigned char *base;	/* NULL: only adding up */
	size_t used;
};

static inline void *carve_take(struct carve *c, size_t bytes)
{
	void *part = c->base ? c->base + c->used : NULL;

	c->used += (bytes + 63) & ~(size_t)63;
	return part;
}

#endif
