/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The QEMU plugin: every load, store, line of code and branch of a program
 * goes into the software PMU, in QEMU's process.
 *
 *	qemu-x86_64 -plugin libassay-qemu.so,tally=FILE PROGRAM
 *
 * FILE is a tally that the library has made (store/tally.h).
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "session.h"

#define EXPORT __attribute__((visibility("default")))

struct session session = { .lock = PTHREAD_MUTEX_INITIALIZER };

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

/* ... and those that make a thread, among others. */
static const int64_t cloning[ISAS][3] = {
	[ISA_X86_64] = { 56, 435, -1 },
	[ISA_AARCH64] = { 220, 435, -1 },
};

static void watch(struct qemu_plugin_insn *insn, qemu_mem_fn *fn,
		  uintptr_t data)
{
	qemu_plugin_register_vcpu_mem_cb(insn, fn, QEMU_NO_REGS, QEMU_MEM_BOTH,
					 (void *)data);
}

static bool is_odd(const struct step_info *step)
{
	return step->widest || step->streaming;
}

/* Rule 8 of session.h. */
static bool is_announced(const struct block *b)
{
	return session.map.tally->mode != TALLY_COUNT &&
	       b->first != NO_ACCESS &&
	       !(session.fronts && is_odd(&b->step[b->first]));
}

/* The forms of data are those that lane.c says. */
static void watch_accesses(struct qemu_plugin_insn *insn, struct block *b,
			   uint32_t index)
{
	const struct step_info *step = &b->step[index];
	const uintptr_t placed = (uintptr_t)index << WORD_INDEX_SHIFT;
	const bool odd = is_odd(step);

	if (session.fronts && odd)
		watch(insn, front_access_odd, (uintptr_t)step);
	else if (session.fronts && index == b->first)
		watch(insn, front_access_first, (uintptr_t)b);
	else if (session.fronts)
		watch(insn, front_access, 0);
	else if (session.map.tally->mode == TALLY_COUNT)
		watch(insn, lane_access_counted, (uintptr_t)step);
	else if (index >= FAR_INDEX)
		watch(insn, lane_access_far, index);
	else if (index == b->first)
		watch(insn, odd ? lane_access_first_odd : lane_access_first,
		      placed | (uintptr_t)b);
	else
		watch(insn, lane_access, placed | (odd ? WORD_ODD : 0));
}

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
	const bool counts = session.map.tally->mode == TALLY_COUNT;
	struct block *b;

	(void)id;
	if (session.child || !qemu_plugin_tb_n_insns(tb))
		return;
	learn_base(qemu_plugin_tb_get_insn(tb, 0));
	b = block_find(tb);
	if (!b)
		abort();
	if (!is_announced(b))
		qemu_plugin_register_vcpu_tb_exec_cb(tb, counts ?
			lane_block_counted : session.fronts ? front_block :
			lane_block, QEMU_NO_REGS, b);
	for (uint32_t i = 0; i < b->instructions; i++)
		watch_accesses(qemu_plugin_tb_get_insn(tb, i), b, i);
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
	if (!session.child)
		__atomic_fetch_sub(&session.running, 1, __ATOMIC_RELAXED);
}

/* All that was handed over is in the tally then. */
static void settle(void)
{
	if (session.map.tally->mode == TALLY_COUNT)
		return;
	queue_drain();
	if (session.attributes)
		blocks_settle();
	/* The calling thread has nothing in its buffer; others may. */
	session.map.tally->behind = __atomic_load_n(&session.running,
						    __ATOMIC_RELAXED) - 1;
}

static bool among(const int64_t *numbers, int64_t number)
{
	for (; *numbers >= 0; numbers++)
		if (*numbers == number)
			return true;
	return false;
}

/* What comes after a successful execve, or a signal that kills, is not seen
 * any more. */
static void on_call(qemu_plugin_id_t id, unsigned vcpu, int64_t number,
		    uint64_t a1, uint64_t a2, uint64_t a3, uint64_t a4,
		    uint64_t a5, uint64_t a6, uint64_t a7, uint64_t a8)
{
	const uint32_t isa = session.map.tally->isa;
	const bool replaces = among(replacing[isa], number);

	(void)id, (void)a3, (void)a4, (void)a5, (void)a6, (void)a7, (void)a8;
	if (number == replacing[isa][0])
		started_note(a1, a2);
	if (session.child)
		return;
	if (among(cloning[isa], number) && !session.threaded) {
		session.threaded = true;
		lane_flush(session.lane[vcpu]);
	}
	if (!replaces && !among(killing[isa], number))
		return;
	lane_close(vcpu);
	settle();
	if (replaces)
		__atomic_fetch_add(&session.map.tally->replaced, 1,
				   __ATOMIC_RELAXED);
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
	session.map.tally->state = TALLY_COMPLETE;
}

