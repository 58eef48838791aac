/* SPDX-License-Identifier: MIT */
/*
 * touch: gives its pages back to Linux, then stores to each of them: one page
 * fault per page, in every run. A count that is right without any hardware
 * counter. Not for bare metal: it makes a system call.
 */
#include "kernels/access.h"
#include "kernels/expect.h"
#include "kernels/kernel.h"
#include "kernels/option.h"
#include "kernels/plain.h"
#include "kernels/touch-counts.h"

enum { PAGES };
enum { SITE_STORE = 4, SITE_PAGE = 7, SITE_RETURN = 8 };

#define PAGE_BYTES 4096

/* arch/<isa>/touch.S */
void touch_pages(void *base, uint64_t bytes);

static const struct {
	unsigned page, once;
} costs[ISAS] = {
	[ISA_X86_64] = { TOUCH_X86_64_PAGE, TOUCH_X86_64_ONCE },
	[ISA_AARCH64] = { TOUCH_AARCH64_PAGE, TOUCH_AARCH64_ONCE },
};

static const struct kernel_option options[] = {
	[PAGES] = {
		.name = "pages", .kind = ASSAY_OPTION_COUNT,
		.min = 1, .max = 1 << 22, .initial = 1000,
		.unit = "pages", .help = "pages of 4 KiB to touch",
	},
};

static uint64_t arena_bytes(const struct assay_shape *shape)
{
	return (uint64_t)option_value(shape, PAGES) * PAGE_BYTES;
}

static uint64_t accesses(const struct assay_shape *shape)
{
	return (uint64_t)option_value(shape, PAGES);
}

/* The page of the code itself must not fault when it is counted. */
static void prepare(const struct assay_shape *shape, struct arena *arena)
{
	(void)shape, (void)arena;
	(void)*(const volatile unsigned char *)(uintptr_t)touch_pages;
}

static void run(const struct assay_shape *shape, struct arena *arena)
{
	touch_pages(arena->base, arena_bytes(shape));
}

static void trace(const struct assay_shape *shape, struct arena *arena,
		  enum isa isa, struct access_trace *port)
{
	uint64_t pages = accesses(shape);

	for (uint64_t i = 0; i < pages; i++)
		access_note(port, ACCESS_STORE, 3, SITE_STORE,
			    arena->base + i * PAGE_BYTES);
	access_branch_run(port, SITE_PAGE, pages);
	access_end(port, SITE_RETURN, costs[isa].page * pages +
				      costs[isa].once);
}

static void expect(const struct assay_shape *shape, enum isa isa,
		   const struct geometry *geometry, bool warm,
		   struct assay_expectation *out)
{
	double pages = (double)option_value(shape, PAGES);
	struct assay_expected *row = expect_row(out, ASSAY_Q_instructions);

	(void)geometry, (void)warm;
	expect_cost(row, "pages", costs[isa].page, "pages", pages,
		    "store, advance, count down, branch");
	expect_cost(row, "once", costs[isa].once, "1", 1,
		    "a system call gives the pages back first; return");
	expect_exact(out, ASSAY_Q_loads, "none", "0", 0, "nothing is read");
	expect_exact(out, ASSAY_Q_stores, "pages", "pages", pages,
		     "one store per page");
	expect_exact(out, ASSAY_Q_l1d_writes, "pages", "pages", pages,
		     "one store per page");
	row = expect_row(out, ASSAY_Q_branches);
	expect_term(row, "pages", "pages", pages,
		    "each page ends with a branch");
	expect_term(row, "return", "1", 1, "the return is a branch");
	row = expect_row(out, ASSAY_Q_branches_taken);
	expect_term(row, "pages", "pages - 1", pages - 1,
		    "taken until the last page");
	expect_term(row, "return", "1", 1, "a return is always taken");
	row = expect_exact(out, ASSAY_Q_page_faults, "first use", "pages",
			   pages, "a page that was given back faults when it "
				  "is next touched");
	row->condition = "Linux, pages of 4 KiB";
}

const struct kernel touch_kernel = {
	.name = "touch",
	.summary = "touches fresh pages",
	.exercises = "page faults: a positive control that needs no PMU",
	.source = "first-touch allocation",
	.hosted = true,
	.control = "page-faults",
	.shows = { ASSAY_Q_page_faults },
	.shown = 1,
	.option = options,
	.options = sizeof(options) / sizeof(options[0]),
	.size_option = "pages",
	.size_default = "1..4096",
	.resolve = plain_resolve,
	.arena_bytes = arena_bytes,
	.accesses = accesses,
	.prepare = prepare,
	.run = run,
	.trace = KERNEL_HOST(trace),
	.expect = KERNEL_HOST(expect),
};
