/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A board without an operating system: the bare-metal image in QEMU's system
 * emulation, on one core.
 *
 * 1. Only the kernels' own code goes into the simulator (tally_board.code),
 *    instruction by instruction, warm-up included. What the image does around
 *    it disturbs no cache of the model, so that closed forms hold to the last
 *    digit.
 * 2. It counts between the stores that begin and end a region.
 * 3. A branch belongs to the code that it is in.
 */
#include <stdlib.h>
#include <string.h>

#include "plugin/board.h"
#include "plugin/session.h"

#define RECORDS 4096
#define CALLS 64

/* Of a translation; never freed. */
struct step {
	uint64_t pc;
	uint8_t flow;		/* enum flow */
	int8_t unseen;		/* enum tally_unseen, or -1 */
	bool counts, streams;
};

static struct {
	uint64_t record[RECORDS];
	uint32_t records;
	const struct step *last;
	uint64_t base;		/* the PC that the simulator knows */
	uint64_t line;		/* of code, that was fetched last */
	uint64_t retired;	/* and not fed */
	uint64_t calls[CALLS];	/* see follow() */
	uint32_t depth;
	bool inside;		/* the last step was fed */
	bool counting;		/* and in a region */
	bool open;		/* a region is */
	uint64_t before[SIGNALS];
	struct tally_region sum;
} board = { .base = UINT64_MAX, .line = UINT64_MAX };

static void feed(void)
{
	const uint64_t retired = access_pack(ACCESS_RETIRE, 0, 0,
					     board.retired);

	if (board.records)
		sim_feed(session.sim, board.record, board.records);
	if (board.retired)
		sim_feed(session.sim, &retired, 1);
	board.records = 0;
	board.retired = 0;
}

static void put(uint64_t record)
{
	board.record[board.records++] = record;
	if (board.records == RECORDS)
		feed();
}

/* ---- regions ------------------------------------------------------------ */

static void start_counting(void)
{
	feed();
	memcpy(board.before, sim_signals(session.sim), sizeof(board.before));
	board.counting = true;
}

static void stop_counting(void)
{
	const uint64_t *now;

	feed();
	now = sim_signals(session.sim);
	for (int i = 0; i < SIGNALS; i++)
		board.sum.signal[i] += now[i] - board.before[i];
	board.counting = false;
}

static void begin_region(void)
{
	board.sum = (struct tally_region){ .run = session.map.tally->runs };
	board.open = true;
}

static void end_region(void)
{
	struct tally *t = session.map.tally;

	if (!board.open)
		return;
	if (t->regions < TALLY_REGIONS)
		session.map.region[t->regions++] = board.sum;
	else
		t->lost_regions++;
	board.open = false;
}

/* Words that the image only stores to to tell us. */
static void take_mark(uint64_t address)
{
	const struct tally_board *b = &session.map.tally->board;

	if (address == b->run)
		session.map.tally->runs++;
	else if (address == b->begin)
		begin_region();
	else if (address == b->end)
		end_region();
}

/* ---- what runs ---------------------------------------------------------- */

static unsigned site_of(const struct step *step)
{
	if (step->pc < board.base || step->pc - board.base >= 1024) {
		board.base = step->pc;
		put(access_pack(ACCESS_PC, 0, 0, step->pc));
	}
	return (unsigned)(step->pc - board.base) / 4;
}

/* How the step before ended, now that it is known where it went. */
static void put_flow(const struct step *from, uint64_t to)
{
	unsigned site;

	if (from->flow == FLOW_NEXT)
		return;
	site = site_of(from);
	switch ((enum flow)from->flow) {
	case FLOW_CALL:
		put(access_pack(ACCESS_CALL, 0, site, from->pc + 4));
		break;
	case FLOW_RETURN:
		put(access_pack(ACCESS_RETURN, 0, site, to));
		break;
	case FLOW_JUMP:
		put(access_pack(ACCESS_JUMP, 0, site, to));
		break;
	default:
		put(access_pack(ACCESS_BRANCH,
				to != from->pc + 4 ? ACCESS_TAKEN : 0, site,
				1));
		break;
	}
}

