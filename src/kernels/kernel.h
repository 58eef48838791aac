/* SPDX-License-Identifier: MIT */
/*
 * A kernel: a workload that describes itself. Each file of this room holds
 * one: option rows, body, expectation with reasons, and the descriptor last.
 *
 * The body is written once, as a static inline function over a port
 * (access.h), and instantiated twice: with no port it is the native loop, with
 * a port it is the traced one. Loops that claim exact instruction counts are
 * assembly in arch/<isa>/<kernel>.S; run() calls those, and tests prove that
 * both give the same stream. All of it compiles freestanding.
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
 * What only the host calls: an image for bare metal (ASSAY_IMAGE) is linked
 * without it, from the same sources.
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
	const char *derived;	/* how resolve() finds it if not given, e.g.
				 * "accesses / elements"; NULL: initial */
	const char *const *words;	/* CHOICE: NULL-terminated */
	const char *unit;	/* "lines", "bytes", "passes" ...; or NULL */
	const char *help;	/* one line */
};

struct kernel {
	const char *name;
	const char *summary;	/* one line */
	const char *exercises;	/* what it is made to exercise */
	const char *source;	/* where the idea comes from */
	/* what changes with its size: the columns of a sweep without events */
	enum assay_quantity shows[4];
	unsigned shown;
	const struct kernel_option *option;
	unsigned options;
	bool hosted;	/* makes system calls: not for bare metal */
	const char *control;	/* what Linux can count of it without a PMU, as
				 * -e takes it: counted if nothing else is
				 * asked for; or NULL */
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
	/* Demand accesses of the counted region: the divisor of "per access";
	 * 0 if the kernel has none. */
	uint64_t (*accesses)(const struct assay_shape *shape);
	/* Fills the arena; not counted. */
	void (*prepare)(const struct assay_shape *shape, struct arena *arena);
	/*
	 * Makes cycles of prepared lists, for a walk that never ends, and fills
	 * their heads (room for 4). Returns how many. NULL: this kernel is no
	 * walk along pointers. It cannot be run after that.
	 */
	unsigned (*cycle)(const struct assay_shape *shape, struct arena *arena,
			  void **head);
	/* The counted region, native. */
	void (*run)(const struct assay_shape *shape, struct arena *arena);
	/*
	 * The same stream into a trace, with pass marks and the instruction
	 * counts of `isa`. NULL in images.
	 */
	void (*trace)(const struct assay_shape *shape, struct arena *arena,
		      enum isa isa, struct access_trace *trace);
	/*
	 * The closed form on this geometry (NULL: only what needs none).
	 * warm: an identical run went before. Never calls the simulator. NULL
	 * in images.
	 */
	void (*expect)(const struct assay_shape *shape, enum isa isa,
		       const struct geometry *geometry, bool warm,
		       struct assay_expectation *out);
};

#define X(name) extern const struct kernel name##_kernel;
#include "kernels/kernels.def"
#undef X

/* All kernels, NULL-terminated, in the order of kernels.def. */
extern const struct kernel *const kernel_table[];

/* By name, or NULL. */
const struct kernel *kernel_find(const char *name);
/* -ASSAY_ENOENT: no kernel is called so, but one nearly. */
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
