/* SPDX-License-Identifier: MIT */
/* A hash table with open addressing, at most half full. */
#include "fleet/names.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "assay/error.h"
#include "base/array.h"

#define MOST (UINT32_C(1) << 30)

/* FNV-1a */
static size_t hash(const char *text)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (; *text; text++)
		h = (h ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
	return (size_t)(h ^ h >> 32);
}

/* The text's slot, or the empty slot where the text belongs. */
static uint32_t *find(const struct names *n, const char *text)
{
	size_t at = hash(text);

	for (;; at++) {
		uint32_t *slot = &n->slot[at & (n->slots - 1)];

		if (!*slot || !strcmp(n->name[*slot - 1], text))
			return slot;
	}
}

static bool grow(struct names *n)
{
	const size_t slots = n->slots ? 2 * n->slots : 64;
	uint32_t *old = n->slot, *slot = calloc(slots, sizeof(*slot));

	if (!slot || n->names >= MOST ||
	    !array_resize(&n->name, slots / 2, sizeof(*n->name))) {
		free(slot);
		return false;
	}
	free(old);
	n->slot = slot;
	n->slots = slots;
	for (uint32_t i = 0; i < n->names; i++)
		*find(n, n->name[i]) = i + 1;
	return true;
}

int names_add(struct names *n, const char *text)
{
	uint32_t *slot = n->slots ? find(n, text) : NULL;

	if (slot && *slot)
		return (int)(*slot - 1);
	if (n->names >= n->slots / 2 && !grow(n))
		return -ASSAY_ENOMEM;
	n->name[n->names] = strdup(text);
	if (!n->name[n->names])
		return -ASSAY_ENOMEM;
	*find(n, text) = ++n->names;
	return (int)n->names - 1;
}

void names_fini(struct names *n)
{
	for (uint32_t i = 0; i < n->names; i++)
		free(n->name[i]);
	free(n->name);
	free(n->slot);
	*n = (struct names){ 0 };
}