/* Calls of other code that have not returned; the oldest may be forgotten. */
static void follow(const struct step *step)
{
	if (step->flow == FLOW_CALL)
		board.calls[board.depth++ % CALLS] = step->pc + 4;
	else if (step->flow == FLOW_RETURN && board.depth)
		board.depth--;
}

/*
 * From other code, of which the simulator sees nothing but the call that the
 * kernel returns from.
 */
static void enter(void)
{
	board.line = UINT64_MAX;
	if (board.depth)
		put(access_pack(ACCESS_CALL, 0, 0,
				board.calls[--board.depth % CALLS]));
	if (board.open)
		start_counting();
}

static void on_step(unsigned vcpu, void *data)
{
	const struct step *step = data;
	uint64_t line = step->pc >> session.line_shift;

	(void)vcpu;
	if (board.inside) {
		put_flow(board.last, step->pc);
		/* left by a jump: what it jumped to will return */
		if (!step->counts && board.last->flow != FLOW_RETURN)
			board.depth++;
	}
	if (!step->counts && board.counting)
		stop_counting();
	if (step->counts && !board.inside)
		enter();
	board.inside = step->counts;
	board.last = step;
	if (!board.inside) {
		follow(step);
		return;
	}
	if (line != board.line) {
		board.line = line;
		put(access_pack(ACCESS_FETCH, 0, site_of(step),
				line << session.line_shift));
	}
	board.retired++;
	if (step->unseen >= 0 && board.counting)
		board.sum.unseen[step->unseen]++;
}

static void on_access(unsigned vcpu, qemu_plugin_meminfo_t info,
		      uint64_t address, void *data)
{
	const struct tally_board *b = &session.map.tally->board;
	const struct step *step = data;
	bool store = qemu_plugin_mem_is_store(info);
	enum access_kind kind = !store ? ACCESS_LOAD : step->streams ?
				ACCESS_STORE_NT : ACCESS_STORE;

	(void)vcpu;
	if (!step->counts) {
		if (store)
			take_mark(address);
		return;
	}
	if (address < b->ram[0] || address >= b->ram[1])
		return;
	put(access_pack(kind, qemu_plugin_mem_size_shift(info), site_of(step),
			address));
}

/* ---- translation -------------------------------------------------------- */

static bool counts(uint64_t pc)
{
	const struct tally_board *b = &session.map.tally->board;

	return (pc >= b->code[0][0] && pc < b->code[0][1]) ||
	       (pc >= b->code[1][0] && pc < b->code[1][1]);
}

static void describe(struct step *step, const struct qemu_plugin_insn *insn)
{
	const struct decoded d = session.decode(qemu_plugin_insn_data(insn),
						qemu_plugin_insn_size(insn));

	*step = (struct step){
		.pc = qemu_plugin_insn_vaddr(insn), .flow = (uint8_t)d.flow,
		.unseen = (int8_t)d.unseen, .streams = d.streaming,
	};
	/* the traces of kernels do not tell the targets of calls either */
	if (d.flow == FLOW_INDIRECT_CALL)
		step->flow = FLOW_CALL;
	step->counts = counts(step->pc);
}

void board_translated(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	size_t n = qemu_plugin_tb_n_insns(tb);
	struct step *step = calloc(n, sizeof(*step));

	(void)id;
	if (!step && n)
		abort();
	for (size_t i = 0; i < n; i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);

		describe(&step[i], insn);
		qemu_plugin_register_vcpu_insn_exec_cb(insn, on_step,
						       QEMU_NO_REGS, &step[i]);
		qemu_plugin_register_vcpu_mem_cb(insn, on_access,
						 QEMU_NO_REGS, QEMU_MEM_BOTH,
						 &step[i]);
	}
}

void board_exit(qemu_plugin_id_t id, void *data)
{
	(void)id;
	(void)data;
	feed();
	session.map.tally->state = TALLY_COMPLETE;
}