static void in_parent(void)
{
	if (!session.child)
		__atomic_fetch_add(&session.map.tally->children, 1,
				   __ATOMIC_RELAXED);
}

static void in_child(void)
{
	session.child = true;
}

/* ---- setting up --------------------------------------------------------- */

static int complain(const char *why)
{
	fprintf(stderr, "assay's QEMU plugin: %s\n", why);
	return -1;
}

/* The library is told, because it can say it better. */
static int refuse(const char *why)
{
	snprintf(session.map.tally->refused,
		 sizeof(session.map.tally->refused), "%s", why);
	return -1;
}

static int map_tally(const char *path)
{
	struct stat st;
	void *memory = MAP_FAILED;
	int fd = open(path, O_RDWR | O_CLOEXEC);

	if (fd >= 0 && fstat(fd, &st) == 0 &&
	    (uint64_t)st.st_size == tally_bytes())
		memory = mmap(NULL, tally_bytes(), PROT_READ | PROT_WRITE,
			      MAP_SHARED | MAP_NORESERVE, fd, 0);
	if (fd >= 0)
		close(fd);
	if (memory == MAP_FAILED)
		return complain("the tally cannot be mapped");
	tally_place(&session.map, memory);
	if (memcmp(session.map.tally->magic, TALLY_MAGIC, 8) != 0)
		return complain("this is no tally");
	return 0;
}

static const char *bad_tally(const struct tally *t)
{
	if (memcmp(t->version, ASSAY_VERSION, sizeof(ASSAY_VERSION)) != 0 ||
	    t->tally_bytes != sizeof(*t) || t->signals != SIGNALS ||
	    t->geometry_bytes != sizeof(struct geometry) ||
	    t->draws > TALLY_DRAWS || t->mode > TALLY_ATTRIBUTE)
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

static const char *build_one(struct sim **out, const struct geometry *g)
{
	const char *why = NULL;
	size_t bytes = sim_bytes(g, &why);
	void *memory;

	if (!bytes)
		return why ? why : "the geometry cannot be simulated";
	memory = aligned_alloc(64, (bytes + 63) & ~(size_t)63);
	if (!memory)
		return "no memory for the simulator";
	*out = sim_init(memory, g);
	return NULL;
}

/* The first draw of what is random, and as many more as are wanted. */
static const char *build_draws(const struct geometry *g)
{
	struct geometry other = *g;
	const char *why = build_one(&session.sim, g);

	for (uint32_t i = 0; !why && i < session.map.tally->draws; i++) {
		other.draw = g->draw + 1 + i;
		why = build_one(&session.redrawn[i], &other);
	}
	return why;
}

static const char *build_simulator(const struct geometry *g)
{
	const char *why = build_draws(g);

	if (why)
		return why;
	session.attributes = session.map.tally->mode == TALLY_ATTRIBUTE;
	session.predicts = g->predictor.kind != PREDICT_NONE;
	session.places = trains_on_pc(g);
	filter_init(&session.taker.filter, g);
	session.fronts = !session.attributes && !session.places &&
			 front_possible(&session.taker.filter);
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
	if (!learn_store() || !learn_size())
		return "this QEMU describes accesses in an unknown way";
	session.line_shift = 6;
	return t->mode == TALLY_COUNT ? NULL : build_simulator(&t->geometry);
}

/* A program: its threads, its system calls, its end. */
static int watch_program(qemu_plugin_id_t id)
{
	if (pthread_atfork(NULL, in_parent, in_child) != 0)
		return refuse("no memory");
	if (session.map.tally->mode != TALLY_COUNT && queue_start() < 0)
		return refuse("no thread to simulate in");
	qemu_plugin_register_vcpu_init_cb(id, on_thread);
	qemu_plugin_register_vcpu_exit_cb(id, on_thread_end);
	qemu_plugin_register_vcpu_tb_trans_cb(id, on_translation);
	qemu_plugin_register_vcpu_syscall_cb(id, on_call);
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

int qemu_plugin_install(qemu_plugin_id_t id, const struct qemu_info *info,
			int argc, char **argv)
{
	static const char key[] = "tally=";
	const char *why;

	if (argc != 1 || strncmp(argv[0], key, sizeof(key) - 1) != 0)
		return complain("its only argument is tally=FILE");
	if (map_tally(argv[0] + sizeof(key) - 1) < 0)
		return -1;
	why = set_up(info);
	if (why)
		return refuse(why);
	if ((info->system_emulation ? watch_board : watch_program)(id) < 0)
		return -1;
	session.map.tally->state = TALLY_RUNNING;
	return 0;
}
