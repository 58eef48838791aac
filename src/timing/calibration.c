/* SPDX-License-Identifier: MIT */
/* Lays out calibration lines, loads them into their levels, and times
 * blocks. */
#include "timing/calibration.h"

#include <stdlib.h>

#include "assay/error.h"
#include "kernels/draw.h"
#include "measure/chain.h"

#define LINE 64
#define PAGE 4096
#define NEAR_LINES 16	/* of L1 */
#define HOT_LINES 4	/* L1 lines that blocks load: a sibling on the L1 evicts
			 * lines that are not used often */
#define MOST_SPAN (UINT64_C(32) << 20)
#define DRAM_LINES 4096
#define L3_LINES 1024
#define L3_BLOCKS 4	/* blocks between two sweeps: other tenants empty an L3
			 * within milliseconds */

/* ---- the levels' chains ------------------------------------------------- */

static uint64_t l2_lines(const struct geometry *g)
{
	uint64_t bytes = 4 * cache_bytes(&g->l1d);

	if (bytes > cache_bytes(&g->l2) / 4)
		bytes = cache_bytes(&g->l2) / 4;
	return bytes > 2 * cache_bytes(&g->l1d) ? bytes / LINE : 0;
}

/* Twice the L2 (no L2: the L1) replaces its lines; the L3 must hold all. */
static uint64_t sweep_lines(const struct geometry *g)
{
	const uint64_t near = cache_bytes(g->l2.present ? &g->l2 : &g->l1d);

	return 3 * near <= cache_bytes(&g->l3) ? 2 * near / LINE : 0;
}

/*
 * Bytes of a chain spread over `span`, in full pages: no two chains share a
 * page, so that no prefetcher brings in a line of another chain.
 */
static uint64_t reach(uint64_t span, uint64_t lines)
{
	if (span > MOST_SPAN)
		span = MOST_SPAN;
	if (span < lines * LINE)
		span = lines * LINE;
	return (span + PAGE - 1) / PAGE * PAGE;
}

static uint64_t far_reach(uint64_t span)
{
	return reach(span, 8 * DRAM_LINES);
}

uint64_t calibration_bytes(uint64_t span, const struct geometry *g)
{
	return PAGE + reach(span, l2_lines(g)) + 2 * far_reach(span) +
	       sweep_lines(g) * LINE;
}

/* Lays one chain out in `bytes` bytes at base, and returns their end. */
static unsigned char *lay_level(struct calibration_lines *out, int level,
				uint64_t lines, unsigned char *base,
				uint64_t bytes)
{
	struct chain chain = { .base = base, .step = LINE };
	uint64_t seed = (uint64_t)level + 1;

	if (!lines)
		return base + bytes;
	chain.step = bytes / lines / LINE * LINE;
	chain.scatter = chain.step > LINE;
	chain_extend(&chain, 0, lines, &seed);
	out->head[level] = chain_at(&chain, 0);
	out->lines[level] = lines;
	return base + bytes;
}

static void lay_sweep(struct calibration_lines *out, unsigned char *base,
		      uint64_t lines)
{
	const struct chain chain = { .base = base, .step = LINE };

	if (!lines)
		return;
	chain_linear(&chain, lines);
	out->sweep = base;
	out->sweep_lines = lines;
}

void calibration_lay(struct calibration_lines *out, unsigned char *base,
		     uint64_t span, const struct geometry *g)
{
	const uint64_t l2 = l2_lines(g), sweep = sweep_lines(g);

	*out = (struct calibration_lines){ .head = { NULL } };
	lay_level(out, MIX_L1, NEAR_LINES, base, NEAR_LINES * LINE);
	base = lay_level(out, MIX_L2, l2, base + PAGE, reach(span, l2));
	base = lay_level(out, MIX_L3, sweep ? L3_LINES : 0, base,
			 far_reach(span));
	base = lay_level(out, MIX_DRAM, DRAM_LINES, base, far_reach(span));
	lay_sweep(out, base, sweep);
}

/* ---- lists ------------------------------------------------------------- */

static void *next_line(struct calibration_lines *l, int level)
{
	return l->line[level][l->next[level]++ % l->lines[level]];
}

