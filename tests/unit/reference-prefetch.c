/* SPDX-License-Identifier: MIT */
/* See reference-prefetch.h. */
#include "reference-prefetch.h"

#include <stdlib.h>

#define MOST_WANTED 100000
#define NONE UINT64_MAX

/* What an instruction has done. */
struct instruction {
	uint64_t pc, line, step;
	unsigned times;
};

struct trained {
	const struct prefetch_geometry *g;
	uint64_t *line;		/* the last g->window, newest first */
	struct instruction *place;	/* g->window */
};

struct prefetching {
	unsigned line_bytes, count, first, end;
	struct trained one[GEOMETRY_PREFETCHERS];
	struct wanted wanted[MOST_WANTED];	/* from first to end */
};

struct prefetching *prefetching_new(const struct geometry *g)
{
	struct prefetching *p = calloc(1, sizeof(*p));

	p->line_bytes = g->l1d.line_bytes;
	p->count = g->prefetchers;
	for (unsigned i = 0; i < p->count; i++) {
		const struct prefetch_geometry *one = &g->prefetcher[i];
		struct trained *t = &p->one[i];

		t->g = one;
		t->line = calloc(one->window + 1, sizeof(*t->line));
		t->place = calloc(one->window + 1, sizeof(*t->place));
		for (unsigned k = 0; k < one->window; k++)
			t->line[k] = t->place[k].pc = NONE;
	}
	return p;
}

void prefetching_free(struct prefetching *p)
{
	for (unsigned i = 0; i < p->count; i++) {
		free(p->one[i].line);
		free(p->one[i].place);
	}
	free(p);
}

static void want(struct prefetching *p, const struct prefetch_geometry *g,
		 uint64_t from, uint64_t line)
{
	const uint64_t page = 4096 / p->line_bytes;

	if (g->page_bounded && from / page != line / page)
		return;
	if (p->end < MOST_WANTED)
		p->wanted[p->end++] = (struct wanted){ line, from, g };
}

static void want_steps(struct prefetching *p, const struct prefetch_geometry *g,
		       uint64_t line, uint64_t step)
{
	const uint64_t ahead = g->distance ? g->distance : 1;

	for (unsigned i = 0; step && i < (g->degree ? g->degree : 1); i++)
		want(p, g, line, line + step * (ahead + i));
}

/* Which way the line's stream goes; 0: it is in none. */
static uint64_t stream(struct trained *t, uint64_t line)
{
	bool up = false, down = false;

	for (unsigned i = 0; i < t->g->window; i++) {
		if (t->line[i] == NONE)
			continue;
		up |= t->line[i] + 1 == line;
		down |= t->line[i] == line + 1;
	}
	for (unsigned i = t->g->window - 1; i; i--)
		t->line[i] = t->line[i - 1];
	t->line[0] = line;
	return up ? 1 : down ? UINT64_MAX : 0;
}

static uint64_t stride(const struct prefetching *p, struct trained *t,
		       uint64_t line, uint32_t pc)
{
	struct instruction *i = &t->place[pc / 4 % t->g->window];
	const uint64_t step = line - i->line;
	const uint64_t far = step >> 63 ? -step : step;

	if (i->pc != pc) {
		*i = (struct instruction){ pc, line, 0, 0 };
		return 0;
	}
	if (!step)
		return 0;
	i->times = step == i->step ? i->times + 1 : 1;
	i->step = step;
	i->line = line;
	return i->times >= 3 &&
	       (!t->g->longest_stride ||
		far * p->line_bytes <= t->g->longest_stride) ? step : 0;
}

void prefetching_train(struct prefetching *p, unsigned level, uint64_t line,
		       uint32_t pc)
{
	for (unsigned i = 0; i < p->count; i++) {
		struct trained *t = &p->one[i];

		if (!t->g->on || t->g->trains_on != level)
			continue;
		if (t->g->kind == PREFETCH_NEXT_LINE)
			want_steps(p, t->g, line, 1);
		else if (t->g->kind == PREFETCH_STREAM)
			want_steps(p, t->g, line, stream(t, line));
		else if (t->g->kind == PREFETCH_IP_STRIDE)
			want_steps(p, t->g, line, stride(p, t, line, pc));
		else if (!t->g->upward_only || line % 2 == 0)
			want(p, t->g, line, line ^ 1);
	}
}

bool prefetching_next(struct prefetching *p, struct wanted *w)
{
	if (p->first == p->end) {
		p->first = p->end = 0;
		return false;
	}
	*w = p->wanted[p->first++];
	return true;
}
