/* SPDX-License-Identifier: MIT */
#include "tables/seen.h"

#include <math.h>
#include <stdlib.h>

/* Texts are interned: equal texts have one address, which is hashed. */
static uint64_t mix(uint64_t hash, const void *place)
{
	hash = (hash ^ (uintptr_t)place) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 29;
}

static uint64_t hash_row(const struct judge_row *r)
{
	uint64_t h = r->run;

	h = mix(h, r->machine);
	h = mix(h, r->microcode);
	h = mix(h, r->program);
	h = mix(h, r->shape);
	return mix(h, r->event);
}

static bool same(const struct judge_row *a, const struct judge_row *b)
{
	return a->machine == b->machine && a->microcode == b->microcode &&
	       a->program == b->program && a->shape == b->shape &&
	       a->event == b->event && a->run == b->run;
}

static size_t find(const struct seen *seen, const struct judge_row *row,
		   const struct judge_row *r)
{
	size_t at = hash_row(r) & (seen->slots - 1);

	while (seen->slot[at] && !same(&row[seen->slot[at] - 1], r))
		at = (at + 1) & (seen->slots - 1);
	return at;
}

static int widen(struct seen *seen, const struct judge_row *row)
{
	const struct seen old = *seen;

	seen->slots = old.slots ? 2 * old.slots : 4096;
	seen->slot = calloc(seen->slots, sizeof(*seen->slot));
	if (!seen->slot) {
		*seen = old;
		return -1;
	}
	for (size_t i = 0; i < old.slots; i++)
		if (old.slot[i])
			seen->slot[find(seen, row, &row[old.slot[i] - 1])] =
				old.slot[i];
	free(old.slot);
	return 0;
}

int seen_add(struct seen *seen, const struct judge_row *row, uint32_t at)
{
	size_t slot;

	if (row[at].run == UINT32_MAX)
		return 0;
	if (2 * seen->used >= seen->slots && widen(seen, row))
		return -1;
	slot = find(seen, row, &row[at]);
	if (seen->slot[slot])
		return 1;
	seen->slot[slot] = at + 1;
	seen->used++;
	return 0;
}

/* ---- rounding ------------------------------------------------------------ */

static struct finest *finest_of(const struct seen *seen, const char *event)
{
	size_t at = mix(0, event) & (seen->room - 1);

	while (seen->finest[at].event && seen->finest[at].event != event)
		at = (at + 1) & (seen->room - 1);
	return &seen->finest[at];
}

static int widen_finest(struct seen *seen)
{
	const struct seen old = *seen;

	seen->room = old.room ? 2 * old.room : 256;
	seen->finest = calloc(seen->room, sizeof(*seen->finest));
	if (!seen->finest) {
		*seen = old;
		return -1;
	}
	for (size_t i = 0; i < old.room; i++)
		if (old.finest[i].event)
			*finest_of(seen, old.finest[i].event) = old.finest[i];
	free(old.finest);
	return 0;
}

int seen_finest(struct seen *seen, const char *event, double resolution)
{
	struct finest *f;

	if (2 * seen->events >= seen->room && widen_finest(seen))
		return -1;
	f = finest_of(seen, event);
	if (!f->event) {
		*f = (struct finest){ event, resolution };
		seen->events++;
	}
	f->resolution = fmin(f->resolution, resolution);
	return 0;
}

double seen_resolution(const struct seen *seen, const char *event)
{
	return finest_of(seen, event)->resolution;
}

void seen_close(struct seen *seen)
{
	free(seen->slot);
	free(seen->finest);
}
