/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The QEMU plugin: every load, store, line of code and branch of a program
 * goes into the software PMU, in QEMU's process.
 *
 *	qemu-x86_64 -plugin assay-qemu.so,tally=FILE[,slot=N] PROGRAM
 *
 * FILE holds tallies; the library made it (store/programs/child-tally.h).
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "plugin/board.h"
#include "plugin/callbacks/entry.h"
#include "plugin/callbacks/instrument-block.h"
#include "plugin/capture/queue.h"
#include "plugin/children/child-tallies.h"
#include "plugin/children/follow-exec.h"
#include "plugin/children/not-simulated.h"
#include "plugin/data/data.h"
#include "plugin/decode/block.h"
#include "plugin/feed/consume.h"
#include "plugin/feed/simulator.h"
#include "plugin/regions/regions.h"
#include "plugin/site.h"
#include "plugin/why/why.h"

#define EXPORT __attribute__((visibility("default")))

EXPORT extern const int qemu_plugin_version;
const int qemu_plugin_version = QEMU_API;

/* Numbers of the program's system calls: execve and execveat, ... */
static const int64_t replacing[ISAS][3] = {
	[ISA_X86_64] = { 59, 322, -1 },
	[ISA_AARCH64] = { 221, 281, -1 },
};
/* ... and kill, tkill, tgkill, rt_sigqueueinfo, rt_tgsigqueueinfo. */
static const int64_t killing[ISAS][6] = {
	[ISA_X86_64] = { 62, 200, 234, 129, 297, -1 },
	[ISA_AARCH64] = { 129, 130, 131, 138, 240, -1 },
};

/* ... and those that make a thread or a process: clone, clone3, fork, vfork. */
static const int64_t cloning[ISAS][5] = {
	[ISA_X86_64] = { 56, 435, 57, 58, -1 },
	[ISA_AARCH64] = { 220, 435, -1 },
};

/* ... and mmap, munmap, mremap. */
enum mapping { MAP, UNMAP, REMAP, MAPPINGS };
static const int64_t mapping[ISAS][MAPPINGS] = {
	[ISA_X86_64] = { 9, 11, 25 },
	[ISA_AARCH64] = { 222, 215, 216 },
};

/* The same for all of a program's memory. */
static void learn_base(const struct qemu_plugin_insn *insn)
{
	const void *host = qemu_plugin_insn_haddr(insn);

	if (host)
		session.guest_base = (uint64_t)(uintptr_t)host -
				     qemu_plugin_insn_vaddr(insn);
}

static void on_translation(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	struct block *b;

	(void)id;
	if (session.child || !qemu_plugin_tb_n_insns(tb))
		return;
	learn_base(qemu_plugin_tb_get_insn(tb, 0));
	session.map.tally->began = 1;
	b = block_find(tb);
	if (!b)
		abort();
	if (session.map.tally->from[0])
		regions_translated(b, (uint64_t)(uintptr_t)
				   qemu_plugin_insn_haddr(
					   qemu_plugin_tb_get_insn(tb, 0)));
	if (session.data)
		data_translated(b, (uint64_t)(uintptr_t)
				qemu_plugin_insn_haddr(
					qemu_plugin_tb_get_insn(tb, 0)));
	instrument_block(tb, b);
}

static void on_thread(qemu_plugin_id_t id, unsigned vcpu)
{
	(void)id;
	lane_open(vcpu);
}

static void on_thread_end(qemu_plugin_id_t id, unsigned vcpu)
{
	(void)id;
	lane_close(vcpu);
	if (!session.child && lane_of(vcpu))
		__atomic_fetch_sub(&session.running, 1, __ATOMIC_RELAXED);
}

/* Of the calling thread: it may end here, and all it did is in the tally. */
static _Thread_local bool settled;

/* The tally lacks the last buffer of each running thread, but for `but`. */
static void lag(unsigned but)
{
	session.map.tally->behind = __atomic_load_n(&session.running,
						    __ATOMIC_RELAXED) - but;
}

/* All that was handed over is in the tally then. */
static void settle(void)
{
	if (session.map.tally->mode != TALLY_COUNT)
		queue_drain();
	if (session.attributes) {
		if (tally_begin())
			blocks_settle();
		tally_end();
	}
	/* The calling thread has nothing in its buffer; others may. */
	lag(1);
	settled = true;
}

/* This thread was not the last to die: soon it has something again. */
static void go_on(void)
{
	if (settled)
		lag(0);
	settled = false;
}

static bool among(const int64_t *numbers, int64_t number)
{
	for (; *numbers >= 0; numbers++)
		if (*numbers == number)
			return true;
	return false;
}

/*
 * Another program: under a QEMU of its own, or else by QEMU's own call, behind
 * which nothing follows if it succeeds.
 */
static void replace(const struct execution *e)
{
	struct tally *t = session.map.tally;
	enum tally_exec why = EXEC_alone;

	if (!session.child) {
		t->state = t->behind ? TALLY_RUNNING : TALLY_COMPLETE;
		why = follow_exec(e);
		t->state = TALLY_RUNNING;
		t->not_simulated = why;
	}
	not_simulated_note(e->path, e->arguments, why);
}

