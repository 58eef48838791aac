/* SPDX-License-Identifier: MIT */
/* Parses the numbers and interns the texts of cells. */
#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tables/source.h"

/* ---- numbers ------------------------------------------------------------- */

struct digits { uint64_t value; int count, decimals; };

static const char *take_digits(struct digits *d, const char *p, bool behind)
{
	for (; isdigit((unsigned char)*p); p++) {
		if (d->value <= (UINT64_MAX - 9) / 10) {
			d->value = d->value * 10 + (uint64_t)(*p - '0');
			d->decimals += behind;
		} else {
			d->decimals -= !behind;	/* digit beyond 64 bits */
		}
		d->count++;
	}
	return p;
}

/* "e-5" */
static const char *take_exponent(int *exponent, const char *p)
{
	const bool negative = p[1] == '-';
	int value = 0;

	p += p[1] == '-' || p[1] == '+' ? 2 : 1;
	if (!isdigit((unsigned char)*p))
		return NULL;
	for (; isdigit((unsigned char)*p); p++)
		value = value < 1000 ? value * 10 + (*p - '0') : value;
	*exponent = negative ? -value : value;
	return p;
}

bool number_parse(double *out, int *decimals, const char *text)
{
	const bool negative = *text == '-';
	struct digits d = { 0, 0, 0 };
	int exponent = 0;
	const char *p = take_digits(&d, text + (negative || *text == '+'),
				    false);
	long double value;

	if (*p == '.')
		p = take_digits(&d, p + 1, true);
	if (d.count && (*p == 'e' || *p == 'E'))
		p = take_exponent(&exponent, p);
	if (!p || *p || !d.count)
		return false;
	exponent -= d.decimals;
	value = d.value;
	if (exponent)
		value = exponent < 0 ? value / powl(10, -exponent) :
				       value * powl(10, exponent);
	*out = (double)(negative ? -value : value);
	*decimals = -exponent;
	return isfinite(*out);
}

/* ---- texts --------------------------------------------------------------- */

#define BLOCK 65536

struct texts_block {
	struct texts_block *next;
	size_t used;
	char text[BLOCK];
};

static uint64_t hash_of(const char *text)
{
	uint64_t h = UINT64_C(14695981039346656037);

	for (; *text; text++)
		h = (h ^ (unsigned char)*text) * UINT64_C(1099511628211);
	return h ^ h >> 29;
}

static bool widen(struct texts *pool)
{
	const size_t slots = pool->slots ? 2 * pool->slots : 1024;
	char **slot = calloc(slots, sizeof(*slot));

	if (!slot)
		return false;
	for (size_t i = 0; i < pool->slots; i++) {
		size_t at;

		if (!pool->slot[i])
			continue;
		at = hash_of(pool->slot[i]) & (slots - 1);
		while (slot[at])
			at = (at + 1) & (slots - 1);
		slot[at] = pool->slot[i];
	}
	free(pool->slot);
	pool->slot = slot;
	pool->slots = slots;
	return true;
}

static char *store(struct texts *pool, const char *text)
{
	const size_t n = strlen(text) + 1;
	struct texts_block *block = pool->block;

	if (n > BLOCK)
		return NULL;
	if (!block || block->used + n > BLOCK) {
		block = malloc(sizeof(*block));
		if (!block)
			return NULL;
		block->next = pool->block;
		block->used = 0;
		pool->block = block;
	}
	block->used += n;
	return memcpy(block->text + block->used - n, text, n);
}

const char *texts_keep(struct texts *pool, const char *text)
{
	size_t at;

	if (2 * pool->used >= pool->slots && !widen(pool))
		return NULL;
	at = hash_of(text) & (pool->slots - 1);
	while (pool->slot[at] && strcmp(pool->slot[at], text))
		at = (at + 1) & (pool->slots - 1);
	if (!pool->slot[at]) {
		pool->slot[at] = store(pool, text);
		pool->used += pool->slot[at] != NULL;
	}
	return pool->slot[at];
}

void texts_close(struct texts *pool)
{
	free(pool->slot);
	pool->slot = NULL;
	pool->slots = pool->used = 0;
}

void texts_free(struct texts *pool)
{
	while (pool->block) {
		struct texts_block *next = pool->block->next;

		free(pool->block);
		pool->block = next;
	}
	texts_close(pool);
}
