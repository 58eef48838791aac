/* SPDX-License-Identifier: MIT */
/*
 * touch: gives its pages back to Linux, then stores to each of them: one page
 * fault per page, in every run. Linux counts page faults without any hardware
 * counter. touch makes a system call, so it is not for bare metal.
 */
#include "kernels/access.h"
#include "kernels/counts.h"
#include "kernels/expect.h"
#include "kernels/kernel.h"
#include "kernels/shape.h"

enum { PAGES };
enum { SITE_STORE = 4, SITE_PAGE = 7, SITE_RETURN = 8 };

#define PAGE_BYTES 4096

/*
 * arch/<isa>/touch.S: gives the pages back to Linux (madvise MADV_DONTNEED),
 * then stores to each of them.
 */
void touch_pages(void *base, uint64_t bytes);

static const struct kernel_option options[] = {
	[PAGES] = {
		.name = "pages", .kind = ASSAY_OPTION_COUNT,
		.min = 1, .max = 1 << 22, .initial = 1000,
		.unit = "pages", .help = "pages of 4 KiB to touch",
	},
};

static uint64_t arena_bytes(const struct assay_shape *shape)
{
	return count_of(shape, PAGES) * PAGE_BYTES;
}

static uint64_t accesses(const struct assay_shape *shape)
{
	return count_of(shape, PAGES);
}

/* Reads the counted code, so that its page does not fault while counted. */
static void prepare(const struct assay_shape *shape, struct arena *arena)
{
	(void)shape, (void)arena;
	(void)*(const volatile unsigned char *)(uintptr_t)touch_pages;
}

static void run(const struct assay_shape *shape, struct arena *arena)
{
	touch_pages(arena->base, arena_bytes(shape));
}

static const struct code_term terms[] = {
	{ ASSAY_Q_instructions, "pages", TOUCH_PAGE, "pages",
	  "store, advance, count down, branch" },
	{ ASSAY_Q_instructions, "once", TOUCH_ONCE, "1",
	  "a system call gives the pages back first; return" },
	CODE_NONE(ASSAY_Q_loads, "nothing is read"),
	{ ASSAY_Q_stores, "pages", CODE_ONE, "pages", "one store per page" },
	{ ASSAY_Q_l1d_writes, "pages", CODE_ONE, "pages",
	  "one store per page" },
	CODE_LOOP("pages", "pages", "page"),
	CODE_RETURN,
	{ ASSAY_Q_page_faults, "first use", CODE_ONE, "pages",
	  "a page that was given back faults when it is next touched" },
};

static const struct code code = CODE(terms, options);

static void trace(const struct assay_shape *shape, struct arena *arena,
		  enum isa isa, struct access_trace *port)
{
	struct code_cost cost = code_cost(&code, shape, NULL, NULL, isa);
	uint64_t pages = accesses(shape);

	for (uint64_t i = 0; i < pages; i++)
		access_note(port, ACCESS_STORE, 3, SITE_STORE,
			    arena->base + i * PAGE_BYTES);
	access_branch_run(port, SITE_PAGE, pages);
	access_end(port, SITE_RETURN, cost.pass + cost.once);
}

static void expect(const struct assay_shape *shape, enum isa isa,
		   const struct geometry *geometry, bool warm,
		   struct assay_expectation *out)
{
	(void)geometry, (void)warm;
	expect_code(out, &code, shape, NULL, isa);
	expect_condition(out, ASSAY_Q_page_faults, "Linux, pages of 4 KiB");
}

const struct kernel touch_kernel = {
	.name = "touch",
	.summary = "touches fresh pages",
	.exercises = "page faults: a positive control that needs no PMU",
	.source = "first-touch allocation",
	.hosted = true,
	.control = "page-faults",
	KERNEL_SHOWS(ASSAY_Q_page_faults),
	KERNEL_OPTIONS(options),
	.size_option = "pages",
	.size_default = "1..4096",
	.resolve = plain_resolve,
	KERNEL_ARENA,
	KERNEL_BODY,
};
