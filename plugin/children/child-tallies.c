/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tallies of what the program starts (store/kin.h): a slot for a process
 * that it forks, and for a program that takes its place.
 */
#include <fcntl.h>
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

/* The thread that makes the system call. */
static _Thread_local unsigned here;

void kin_here(unsigned vcpu)
{
	here = vcpu;
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

bool kin_same_root(void)
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

int kin_open(const char *path, uint32_t slot)
{
	int fd = open(path, O_RDWR | O_CLOEXEC);
	void *memory = NULL;
	struct stat st = { .st_size = 0 };

	if (fd < 0)
		return -1;
	note_root();
	if (fstat(fd, &st) == 0 &&
	    (uint64_t)st.st_size >= sizeof(struct child_tally_head)) {
		session.tallies = map_part(fd, 0, sizeof(struct child_tally_head));
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

bool kin_follows(void)
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

enum tally_exec kin_take(struct heir *out)
{
	const int fd = open_again();
	void *memory = NULL;
	const uint32_t slot = fd < 0 ? CHILD_TALLY_SLOTS : child_slot_claim(session.tallies);

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

void kin_give_back(struct heir *heir)
{
	memset(heir->map.tally, 0, sizeof(*heir->map.tally));
	munmap(heir->map.tally, heir->map.bytes);
	heir->map.tally = NULL;
	close(heir->fd);
	child_slot_set(session.tallies, heir->slot, CHILD_SLOT_FREE);
}

void kin_begin(void)
{
	const uint32_t before = session.map.tally->replaced;

	session.map.tally->pid = (uint32_t)getpid();
	if (before && before <= session.tallies->slots)
		child_slot_set(session.tallies, before - 1, CHILD_SLOT_DONE);
}

void kin_done(void)
{
	child_slot_set(session.tallies, session.slot, CHILD_SLOT_DONE);
}

/* ---- fork --------------------------------------------------------------- */

/* Blocks of the child know their sites by number. */
static void copy_sites(struct tally_map *to, const struct tally_map *from)
{
	const struct tally *t = from->tally;

	to->tally->objects = t->objects;
	to->tally->sites = t->sites;
	to->tally->text = t->text;
	memcpy(to->object, from->object, t->objects * sizeof(*to->object));
	memcpy(to->text, from->text, t->text);
	for (uint32_t i = 0; i < t->sites; i++) {
		to->site[i].pc = from->site[i].pc;
		to->site[i].object = from->site[i].object;
	}
}

/* The other threads may be anywhere but in the program's code. */
void kin_before_fork(void)
{
	session.heir.map.tally = NULL;
	if (kin_follows() && kin_take(&session.heir) == EXEC_NONE) {
		close(session.heir.fd);
		if (session.attributes)
			copy_sites(&session.heir.map, &session.map);
	}
	queue_lock();
	arena_lock();
	pthread_mutex_lock(&session.lock);
}

void kin_in_parent(void)
{
	pthread_mutex_unlock(&session.lock);
	arena_unlock();
	queue_unlock();
	if (session.heir.map.tally)
		munmap(session.heir.map.tally, session.heir.map.bytes);
	else if (!session.child)
		__atomic_fetch_add(&session.map.tally->children, 1,
				   __ATOMIC_RELAXED);
	session.heir.map.tally = NULL;
}

/* Threads that are not here any more. */
static void forget_others(void)
{
	for (unsigned vcpu = 0; vcpu < LANES; vcpu++)
		if (vcpu != here)
			session.lane[vcpu] = NULL;
	session.running = 1;
}

void kin_in_child(void)
{
	struct tally_map parents = session.map;

	pthread_mutex_init(&session.lock, NULL);
	pthread_mutex_init(&session.writes, NULL);
	arena_unlock();
	queue_reset();
	if (!session.heir.map.tally) {
		session.child = true;
		return;
	}
	session.map = session.heir.map;
	session.slot = session.heir.slot;
	session.heir.map.tally = NULL;
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
