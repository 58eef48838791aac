/* SPDX-License-Identifier: MIT */
/* Lays shapes out in memory so that the timing witness can chase them. */
#include "timing/timing.h"

#include <string.h>

#include "base/text.h"
#include "measure/chain.h"
#include "run/ending.h"

#define LINE 64

static int64_t option(const struct assay_shape *shape, const char *name,
		      int64_t otherwise)
{
	const int i = assay_shape_find(shape, name);

	return i < 0 ? otherwise : shape->option[i].value;
}

bool layout_is_random(const struct run *run, const struct assay_shape *shape)
{
	const int i = assay_shape_find(shape, "order");

	return run->kernel == &chase_kernel && i >= 0 &&
	       (!strcmp(shape->option[i].word, "shuffled") ||
		!strcmp(shape->option[i].word, "fisher-yates"));
}

struct chains {
	struct timed *timed;
	unsigned char *base;
	uint64_t seed;
	unsigned word;
};

static void lay_chains(void *ctx)
{
	struct chains *const l = ctx;
	struct timed *const t = l->timed;
	const uint64_t each = t->lines / t->chains;

	for (unsigned c = 0; c < t->chains; c++) {
		const struct chain chain = {
			.base = l->base + c * each * LINE +
				l->word * sizeof(void *),
			.step = LINE,
		};

		chain_extend(&chain, 0, each, &l->seed);
		t->head[c] = chain_at(&chain, 0);
	}
}

int layout_chains(struct timed *t, const struct assay_shape *shape,
		  unsigned char *base, unsigned word, unsigned draw,
		  struct assay_error *err)
{
	struct chains l = {
		t, base, (uint64_t)option(shape, "seed", 1) + draw, word,
	};

	t->lines = (uint64_t)option(shape, "elements", 1);
	t->base = base;
	t->chains = (unsigned)option(shape, "chains", 1);
	return ending_step(lay_chains, &l, err);
}

int layout_kernel(struct run *run, const struct assay_shape *shape,
		  enum arena_pages pages, struct arena *arena,
		  struct timed *t, struct assay_error *err)
{
	const uint64_t bytes = run->kernel->arena_bytes(shape);
	int rc;

	if (bytes > SIZE_MAX / 2)
		return error_set(err, -ASSAY_ERANGE, "the shape needs %llu "
				 "bytes", (unsigned long long)bytes);
	rc = env_arena_map(arena, bytes, pages, err);
	if (rc < 0)
		return rc;
	rc = ending_prepare(run->kernel, shape, arena, err);
	if (rc < 0)
		return rc;
	t->lines = run->kernel->accesses(shape);
	if (run->kernel->cycle) {
		t->chains = run->kernel->cycle(shape, arena, t->head);
		t->lines = (uint64_t)option(shape, run->kernel->size_option,
					    (int64_t)(bytes / LINE));
		return 0;
	}
	t->chains = 1;
	t->kernel = run->kernel;
	t->shape = shape;
	t->arena = arena;
	return 0;
}

int layout_shape(struct run *run, const struct assay_shape *shape,
		 struct arena *arena, struct timed *out,
		 struct assay_error *err)
{
	enum arena_pages pages;
	int rc = run_parse_pages(&pages, run->job->pages, err);

	*out = (struct timed){ .chains = 1 };
	*arena = (struct arena){ 0 };
	if (rc < 0)
		return rc;
	if (!layout_is_random(run, shape))
		return layout_kernel(run, shape, pages, arena, out, err);
	rc = env_arena_map(arena, run->kernel->arena_bytes(shape), pages, err);
	if (rc == 0)
		rc = layout_chains(out, shape, arena->base, 0, 0, err);
	return rc;
}
