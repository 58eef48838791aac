/* SPDX-License-Identifier: MIT */
/*
 * The tallies of a program and of all that it starts, in one file that takes
 * memory only where it is written: this head, then slots of a tally each.
 * A program takes a slot before it begins; so does what it forks. The library
 * adds up slots that are done, empties them and gives them back.
 */
#ifndef STORE_PROGRAMS_CHILD_TALLY_H
#define STORE_PROGRAMS_CHILD_TALLY_H

#include "store/programs/tally.h"

#define KIN_MAGIC "assay\0K\1"
#define KIN_SLOTS 4096u
#define KIN_PAGE 4096u

enum kin_slot { KIN_FREE, KIN_TAKEN, KIN_DONE };

struct kin {
	/* the library's */
	char magic[8];
	uint32_t head_bytes, slots;
	uint64_t slot_bytes;
	uint32_t inherits;	/* what is started is simulated, too */
	uint32_t closed;	/* the library counts no more */
	/* how QEMU is started again */
	char qemu[4096], cpu[256], sysroot[256];
	char plugin[8192];	/* commas doubled */
	char file[64];		/* of this; its name while the library lives */
	/* the plugins' */
	uint64_t begun;		/* programs that have taken a slot */
	uint32_t slot[KIN_SLOTS];	/* enum kin_slot */
};

static inline uint64_t kin_round(uint64_t bytes)
{
	return (bytes + KIN_PAGE - 1) / KIN_PAGE * KIN_PAGE;
}

static inline uint64_t kin_slot_bytes(void)
{
	return kin_round(tally_bytes());
}

/* Where a slot is in the file. */
static inline uint64_t kin_offset(uint32_t slot)
{
	return kin_round(sizeof(struct kin)) + slot * kin_slot_bytes();
}

/* Is this the head of such a file, from this build? */
static inline bool kin_valid(const struct kin *kin)
{
	static const char magic[8] = KIN_MAGIC;

	for (int i = 0; i < 8; i++)
		if (kin->magic[i] != magic[i])
			return false;
	return kin->head_bytes == sizeof(*kin) && kin->slots <= KIN_SLOTS &&
	       kin->slot_bytes == kin_slot_bytes();
}

/* Takes a free slot, which is all 0. Returns its number; KIN_SLOTS: none. */
static inline uint32_t kin_claim(struct kin *kin)
{
	for (uint32_t i = 0; i < kin->slots; i++) {
		uint32_t expected = KIN_FREE;

		if (__atomic_compare_exchange_n(&kin->slot[i], &expected,
						KIN_TAKEN, false,
						__ATOMIC_SEQ_CST,
						__ATOMIC_SEQ_CST))
			return i;
	}
	return KIN_SLOTS;
}

static inline void kin_set(struct kin *kin, uint32_t slot, enum kin_slot to)
{
	__atomic_store_n(&kin->slot[slot], (uint32_t)to, __ATOMIC_SEQ_CST);
}

/* The library's side: the file, its head and the first program's slot. */
struct kin_file {
	int fd;
	struct kin *kin;
	struct tally_map first;
};

/*
 * Makes one with that many slots, or as many as the limit of a file's size
 * allows. The first slot is taken and mapped. Returns 0 or -ASSAY_ENOMEM.
 */
int kin_create(struct kin_file *out, uint32_t slots, struct assay_error *err);
void kin_free(struct kin_file *file);

/* Maps a slot. Returns 0 or -ASSAY_ENOMEM. */
int kin_map(const struct kin_file *file, uint32_t slot, struct tally_map *out,
	    struct assay_error *err);
/* Empties a slot that is done, and gives it back. */
void kin_release(const struct kin_file *file, uint32_t slot);

#endif
