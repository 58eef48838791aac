/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The entry of a function, and the return from it. At the begin of a block
 * QEMU has written all registers back into its state of the CPU: the stack
 * pointer is found there. A function is left when the stack pointer rises
 * above its value at the entry: by a return, by longjmp or by an exception.
 * Calls in between, recursion and jumps to other functions (tail calls) do not
 * raise it so far.
 *
 * On AArch64 the return address is in a register: the stack pointer is then
 * that of the caller before and after the call, and the function is also left
 * where that value meets the caller's code.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/loading/load.h"
#include "plugin/arena.h"
#include "plugin/callbacks/entry.h"
#include "plugin/callbacks/guest.h"
#include "plugin/data/data.h"
#include "plugin/children/child-tallies.h"
#include "plugin/decode/block.h"
#include "plugin/regions/regions.h"
#include "plugin/site.h"
#include "store/programs/function.h"

/* More than a stack has: another stack is meant. */
#define STACK_MOST (UINT64_C(64) << 20)

enum { CHECKED = 256 };		/* entries behind a call */

/* Words of QEMU 7.2's state of the CPU. */
static const struct { unsigned stack, link; } registers[ISAS] = {
	[ISA_X86_64] = { .stack = 4 },
	[ISA_AARCH64] = { .stack = 8 + 31, .link = 8 + 30 },
};

/* ---- entries ------------------------------------------------------------- */

struct entries {
	size_t n;
	uint64_t offset[FUNCTION_ENTRIES];	/* in the object's file */
};

static char *demangle(const char *symbol)
{
	static void *cache;
	char *(*real)(const char *, char *, size_t *, int *) =
		(char *(*)(const char *, char *, size_t *, int *))
		load_function(&cache, LIBRARY_CXX, "__cxa_demangle");

	return real ? real(symbol, NULL, NULL, NULL) : NULL;
}

/* A function of that name that is not among those found before. */
static void note_meaning(const struct function_entry *e, uint32_t path)
{
	static struct function_entry known[TALLY_MEANINGS];
	struct tally *t = session.map.tally;
	struct tally_meaning *m;

	for (uint32_t i = 0; i < t->meanings && i < TALLY_MEANINGS; i++)
		if (t->meaning[i].path == path &&
		    function_same(&known[i], e))
			return;
	if (t->meanings++ >= TALLY_MEANINGS)
		return;
	known[t->meanings - 1] = *e;
	m = &t->meaning[t->meanings - 1];
	m->path = path;
	m->chosen_late = e->chosen_late;
	strcpy(m->name, e->source);
	if (*m->name)
		strcat(m->name, ":");
	strcat(m->name, e->name);
}

static void find_entries(struct entries *out, uint32_t object)
{
	const struct tally_object *o = &session.map.object[object - 1];
	const char *path = session.map.text + o->path;
	struct function_entry found[FUNCTION_ENTRIES];
	size_t n;

	if (*path != '/')
		return;
	n = functions_find(path, session.map.tally->from, demangle, found);
	for (size_t i = 0; i < n && i < FUNCTION_ENTRIES; i++) {
		note_meaning(&found[i], o->path);
		if (!found[i].chosen_late)
			out->offset[out->n++] = found[i].offset;
	}
}

void regions_translated(struct block *b, uint64_t host)
{
	static struct entries *of[TALLY_OBJECTS + 1];
	const uint32_t object = site_object(b->pc, host);
	const struct tally_object *o;

	b->enters = false;
	if (!object)
		return;
	if (!of[object]) {
		of[object] = arena_take(sizeof(**of));
		if (!of[object])
			abort();
		*of[object] = (struct entries){ 0 };
		find_entries(of[object], object);
	}
	o = &session.map.object[object - 1];
	for (size_t i = 0; i < of[object]->n; i++)
		b->enters |= b->pc - o->from + o->offset ==
			     of[object]->offset[i];
}

/* ---- trust --------------------------------------------------------------- */

/* A program begins with its arguments at the stack pointer: their number, and
 * a 0 behind the last one. */
static bool is_first_stack(uint64_t sp)
{
	uint64_t n, behind;

	return guest_read(&n, sizeof(n), sp) && n < 1 << 20 &&
	       guest_read(&behind, sizeof(behind), sp + 8 * (n + 1)) &&
	       behind == 0;
}

