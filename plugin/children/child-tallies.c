/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tallies of the processes and programs that the program starts
 * (store/programs/child-tally.h): a slot for each.
 */
#include <fcntl.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "plugin/arena.h"
#include "plugin/capture/lane.h"
#include "plugin/capture/queue.h"
#include "plugin/children/child-tallies.h"
#include "plugin/decode/block.h"
#include "plugin/feed/simulator.h"
#include "plugin/regions/regions.h"

/* QEMU's number of the thread that makes the system call. */
static _Thread_local unsigned here = UINT_MAX;

void tallies_here(unsigned vcpu)
{
	here = vcpu;
}

unsigned tallies_maker(void)
{
	return here;
}

/* ---- the file ----------------------------------------------------------- */

static void *map_part(int fd, uint64_t offset, size_t bytes)
{
	void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_NORESERVE, fd, (off_t)offset);

	return memory == MAP_FAILED ? NULL : memory;
}

/* The library's file under the name that it has as long as the library lives;
 * -1: it has no such name here. */
static int open_again(void)
{
	int fd = open(session.tallies->file, O_RDWR | O_CLOEXEC);
	struct stat st;

	if (fd < 0)
		return -1;
	if (fstat(fd, &st) == 0 && st.st_dev == session.file_device &&
	    st.st_ino == session.file_inode)
		return fd;
	close(fd);
	return -1;
}

bool tallies_same_root(void)
{
	struct stat st;

	return stat("/", &st) == 0 && st.st_dev == session.root_device &&
	       st.st_ino == session.root_inode;
}

/* What comes with QEMU's command line is nothing for the program. */
static void close_inherited(const char *path)
{
	static const char own[] = "/proc/self/fd/";

	if (strncmp(path, own, sizeof(own) - 1) == 0)
		close(atoi(path + sizeof(own) - 1));
}

static void note_root(void)
{
	struct stat st;

	if (stat("/", &st) < 0)
		return;
	session.root_device = st.st_dev;
	session.root_inode = st.st_ino;
}

int tallies_open(const char *path, uint32_t slot)
{
	int fd = open(path, O_RDWR | O_CLOEXEC);
	void *memory = NULL;
	struct stat st = { .st_size = 0 };

	if (fd < 0)
		return -1;
	note_root();
	if (fstat(fd, &st) == 0 &&
	    (uint64_t)st.st_size >= sizeof(struct child_tally_head)) {
		session.tallies = map_part(fd, 0, sizeof(*session.tallies));
		session.file_device = st.st_dev;
		session.file_inode = st.st_ino;
	}
	if (session.tallies && child_tally_valid(session.tallies) &&
	    slot < session.tallies->slots &&
	    (uint64_t)st.st_size >= child_slot_offset(slot + 1))
		memory = map_part(fd, child_slot_offset(slot), tally_bytes());
	close(fd);
	close_inherited(path);
	if (!memory)
		return -1;
	tally_place(&session.map, memory);
	session.slot = slot;
	return 0;
}

/* ---- a slot for another ------------------------------------------------- */

bool children_are_simulated(void)
{
	return session.tallies->inherits && !session.child &&
	       !__atomic_load_n(&session.tallies->closed, __ATOMIC_RELAXED);
}

static void fill(struct tally *to, const struct tally *from)
{
	memcpy(to, from, offsetof(struct tally, state));
	to->isa = from->isa;
	memcpy(to->name, from->name, sizeof(to->name));
	to->order = __atomic_fetch_add(&session.tallies->begun, 1,
				       __ATOMIC_RELAXED);
}

enum tally_exec child_slot_take(struct child_slot *out)
{
	const int fd = open_again();
	void *memory = NULL;
	const uint32_t slot = fd < 0 ? CHILD_TALLY_SLOTS :
			      child_slot_claim(session.tallies);

	if (slot < CHILD_TALLY_SLOTS)
		memory = map_part(fd, child_slot_offset(slot), tally_bytes());
	if (memory) {
		tally_place(&out->map, memory);
		out->slot = slot;
		out->fd = fd;
		fill(out->map.tally, session.map.tally);
		return EXEC_NONE;
	}
	if (slot < CHILD_TALLY_SLOTS)
		child_slot_set(session.tallies, slot, CHILD_SLOT_FREE);
	if (fd < 0)
		return EXEC_unreachable;
	close(fd);
	return EXEC_full;
}