int calibration_begin(struct calibration_lines *l)
{
	for (int k = 0; k < MIX_LEVELS; k++) {
		void *at = l->head[k];

		if (!at)
			continue;
		l->line[k] = malloc(l->lines[k] * sizeof(void *));
		if (!l->line[k])
			return -ASSAY_ENOMEM;
		for (uint64_t i = 0; i < l->lines[k]; i++) {
			l->line[k][i] = at;
			at = *(void **)at;
		}
	}
	for (unsigned i = 0; i < MIX_GATE; i++)
		l->gate[i] = next_line(l, MIX_L1);
	return 0;
}

void calibration_end(struct calibration_lines *l)
{
	for (int k = 0; k < MIX_LEVELS; k++) {
		free(l->line[k]);
		l->line[k] = NULL;
	}
}

/* ---- blocks ------------------------------------------------------------- */

/* The lines are loaded once untimed first: a gate must hit the L1. */
void calibration_gate(const struct time_clock *clock,
		      struct calibration_lines *l, uint32_t *ticks)
{
	clock->port->each(clock->ctx, l->gate, NULL, NEAR_LINES, ticks);
	clock->port->each(clock->ctx, l->gate, NULL, MIX_GATE, ticks);
}

void calibration_traverse(const struct time_clock *clock,
			  const struct calibration_lines *l, int level)
{
	void *head = l->line[level][l->next[level] % l->lines[level]];

	clock->port->chase(clock->ctx, &head, 1,
			   l->lines[level] / TIME_UNROLL * TIME_UNROLL);
}

/*
 * Puts the lines of a block in their levels; uses[]: how many of each level.
 * The next lines of a chain are those used longest ago, so those of the L2's
 * chain are not in the L1. After a sweep the L2's chain is chased twice,
 * because an L2 whose replacement is not LRU loses one line in ten after one
 * pass.
 */
static void place(const struct time_clock *clock, struct calibration_lines *l,
		  const unsigned *uses)
{
	if (uses[MIX_L3] &&
	    (l->placed < uses[MIX_L3] || ++l->age >= L3_BLOCKS)) {
		void *head = l->sweep;

		calibration_traverse(clock, l, MIX_L3);
		clock->port->chase(clock->ctx, &head, 1,
				   l->sweep_lines / TIME_UNROLL * TIME_UNROLL);
		l->placed = l->lines[MIX_L3];
		l->age = 0;
		if (uses[MIX_L2])
			calibration_traverse(clock, l, MIX_L2);
	}
	l->placed -= uses[MIX_L3];
	if (uses[MIX_L2])
		calibration_traverse(clock, l, MIX_L2);
}

static uint8_t draw_level(struct calibration_lines *l, const double *share)
{
	double x = (double)draw_below(&l->seed, 1 << 30) / (1 << 30);
	uint8_t last = MIX_L1;

	for (uint8_t k = 0; k < MIX_LEVELS; k++) {
		if (share[k] <= 0)
			continue;
		last = k;
		if (x < share[k])
			break;
		x -= share[k];
	}
	return last;
}

uint64_t calibration_block(const struct time_clock *clock,
			   struct calibration_lines *l, const double *share,
			   struct mix_block *b)
{
	unsigned uses[MIX_LEVELS] = { 0 };
	uint64_t placed;

	for (unsigned i = 0; i < MIX_BLOCK; i++)
		uses[b->level[i] = draw_level(l, share)]++;
	place(clock, l, uses);
	placed = clock->port->begin(clock->ctx);
	for (unsigned i = 0; i < MIX_BLOCK; i++) {
		l->list[i] = b->level[i] == MIX_L1 ?
			  l->line[MIX_L1][l->next[MIX_L1]++ % HOT_LINES] :
			  next_line(l, b->level[i]);
		if (b->level[i] == MIX_DRAM)
			clock->port->flush(clock->ctx, l->list[i]);
	}
	clock->port->end(clock->ctx);
	calibration_gate(clock, l, b->before);
	clock->port->each(clock->ctx, l->list, NULL, MIX_BLOCK, b->ticks);
	calibration_gate(clock, l, b->after);
	return placed;
}

void calibration_displaced(struct calibration_lines *l)
{
	l->placed = 0;
}
