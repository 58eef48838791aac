/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "plugin/why/footprint.h"

/* 256 MiB at most. */
enum { FEWEST = 1 << 12, MOST = 1 << 24 };

bool footprint_build(struct footprint *f)
{
	*f = (struct footprint){ .room = FEWEST };
	f->entry = calloc(f->room, sizeof(*f->entry));
	return f->entry;
}

void footprint_reset(struct footprint *f)
{
	memset(f->entry, 0, f->room * sizeof(*f->entry));
	f->used = 0;
}

static struct footprint_entry *find(const struct footprint *f, uint64_t key)
{
	uint32_t at = (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32) &
		      (f->room - 1);

	while (f->entry[at].key && f->entry[at].key != key)
		at = (at + 1) & (f->room - 1);
	return &f->entry[at];
}

/* Twice the room; false: there is none, and the set stays as it is. */
static bool widen(struct footprint *f)
{
	struct footprint wider = { NULL, 2 * f->room, f->used };

	if (wider.room <= MOST)
		wider.entry = calloc(wider.room, sizeof(*wider.entry));
	if (!wider.entry)
		return false;
	for (uint32_t i = 0; i < f->room; i++)
		if (f->entry[i].key)
			*find(&wider, f->entry[i].key) = f->entry[i];
	free(f->entry);
	*f = wider;
	return true;
}

enum footprint_answer footprint_add(struct footprint *f, uint32_t owner,
				    uint32_t number)
{
	const uint64_t key = (uint64_t)owner << 32 | number / 64;
	const uint64_t bit = UINT64_C(1) << number % 64;
	struct footprint_entry *e = find(f, key);
	bool old;

	if (!e->key) {
		if (f->used >= f->room / 2 && !widen(f))
			return FOOTPRINT_FULL;
		e = find(f, key);
		e->key = key;
		f->used++;
	}
	old = e->lines & bit;
	e->lines |= bit;
	return old ? FOOTPRINT_OLD : FOOTPRINT_NEW;
}
