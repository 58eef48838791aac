/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls of allocators. Of nested ones (operator new calls malloc) the outermost
 * counts. One that is left by longjmp or by an exception is forgotten at the
 * next call from further up the stack.
 */
#include <stdlib.h>
#include <string.h>

#include "plugin/callbacks/guest.h"
#include "plugin/data/data.h"
#include "plugin/decode/block.h"
#include "plugin/site.h"
#include "store/programs/function.h"

enum { PAGE = 4096, ENVIRONMENT = 1 << 16, NONE = -1 };

/* Which arguments are the bytes (to be multiplied), and the place where the
 * address will be stored; NONE: there is none. */
static const struct allocator {
	const char *name;
	int bytes, times, to;
} allocators[] = {
	{ "malloc", 0, NONE, NONE }, { "calloc", 0, 1, NONE },
	{ "realloc", 1, NONE, NONE }, { "reallocarray", 1, 2, NONE },
	{ "aligned_alloc", 1, NONE, NONE }, { "memalign", 1, NONE, NONE },
	{ "posix_memalign", 2, NONE, 0 }, { "valloc", 0, NONE, NONE },
	{ "_Znwm", 0, NONE, NONE }, { "_Znam", 0, NONE, NONE },
	{ "_ZnwmSt11align_val_t", 0, NONE, NONE },
	{ "_ZnamSt11align_val_t", 0, NONE, NONE },
	{ "mmap", 1, NONE, NONE }, { "mmap64", 1, NONE, NONE },
};
enum { ALLOCATORS = sizeof(allocators) / sizeof(*allocators), KNOWN = 256 };

/* Words of QEMU 7.2's state of the CPU. */
static const struct { unsigned stack, link, argument[3], result; } words[] = {
	[ISA_X86_64] = { 4, 0, { 7, 6, 2 }, 0 },
	[ISA_AARCH64] = { 8 + 31, 8 + 30, { 8, 9, 10 }, 8 },
};

/* ---- translation --------------------------------------------------------- */

static struct { uint64_t pc; const struct allocator *is; } known[KNOWN];
static size_t knowns;

static char *keep_mangled(const char *symbol)
{
	(void)symbol;
	return NULL;
}

static void find_allocators(uint32_t object)
{
	const struct tally_object *o = &session.map.object[object - 1];
	const char *path = session.map.text + o->path;
	struct function_entry found[FUNCTION_ENTRIES];

	for (int i = 0; *path == '/' && i < ALLOCATORS; i++) {
		const size_t n = functions_find(path, allocators[i].name,
						keep_mangled, found);

		for (size_t k = 0; k < n && k < FUNCTION_ENTRIES &&
				   knowns < KNOWN; k++) {
			known[knowns].pc = found[k].offset - o->offset +
					   o->from;
			known[knowns++].is = &allocators[i];
			session.map.tally->allocators++;
		}
	}
}

void data_translated(struct block *b, uint64_t host)
{
	static bool looked[TALLY_OBJECTS + 1];
	const uint32_t object = site_object(b->pc, host);

	if (!object)
		return;
	if (!looked[object]) {
		looked[object] = true;
		find_allocators(object);
		variables_add(object);
	}
	b->allocates = 0;
	for (size_t i = 0; i < knowns; i++)
		if (known[i].pc == b->pc)
			b->allocates = (uint8_t)(known[i].is - allocators + 1);
}

/* ---- calls --------------------------------------------------------------- */

static uint64_t word_at(uint64_t address)
{
	uint64_t out;

	return guest_read(&out, sizeof(out), address) ? out : 0;
}

static void tell(struct lane *lane, uint64_t from, uint64_t bytes, uint64_t pc)
{
	struct data_word *w = malloc(sizeof(*w));

	if (!w)
		abort();
	*w = (struct data_word){ from, bytes, pc };
	lane_put(lane, (uint64_t)WORD_DATA << WORD_KIND | (uintptr_t)w);
}

/* Behind the first stack pointer of a program are its arguments and its
 * environment: up to here. */
static uint64_t end_of_environment(uint64_t sp)
{
	uint64_t last = sp, word, at = sp + 8;
	int zeros = 0;

	while (zeros < 2 && at < sp + ENVIRONMENT) {
		word = word_at(at);
		zeros += !word;
		last = word > last && word - sp < 1 << 21 ? word : last;
		at += 8;
	}
	return (last + 2 * PAGE) & -(uint64_t)PAGE;
}

static void use_stack(struct lane *lane, uint64_t sp)
{
	const bool first = !lane->lowest;
	const uint64_t before = first ? lane == lane_of(0) ?
			end_of_environment(sp) : sp : lane->lowest;

	lane->lowest = (sp - PAGE) & -(uint64_t)PAGE;
	tell(lane, lane->lowest, before - lane->lowest, 0);
}

static void begin_call(struct lane *lane, const struct allocator *a,
		       const uint64_t *state)
{
	const uint32_t isa = session.map.tally->isa;
	const uint64_t sp = state[words[isa].stack];
	const unsigned *argument = words[isa].argument;
	struct data_call *c = &lane->call;

	c->back = words[isa].link ? state[words[isa].link] : word_at(sp);
	c->stack = sp;
	c->bytes = state[argument[a->bytes]];
	if (a->times != NONE)
		c->bytes *= state[argument[a->times]];
	tell(lane, 0, 0, c->back);
	c->to = a->to == NONE ? 0 : state[argument[a->to]];
}

static void end_call(struct lane *lane, const uint64_t *state)
{
	const uint64_t result = state[words[session.map.tally->isa].result];
	struct data_call *c = &lane->call;
	const uint64_t from = c->to ? word_at(c->to) : result;

	if (from && from + c->bytes > from &&
	    from + c->bytes <= ACCESS_OPERAND_MASK)
		tell(lane, from, c->bytes, c->back);
	else
		tell(lane, 0, 0, 0);
	c->back = 0;
}

void data_block(struct lane *lane, const struct block *b,
		const uint64_t *state)
{
	const uint64_t sp = state[words[session.map.tally->isa].stack];
	struct data_call *c = &lane->call;

	if (sp < lane->lowest || !lane->lowest)
		use_stack(lane, sp);
	if (c->back && b->pc == c->back && sp >= c->stack)
		end_call(lane, state);
	if (b->allocates && (!c->back || sp > c->stack))
		begin_call(lane, &allocators[b->allocates - 1], state);
}
