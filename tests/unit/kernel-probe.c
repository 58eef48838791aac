/* SPDX-License-Identifier: MIT */
/*
 * kernel-probe: kernels at small shapes, for witnesses outside this process
 * (QEMU's instruction trace, valgrind's lackey). The shapes are the lines of
 * kernel-shapes.def, or the one that is given as KERNEL OPTION=VALUE...
 *
 *	kernel-probe shapes		prints the shapes
 *	kernel-probe expect-x86-64 [SHAPE]
 *	kernel-probe expect-aarch64 [SHAPE]
 *					exact counts, one line per shape
 *	kernel-probe run [SHAPE]	natively
 *	kernel-probe trace [SHAPE]	the traced stream of the arenas
 *
 * run prints where counted code is, where the mark is, and before each shape
 * where its arena is; the store to the mark then separates shapes in a memory
 * trace. Traced accesses carry the shape's number.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "kernel-shape.h"

static volatile uint64_t mark;

static const char *const shapes[] = {
#define SHAPE(text) text,
#include "kernel-shapes.def"
#undef SHAPE
};

#define SHAPES (sizeof(shapes) / sizeof(*shapes))

struct work {
	const struct kernel *kernel;
	struct assay_shape shape;
	size_t number;		/* from 1 */
};

static void list(void)
{
	for (size_t i = 0; i < SHAPES; i++)
		puts(shapes[i]);
}

static void expect(const struct work *w, enum isa isa)
{
	static const enum assay_quantity wanted[] = {
		ASSAY_Q_instructions, ASSAY_Q_branches, ASSAY_Q_branches_taken,
		ASSAY_Q_loads, ASSAY_Q_stores,
	};
	struct assay_expectation e = { .rows = 0 };

	w->kernel->expect(&w->shape, isa, NULL, false, &e);
	for (size_t i = 0; i < sizeof(wanted) / sizeof(*wanted); i++) {
		const struct assay_expected *row =
			assay_expectation_find(&e, wanted[i]);

		if (!row || !row->exact)
			printf("%sinexact", i ? " " : "");
		else
			printf("%s%.0f", i ? " " : "", row->value);
	}
	putchar('\n');
}

static void run(const struct work *w)
{
	struct arena arena;

	shape_arena(&arena, w->kernel, &w->shape);
	printf("arena %#" PRIxPTR " %#zx\n", (uintptr_t)arena.base,
	       arena.bytes);
	fflush(stdout);
	mark = w->number;
	w->kernel->run(&w->shape, &arena);
	shape_arena_free(&arena);
}

static void print_records(void *ctx, const uint64_t *record, size_t records)
{
	static const char letters[] = { [ACCESS_LOAD] = 'L',
		[ACCESS_STORE] = 'S', [ACCESS_STORE_NT] = 'S' };
	const struct work *w = ctx;

	for (size_t i = 0; i < records; i++) {
		enum access_kind kind = access_kind(record[i]);

		if (kind <= ACCESS_STORE_NT)
			printf("%zu %c %" PRIx64 " %u\n", w->number,
			       letters[kind],
			       access_operand(record[i]) - ACCESS_ARENA_BASE,
			       1u << access_log2_bytes(record[i]));
	}
}

static void trace(const struct work *w)
{
	static struct access_trace port;
	struct access_sink sink = {
		.ctx = (void *)w, .feed = print_records,
	};
	struct arena arena;

	shape_arena(&arena, w->kernel, &w->shape);
	port = (struct access_trace){ .sink = &sink, .base = ACCESS_ARENA_BASE,
				      .host = (uintptr_t)arena.base };
	w->kernel->trace(&w->shape, &arena, ISA_X86_64, &port);
	access_flush(&port);
	shape_arena_free(&arena);
}

static int work(const char *what, struct work *w, struct assay_error *err)
{
	if (!w->kernel) {
		fprintf(stderr, "%s\n", err->text);
		return 2;
	}
	if (strcmp(what, "expect-x86-64") == 0)
		expect(w, ISA_X86_64);
	else if (strcmp(what, "expect-aarch64") == 0)
		expect(w, ISA_AARCH64);
	else if (strcmp(what, "run") == 0)
		run(w);
	else
		trace(w);
	return 0;
}

static void where(void)
{
	printf("code %#" PRIxPTR " %#" PRIxPTR "\n",
	       (uintptr_t)__start_assay_kernels,
	       (uintptr_t)__stop_assay_kernels);
	printf("mark %#" PRIxPTR "\n", (uintptr_t)&mark);
}

int main(int argc, char **argv)
{
	struct assay_error err = { .code = 0 };
	struct work w = { .number = 1 };
	int rc = 0;

	if (argc < 2)
		return 2;
	if (strcmp(argv[1], "shapes") == 0)
		list();
	if (strcmp(argv[1], "run") == 0)
		where();
	if (argc > 2) {
		w.kernel = shape_make(&w.shape,
				      (const char *const *)argv + 2, &err);
		return work(argv[1], &w, &err);
	}
	for (; strcmp(argv[1], "shapes") && w.number <= SHAPES && !rc;
	     w.number++) {
		w.kernel = shape_text(&w.shape, shapes[w.number - 1], &err);
		rc = work(argv[1], &w, &err);
	}
	return rc;
}