void child_slot_give_back(struct child_slot *slot)
{
	memset(slot->map.tally, 0, sizeof(*slot->map.tally));
	munmap(slot->map.tally, slot->map.bytes);
	slot->map.tally = NULL;
	close(slot->fd);
	child_slot_set(session.tallies, slot->slot, CHILD_SLOT_FREE);
}

void tallies_begin(void)
{
	const uint32_t before = session.map.tally->replaced;

	session.map.tally->pid = (uint32_t)getpid();
	if (before && before <= session.tallies->slots)
		child_slot_set(session.tallies, before - 1, CHILD_SLOT_DONE);
}

void tallies_done(void)
{
	child_slot_set(session.tallies, session.slot, CHILD_SLOT_DONE);
}

/* ---- fork --------------------------------------------------------------- */

/* The child's blocks are the parent's and have the numbers of sites. */
static void copy_sites(struct tally_map *to, const struct tally_map *from)
{
	const struct tally *t = from->tally;

	to->tally->objects = t->objects;
	to->tally->sites = t->sites;
	to->tally->text = t->text;
	to->tally->data = t->data;
	to->tally->allocators = t->allocators;
	memcpy(to->object, from->object, t->objects * sizeof(*to->object));
	memcpy(to->text, from->text, t->text);
	for (uint32_t i = 0; i < t->sites; i++) {
		to->site[i].pc = from->site[i].pc;
		to->site[i].object = from->site[i].object;
	}
	for (uint32_t i = 0; i < t->data; i++) {
		to->datum[i] = from->datum[i];
		memset(to->datum[i].count, 0, sizeof(to->datum[i].count));
	}
}

/* The other threads may be anywhere but in the program's code. */
void tallies_before_fork(void)
{
	session.forked.map.tally = NULL;
	if (children_are_simulated() &&
	    child_slot_take(&session.forked) == EXEC_NONE) {
		close(session.forked.fd);
		if (session.attributes || session.map.tally->from[0])
			copy_sites(&session.forked.map, &session.map);
		regions_copy_names(&session.forked.map, &session.map);
	}
	queue_lock();
	arena_lock();
	pthread_mutex_lock(&session.lock);
}

void tallies_in_parent(void)
{
	pthread_mutex_unlock(&session.lock);
	arena_unlock();
	queue_unlock();
	if (session.forked.map.tally)
		munmap(session.forked.map.tally, session.forked.map.bytes);
	else if (!session.child)
		__atomic_fetch_add(&session.map.tally->children, 1,
				   __ATOMIC_RELAXED);
	session.forked.map.tally = NULL;
}

/* Threads that are not here any more. */
static void forget_others(void)
{
	for (unsigned vcpu = 0; vcpu < LANES; vcpu++)
		if (vcpu != here)
			session.lane[vcpu] = NULL;
	session.running = 1;
}

void tallies_in_child(void)
{
	struct tally_map parents = session.map;

	pthread_mutex_init(&session.lock, NULL);
	pthread_mutex_init(&session.writes, NULL);
	arena_unlock();
	queue_reset();
	if (!session.forked.map.tally) {
		session.child = true;
		return;
	}
	session.map = session.forked.map;
	session.slot = session.forked.slot;
	session.forked.map.tally = NULL;
	munmap(parents.tally, parents.bytes);
	forget_others();
	if (session.attributes)
		blocks_forget();
	simulator_forget();
	session.stale = session.map.tally->mode != TALLY_COUNT;
	session.map.tally->pid = (uint32_t)getpid();
	session.map.tally->threads = here < LANES;
	session.map.tally->lost_threads = here >= LANES;
	session.map.tally->behind = 1;
	session.map.tally->began = 1;
	session.map.tally->state = TALLY_RUNNING;
	/* It goes on with nothing in its hands. */
	if (here < LANES && session.lane[here])
		lane_restart(session.lane[here]);
}