static bool is_execution(struct execution *out, int64_t number,
			 const uint64_t *a)
{
	const int64_t *numbers = replacing[session.map.tally->isa];

	if (number == numbers[0])
		*out = (struct execution){ AT_FDCWD, 0, a[0], a[1], a[2] };
	else if (number == numbers[1])
		*out = (struct execution){ (int)a[0], (int)a[4], a[1], a[2],
					   a[3] };
	return number == numbers[0] || number == numbers[1];
}

/* As if it succeeded: what is still there is found again. */
static void on_mapping(int64_t number, const uint64_t *a)
{
	enum { FIXED = 0x10, MOVED = 2 };	/* MAP_, MREMAP_ */
	const int64_t *numbers = mapping[session.map.tally->isa];

	if (number == numbers[UNMAP] || number == numbers[REMAP] ||
	    (number == numbers[MAP] && a[3] & FIXED))
		site_unmap(a[0], a[1]);
	if (number == numbers[REMAP] && a[3] & MOVED)
		site_unmap(a[4], a[2]);
}

/* May it be the last that this process does? */
static bool may_kill(int64_t number, const uint64_t *a)
{
	const int64_t *numbers = killing[session.map.tally->isa];
	const int32_t target = (int32_t)a[0];	/* process; of tkill a thread */

	return among(numbers, number) &&
	       (target <= 0 || target == getpid() || number == numbers[1]);
}

/* What comes after a successful execve, or a signal that kills, is not seen
 * any more. */
static void on_call(qemu_plugin_id_t id, unsigned vcpu, int64_t number,
		    uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4,
		    uint64_t a5, uint64_t a6, uint64_t a7, uint64_t a8)
{
	const uint64_t arguments[] = { a1, a2, a3, a4, a5 };
	const uint32_t isa = session.map.tally->isa;
	struct execution execution;
	const bool replaces = is_execution(&execution, number, arguments);

	(void)id, (void)a6, (void)a7, (void)a8;
	if (session.child) {
		if (replaces)
			replace(&execution);
		return;
	}
	if (regions_call(vcpu, number, arguments))
		return;
	if (session.attributes || session.map.tally->from[0])
		on_mapping(number, arguments);
	if (among(cloning[isa], number))
		tallies_here(vcpu);
	go_on();
	if (!replaces && !may_kill(number, arguments))
		return;
	lane_close(vcpu);
	settle();
	if (replaces)
		replace(&execution);
}

/* execve has failed, or nobody was killed. */
static void on_return(qemu_plugin_id_t id, unsigned vcpu, int64_t number,
		      int64_t result)
{
	struct tally *t = session.map.tally;

	(void)id, (void)vcpu;
	if (session.child || result >= 0)
		return;
	if (among(replacing[t->isa], number))
		t->not_simulated = EXEC_NONE;
	go_on();
}

/* QEMU has taken all threads out of the program's code before. */
static void on_exit_(qemu_plugin_id_t id, void *data)
{
	(void)id;
	(void)data;
	if (session.child)
		return;
	for (unsigned vcpu = 0; vcpu < LANES; vcpu++)
		lane_close(vcpu);
	settle();
	queue_stop();
	session.map.tally->behind = 0;
	session.map.tally->state = TALLY_COMPLETE;
	tallies_done();
}

/* ---- setting up --------------------------------------------------------- */

static int complain(const char *why)
{
	fprintf(stderr, "assay's QEMU plugin: %s\n", why);
	return -1;
}

/* The library reads the reason and prints it. */
static int refuse(const char *why)
{
	snprintf(session.map.tally->refused,
		 sizeof(session.map.tally->refused), "%s", why);
	return -1;
}

static const char *bad_tally(const struct tally *t)
{
	if (memcmp(t->version, ASSAY_VERSION, sizeof(ASSAY_VERSION)) != 0 ||
	    t->tally_bytes != sizeof(*t) || t->signals != SIGNALS ||
	    t->geometry_bytes != sizeof(struct geometry) ||
	    t->draws > TALLY_DRAWS || t->mode > TALLY_DATA)
		return "the plugin and the library are of different builds";
	return NULL;
}

/*
 * QEMU's word about an access is opaque, and asking for its parts is a call
 * each. One bit says whether it is a store; some adjacent ones are the size.
 * Find them, and make sure.
 */
static bool learn_store(void)
{
	int stores = 0;

	for (unsigned bit = 0; bit < 32; bit++) {
		if (!qemu_plugin_mem_is_store(UINT32_C(1) << bit))
			continue;
		session.store_bit = bit;
		stores++;
	}
	return stores == 1 && !qemu_plugin_mem_is_store(0);
}

static bool learn_size(void)
{
	unsigned bit = 0;

	while (bit < 16 && qemu_plugin_mem_size_shift(1u << bit) != 1)
		bit++;
	session.size_bit = bit;
	for (; bit < 20 && qemu_plugin_mem_size_shift(1u << bit); bit++)
		session.size_mask = session.size_mask << 1 | 1;
	for (uint32_t word = 0; word < 1u << 16; word++)
		if (qemu_plugin_mem_size_shift(word) !=
		    (word >> session.size_bit & session.size_mask))
			return false;
	return session.size_mask >= 7 && session.size_mask <= 15;
}