/* Where a call leaves the address of its return. */
static uint64_t return_address(uint64_t sp, const uint64_t *state)
{
	const unsigned link = registers[session.map.tally->isa].link;
	uint64_t out;

	if (link)
		return state[link];
	return guest_read(&out, sizeof(out), sp) ? out : 0;
}

static void distrust(void)
{
	snprintf(session.map.tally->refused,
		 sizeof(session.map.tally->refused), "this QEMU does not keep "
		 "the stack pointer where --from and --by data expect it");
}

/* The first entries behind a call. A signal handler is entered behind any
 * block: not each entry has to agree. */
static void check(const struct block *last, uint64_t back)
{
	static uint32_t wrong, right;

	if ((last->flow != FLOW_CALL && last->flow != FLOW_INDIRECT_CALL) ||
	    right + wrong > CHECKED)
		return;
	__atomic_fetch_add(back == last->after ? &right : &wrong, 1,
			   __ATOMIC_RELAXED);
	if (wrong > 3 && wrong > right)
		distrust();
}

/* ---- the function -------------------------------------------------------- */

/* The addresses of the function that calls and will go on at `back`, where
 * another function may begin if the call is the caller's last instruction. */
static void find_caller(uint64_t range[2], uint64_t back)
{
	const uint64_t address = back - 1;
	const uint32_t object = site_object(address, (uint64_t)(uintptr_t)
						     guest_host(address));
	const struct tally_object *o = &session.map.object[object - 1];
	uint64_t move;

	range[0] = range[1] = 0;
	if (!object || session.map.text[o->path] != '/')
		return;
	move = o->from - o->offset;
	if (function_around(session.map.text + o->path, address - move,
			    &range[0], &range[1])) {
		range[0] += move;
		range[1] += move;
	}
}

static void enter(struct lane *lane, const struct block *b, uint64_t sp,
		  uint64_t back)
{
	struct within *w = &lane->within;

	w->open = true;
	w->stack = sp;
	if (session.map.tally->isa == ISA_AARCH64 && w->back != back)
		find_caller(w->caller, back);
	w->back = back;
	lane_put(lane, (uint64_t)WORD_ENTER << WORD_KIND | (uintptr_t)b);
}

static bool has_left(const struct within *w, uint64_t pc, uint64_t sp)
{
	if (w->inherited || sp - w->stack > STACK_MOST)
		return false;
	return sp > w->stack ||
	       (session.map.tally->isa == ISA_AARCH64 &&
		(pc == w->back || pc - w->caller[0] <
				  w->caller[1] - w->caller[0]));
}

static void watch(struct lane *lane, const struct block *b,
		  const uint64_t *state)
{
	struct within *w = &lane->within;
	const uint64_t sp = state[registers[session.map.tally->isa].stack];
	uint64_t back;

	if (w->open && has_left(w, b->pc, sp)) {
		w->open = false;
		lane_put(lane, (uint64_t)WORD_LEAVE << WORD_KIND |
			       (uintptr_t)b);
	}
	if (!w->open && b->enters) {
		back = return_address(sp, state);
		if (w->last)
			check(w->last, back);
		enter(lane, b, sp, back);
	}
	w->last = b;
}

void regions_block(unsigned vcpu, void *data, const uint64_t *state)
{
	static bool began;
	struct lane *lane = lane_of(vcpu);

	if (!lane)
		return;
	if (__builtin_expect(!began, false)) {
		began = true;
		if (!is_first_stack(
			    state[registers[session.map.tally->isa].stack]))
			distrust();
	}
	if (session.map.tally->from[0])
		watch(lane, data, state);
	if (session.data)
		data_block(lane, data, state);
	lane_block(vcpu, data);
}

void regions_thread(unsigned vcpu)
{
	struct lane *lane = lane_of(vcpu), *maker = lane_of(tallies_maker());

	if (!lane || !maker || lane == maker || !maker->within.open)
		return;
	lane->within.open = lane->within.inherited = true;
	lane_put(lane, (uint64_t)WORD_ENTER << WORD_KIND);
}
