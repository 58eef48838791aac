/* SPDX-License-Identifier: MIT */
/*
 * kernel-probe: one kernel at one shape, for witnesses outside this process
 * (QEMU's instruction trace, valgrind's lackey).
 *
 *	kernel-probe shapes			the shapes to try, one per line
 *	kernel-probe expect ISA KERNEL OPTION=VALUE...
 *	kernel-probe run KERNEL ...		natively
 *	kernel-probe trace KERNEL ...		the traced stream of the arena
 *
 * run first prints where counted code and arena are.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "kernel-shape.h"

static const char *const shapes[] = {
#define SHAPE(text) text,
#include "kernel-shapes.def"
#undef SHAPE
};

static int list(void)
{
	for (size_t i = 0; i < sizeof(shapes) / sizeof(*shapes); i++)
		puts(shapes[i]);
	return 0;
}

static int print_expectation(const struct kernel *kernel,
			     const struct assay_shape *shape, const char *isa)
{
	static const enum assay_quantity wanted[] = {
		ASSAY_Q_instructions, ASSAY_Q_branches, ASSAY_Q_branches_taken,
		ASSAY_Q_loads, ASSAY_Q_stores,
	};
	struct assay_expectation e = { .rows = 0 };

	kernel->expect(shape, strcmp(isa, "aarch64") ? ISA_X86_64 :
		       ISA_AARCH64, NULL, false, &e);
	for (size_t i = 0; i < sizeof(wanted) / sizeof(*wanted); i++) {
		const struct assay_expected *row =
			assay_expectation_find(&e, wanted[i]);

		if (!row || !row->exact)
			printf("%s inexact\n", assay_quantity_name(wanted[i]));
		else
			printf("%s %.0f\n", assay_quantity_name(wanted[i]),
			       row->value);
	}
	return 0;
}

static int run(const struct kernel *kernel, const struct assay_shape *shape)
{
	struct arena arena;

	shape_arena(&arena, kernel, shape);
	printf("code %#" PRIxPTR " %#" PRIxPTR "\n",
	       (uintptr_t)__start_assay_kernels,
	       (uintptr_t)__stop_assay_kernels);
	printf("arena %#" PRIxPTR " %#zx\n", (uintptr_t)arena.base,
	       arena.bytes);
	fflush(stdout);
	kernel->run(shape, &arena);
	shape_arena_free(&arena);
	return 0;
}

static void print_records(void *ctx, const uint64_t *record, size_t records)
{
	static const char letters[] = { [ACCESS_LOAD] = 'L',
		[ACCESS_STORE] = 'S', [ACCESS_STORE_NT] = 'S' };

	(void)ctx;
	for (size_t i = 0; i < records; i++) {
		enum access_kind kind = access_kind(record[i]);

		if (kind <= ACCESS_STORE_NT)
			printf("%c %" PRIx64 " %u\n", letters[kind],
			       access_operand(record[i]) - ACCESS_ARENA_BASE,
			       1u << access_log2_bytes(record[i]));
	}
}

static int trace(const struct kernel *kernel, const struct assay_shape *shape)
{
	static const struct access_sink sink = { .feed = print_records };
	static struct access_trace port;
	struct arena arena;

	shape_arena(&arena, kernel, shape);
	port.sink = &sink;
	port.host = (uintptr_t)arena.base;
	port.base = ACCESS_ARENA_BASE;
	kernel->trace(shape, &arena, ISA_X86_64, &port);
	access_flush(&port);
	shape_arena_free(&arena);
	return 0;
}

int main(int argc, char **argv)
{
	bool expect = argc > 3 && strcmp(argv[1], "expect") == 0;
	struct assay_error err = { .code = 0 };
	const struct kernel *kernel;
	struct assay_shape shape;

	if (argc == 2 && strcmp(argv[1], "shapes") == 0)
		return list();
	if (argc < 3)
		return 2;
	kernel = shape_make(&shape, (const char *const *)argv + 2 + expect,
			    &err);
	if (!kernel) {
		fprintf(stderr, "%s\n", err.text);
		return 2;
	}
	if (expect)
		return print_expectation(kernel, &shape, argv[2]);
	if (strcmp(argv[1], "run") == 0)
		return run(kernel, &shape);
	return trace(kernel, &shape);
}