static bool trains_on_pc(const struct geometry *g)
{
	for (uint32_t i = 0; i < g->prefetchers; i++)
		if (g->prefetcher[i].on &&
		    g->prefetcher[i].kind == PREFETCH_IP_STRIDE)
			return true;
	return false;
}

static const char *build_simulator(const struct geometry *g)
{
	const char *why;

	session.attributes = session.map.tally->mode >= TALLY_ATTRIBUTE;
	why = simulator_build(g);	/* looks at it */
	if (!why && session.map.tally->mode == TALLY_WHY)
		why = why_build(g);
	if (!why && session.map.tally->mode == TALLY_DATA)
		why = data_build();
	if (why)
		return why;
	session.predicts = g->predictor.kind != PREDICT_NONE;
	session.places = trains_on_pc(g);
	simulator_forget();
	session.translates_data = g->dtlb.present;
	session.translates = g->itlb.present;
	session.line_shift = (unsigned)__builtin_ctz(g->l1d.line_bytes);
	return NULL;
}

static const char *set_up(const struct qemu_info *info)
{
	struct tally *t = session.map.tally;
	const char *why = bad_tally(t);

	if (why)
		return why;
	t->isa = strcmp(info->target_name, "aarch64") == 0 ? ISA_AARCH64
							   : ISA_X86_64;
	session.decode = t->isa == ISA_AARCH64 ? decode_aarch64
					       : decode_x86_64;
	if (t->isa == ISA_X86_64 && strcmp(info->target_name, "x86_64") != 0)
		return "only programs for x86-64 and AArch64 can be simulated";
	if (info->system_emulation && (t->isa != ISA_AARCH64 ||
	    !t->board.ram[1] || t->mode != TALLY_SIMULATE))
		return "of whole machines, only the bare-metal image can be "
		       "simulated";
	if (t->from[0] && !entry_watched)
		return "the entry of a function is found on x86-64 machines "
		       "only";
	if (!learn_store() || !learn_size())
		return "this QEMU describes accesses in an unknown way";
	session.line_shift = 6;
	return t->mode == TALLY_COUNT ? NULL : build_simulator(&t->geometry);
}

/* A full buffer. */
static void consume_buffer(struct buffer *buffer)
{
	if (session.stale)
		simulator_reset();
	if (tally_begin())
		consume(buffer);
	tally_end();
}

/* A program: its threads, its system calls, its end. */
static int watch_program(qemu_plugin_id_t id)
{
	if (pthread_atfork(tallies_before_fork, tallies_in_parent,
			   tallies_in_child) != 0)
		return refuse("no memory");
	queue_open(consume_buffer);
	qemu_plugin_register_vcpu_init_cb(id, on_thread);
	qemu_plugin_register_vcpu_exit_cb(id, on_thread_end);
	qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation);
	qemu_plugin_register_vcpu_syscall_cb(id, on_call);
	qemu_plugin_register_vcpu_syscall_ret_cb(id, on_return);
	qemu_plugin_register_atexit_cb(id, on_exit_, NULL);
	return 0;
}

static int watch_board(qemu_plugin_id_t id)
{
	qemu_plugin_register_vcpu_tb_trans_cb(id, board_translated);
	qemu_plugin_register_atexit_cb(id, board_exit, NULL);
	return 0;
}

EXPORT int qemu_plugin_install(qemu_plugin_id_t id,
			       const struct qemu_info *info, int argc,
			       char **argv);

static bool take_arguments(int argc, char **argv, const char **path,
			   uint32_t *slot)
{
	static const char file[] = "tally=", number[] = "slot=";

	for (int i = 0; i < argc; i++) {
		if (strncmp(argv[i], file, sizeof(file) - 1) == 0)
			*path = argv[i] + sizeof(file) - 1;
		else if (strncmp(argv[i], number, sizeof(number) - 1) == 0)
			*slot = (uint32_t)strtoul(argv[i] + sizeof(number) - 1,
						  NULL, 10);
		else
			return false;
	}
	return *path;
}

int qemu_plugin_install(qemu_plugin_id_t id, const struct qemu_info *info,
			int argc, char **argv)
{
	const char *path = NULL, *why;
	uint32_t slot = 0;

	if (!take_arguments(argc, argv, &path, &slot))
		return complain("its arguments are tally=FILE[,slot=N]");
	if (tallies_open(path, slot) < 0)
		return complain("the tally cannot be mapped");
	if (memcmp(session.map.tally->magic, TALLY_MAGIC, 8) != 0)
		return complain("this is no tally");
	why = set_up(info);
	if (why)
		return refuse(why);
	if ((info->system_emulation ? watch_board : watch_program)(id) < 0)
		return -1;
	tallies_begin();
	session.map.tally->state = TALLY_RUNNING;
	return 0;
}
