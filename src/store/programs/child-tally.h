/* SPDX-License-Identifier: MIT */
/*
 * The tallies of a program and of all its children, in one unnamed file that
 * needs memory only for pages that were written: a head, then slots of one
 * tally each. A program claims a slot before it begins, as does a forked
 * process. The library adds up the slots that are done, clears them and frees
 * them. Slot states are atomic; a slot's tally has one writer at a time.
 */
#ifndef STORE_PROGRAMS_CHILD_TALLY_H
#define STORE_PROGRAMS_CHILD_TALLY_H

#include "store/programs/tally.h"

#define CHILD_TALLY_MAGIC "assay\0K\1"
#define CHILD_TALLY_SLOTS 4096u
#define CHILD_TALLY_PAGE 4096u

enum child_slot_state { CHILD_SLOT_FREE, CHILD_SLOT_TAKEN, CHILD_SLOT_DONE };

struct child_tally_head {
	/* written by the library */
	char magic[8];
	uint32_t head_bytes, slots;
	uint64_t slot_bytes;
	uint32_t inherits;	/* children are simulated, too */
	uint32_t closed;	/* the library adds up no more slots */
	/* how QEMU is started for a child */
	char qemu[4096], cpu[256], sysroot[256];
	char plugin[8192];	/* commas doubled */
	char file[64];		/* this file's name while the library lives */
	/* written by the plugins */
	uint64_t begun;		/* programs that have claimed a slot */
	uint32_t slot[CHILD_TALLY_SLOTS];	/* enum child_slot_state */
};

static inline uint64_t child_tally_round(uint64_t bytes)
{
	return (bytes + CHILD_TALLY_PAGE - 1) / CHILD_TALLY_PAGE *
	       CHILD_TALLY_PAGE;
}

static inline uint64_t child_slot_bytes(void)
{
	return child_tally_round(tally_bytes());
}

/* A slot's offset in the file. */
static inline uint64_t child_slot_offset(uint32_t slot)
{
	return child_tally_round(sizeof(struct child_tally_head)) +
	       slot * child_slot_bytes();
}

/* Is this the head of a file of this build? */
static inline bool child_tally_valid(const struct child_tally_head *tallies)
{
	static const char magic[8] = CHILD_TALLY_MAGIC;

	for (int i = 0; i < 8; i++)
		if (tallies->magic[i] != magic[i])
			return false;
	return tallies->head_bytes == sizeof(*tallies) &&
	       tallies->slots <= CHILD_TALLY_SLOTS &&
	       tallies->slot_bytes == child_slot_bytes();
}

/* Claims a free slot (all 0). Returns its number, or CHILD_TALLY_SLOTS. */
static inline uint32_t child_slot_claim(struct child_tally_head *tallies)
{
	for (uint32_t i = 0; i < tallies->slots; i++) {
		uint32_t expected = CHILD_SLOT_FREE;

		if (__atomic_compare_exchange_n(&tallies->slot[i], &expected,
						CHILD_SLOT_TAKEN, false,
						__ATOMIC_SEQ_CST,
						__ATOMIC_SEQ_CST))
			return i;
	}
	return CHILD_TALLY_SLOTS;
}

static inline void child_slot_set(struct child_tally_head *tallies,
				  uint32_t slot, enum child_slot_state to)
{
	__atomic_store_n(&tallies->slot[slot], (uint32_t)to, __ATOMIC_SEQ_CST);
}

/* The library's side: the file, its head and the first program's slot. */
struct child_tally_file {
	int fd;
	struct child_tally_head *tallies;
	struct tally_map first;
};

/*
 * Makes a file of up to that many slots, as the limit of a file's size allows,
 * and claims and maps the first slot. Returns 0 or -ASSAY_ENOMEM.
 */
int child_tally_create(struct child_tally_file *out, uint32_t slots,
		       struct assay_error *err);
void child_tally_free(struct child_tally_file *file);

/* Maps a slot; the caller unmaps by tally_free(). 0 or -ASSAY_ENOMEM. */
int child_tally_map(const struct child_tally_file *file, uint32_t slot,
		    struct tally_map *out, struct assay_error *err);
/* Clears and frees a slot that is done. */
void child_tally_release(const struct child_tally_file *file, uint32_t slot);

#endif
