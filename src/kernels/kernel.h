/* SPDX-License-Identifier: MIT */
/*
 * A kernel: a workload that describes itself. A kernel is one file: option
 * rows, the native run and the traced one, the closed form of the code as a
 * table (expect.h), misses of caches and TLBs (expect-memory.h), and the
 * descriptor last. Kernels compile freestanding.
 *
 * run() calls assembly, arch/<isa>/<kernel>.S, so that instruction counts are
 * exact (counts.h). trace() writes the same accesses, branches and instruction
 * counts into a trace (access.h); tests compare the two.
 */
#ifndef KERNELS_KERNEL_H
#define KERNELS_KERNEL_H

#include <stddef.h>

#include "assay/error.h"
#include "assay/expectation.h"
#include "assay/shape.h"
#include "base/access.h"
#include "base/arena.h"
#include "base/geometry.h"

/*
 * A function that only the host calls. An image for bare metal (ASSAY_IMAGE) is
 * compiled from the same sources and linked without the function.
 */
#ifdef ASSAY_IMAGE
#define KERNEL_HOST(function) (1 ? NULL : (function))
#else
#define KERNEL_HOST(function) (function)
#endif

struct kernel_option {
	const char *name;
	enum assay_option_kind kind;
	int64_t min, max;	/* inclusive; REAL: millionths */
	int64_t initial;	/* CHOICE: index; -1 with .derived */
	bool power_of_two;
	const char *derived;	/* what resolve() sets if no value is given,
				 * e.g. "accesses / elements"; NULL: initial */
	const char *const *words;	/* CHOICE: NULL-terminated */
	const char *unit;	/* "lines", "bytes", "passes" ...; or NULL */
	const char *help;	/* one line */
};

struct kernel {
	const char *name;
	const char *summary;	/* one line */
	const char *exercises;	/* the parts of a CPU that are exercised */
	const char *source;	/* where the idea comes from */
	/* quantities that change with the size option: the columns of a sweep
	 * that names no events */
	enum assay_quantity shows[4];
	unsigned shown;
	const struct kernel_option *option;
	unsigned options;
	bool hosted;	/* makes system calls: not for bare metal */
	const char *control;	/* an event that Linux counts without a PMU, as
				 * -e takes it: counted if no event is asked
				 * for; or NULL */
	const char *size_option;	/* the option that sweep varies if none
					 * is given, e.g. "elements" */
	const char *size_default;	/* and its range, e.g. "64..262144" */
	/*
	 * Completes a shape: derived options (value -1 on entry) and conditions
	 * between options. Returns 0 or -ASSAY_ERANGE naming the option.
	 */
	int (*resolve)(struct assay_shape *shape, struct assay_error *err);
	/* Bytes of arena that the shape needs; 0 if none. */
	uint64_t (*arena_bytes)(const struct assay_shape *shape);
	/* Demand accesses of the counted region, the divisor of "per access";
	 * 0: the kernel accesses no data. */
	uint64_t (*accesses)(const struct assay_shape *shape);
	/* Fills the arena; not counted. */
	void (*prepare)(const struct assay_shape *shape, struct arena *arena);
	/*
	 * Closes prepared lists to cycles, along which loads can go on for
	 * ever, and fills their heads (room for 4). Returns how many. The arena
	 * cannot be used by run() after that. NULL: the kernel follows no
	 * pointers.
	 */
	unsigned (*cycle)(const struct assay_shape *shape, struct arena *arena,
			  void **head);
	/* The counted region, native. */
	void (*run)(const struct assay_shape *shape, struct arena *arena);
	/*
	 * The stream of run() into a trace, with pass marks and the instruction
	 * counts of `isa`. NULL in images.
	 */
	void (*trace)(const struct assay_shape *shape, struct arena *arena,
		      enum isa isa, struct access_trace *trace);
	/*
	 * Fills `out` (0 rows on entry) with the closed form on this geometry;
	 * NULL: only the rows that need no geometry. warm: an identical run
	 * went before. Does not use the simulator. NULL in images.
	 */
	void (*expect)(const struct assay_shape *shape, enum isa isa,
		       const struct geometry *geometry, bool warm,
		       struct assay_expectation *out);
};

/* The parts of a descriptor that all kernels have alike. */
#define KERNEL_BODY \
	.run = run, .trace = KERNEL_HOST(trace), .expect = KERNEL_HOST(expect)
#define KERNEL_ARENA \
	.arena_bytes = arena_bytes, .accesses = accesses, .prepare = prepare
#define KERNEL_SHOWS(...) \
	.shows = { __VA_ARGS__ }, .shown = sizeof((enum assay_quantity[]) \
		{ __VA_ARGS__ }) / sizeof(enum assay_quantity)
#define KERNEL_OPTIONS(rows) \
	.option = (rows), .options = sizeof(rows) / sizeof((rows)[0])

#define X(name) extern const struct kernel name##_kernel;
#include "kernels/kernels.def"
#undef X

/* All kernels, NULL-terminated, in the order of kernels.def. */
extern const struct kernel *const kernel_table[];

/* By name, or NULL. */
const struct kernel *kernel_find(const char *name);
/* Returns -ASSAY_ENOENT with a text that names the most similar kernel. */
int kernel_unknown(const char *name, struct assay_error *err);

/*
 * The shape of all defaults, in the order of kernel->option (bodies reach
 * their options by position); derived options are -1.
 */
void kernel_defaults(const struct kernel *kernel, struct assay_shape *out);

/* The option row of that name, or NULL. */
const struct kernel_option *kernel_option(const struct kernel *kernel,
					  const char *name);

/*
 * Sets one option after checking bounds, words and powers of two. Returns 0;
 * -ASSAY_ENOENT (no such option), -ASSAY_ERANGE, -ASSAY_EINVAL with a text
 * that names the option, its bounds and its unit.
 */
int kernel_set(const struct kernel *kernel, struct assay_shape *shape,
	       const char *name, int64_t value, struct assay_error *err);

/*
 * Is a resolved shape from elsewhere (a saved record) one of this kernel:
 * the same options in the same order, each within its bounds? Returns 0,
 * -ASSAY_EINVAL, -ASSAY_ENOENT or -ASSAY_ERANGE. To be followed by
 * kernel->resolve on a copy, which checks conditions between options.
 */
int kernel_check(const struct kernel *kernel, const struct assay_shape *shape,
		 struct assay_error *err);

#endif
