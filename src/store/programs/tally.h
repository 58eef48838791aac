/* SPDX-License-Identifier: MIT */
/*
 * The memory that the library shares with the QEMU plugin: first what is to be
 * simulated, then what was counted. Both sides come from one build; the
 * plugin refuses anything else. It is kept up to date while the program runs,
 * so that it can be read even if the program was killed.
 *
 *   struct tally, struct tally_object[], struct tally_site[],
 *   struct tally_region[], text
 *
 * Objects are the files that code was mapped from. Sites are instructions.
 * Site 0 takes what found no room, so that the sites add up to the signals.
 */
#ifndef STORE_PROGRAMS_TALLY_H
#define STORE_PROGRAMS_TALLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "assay/error.h"
#include "base/geometry.h"

#define TALLY_MAGIC "assay\0T\2"
#define TALLY_SIGNALS 192	/* room for base/signals.def */
#define TALLY_DRAWS 8
#define TALLY_OBJECTS 4096u
#define TALLY_SITES (1u << 20)
#define TALLY_TEXT (1u << 20)
#define TALLY_REGIONS 16384u

enum tally_mode {
	TALLY_COUNT,		/* loads, stores, instructions; no model */
	TALLY_SIMULATE,
	TALLY_ATTRIBUTE		/* and where misses happened */
};

enum tally_state { TALLY_UNTOUCHED, TALLY_RUNNING, TALLY_COMPLETE };

/* What is counted per site. */
enum tally_column {
#define X(name, sentence) TALLY_##name,
#include "store/programs/tally.def"
#undef X
	TALLY_COLUMNS
};

/* What QEMU does not show to plugins, by what the instructions are; and stores
 * for which it has left a block in the middle. */
enum tally_unseen {
	TALLY_FLUSH, TALLY_PREFETCH, TALLY_ZERO_LINE, TALLY_VECTOR,
	TALLY_LEFT,
	TALLY_UNSEENS
};

struct tally_object {
	uint64_t from, to;	/* addresses of the program */
	uint64_t offset;	/* of from, in the file */
	/* The file that had the name when it was first seen here; 0: none. */
	uint64_t device, inode;
	uint64_t changed_ns;	/* its time of change then */
	uint32_t path;		/* offset of its name in the text */
	uint32_t reserved;
};

struct tally_site {
	uint64_t pc;
	uint32_t object;	/* index + 1; 0: none is known */
	uint32_t reserved;
	uint64_t count[TALLY_COLUMNS];
};

/*
 * A board without an operating system, in QEMU's system emulation: where its
 * memory is, which code is counted, and the words that it stores to where
 * regions begin and end. [0] .. [1]: from, to.
 */
struct tally_board {
	uint64_t ram[2];
	uint64_t code[2][2];
	uint64_t run;		/* another run begins */
	uint64_t begin, end;	/* of a region */
};

/* What the counted code did in one region. */
struct tally_region {
	uint32_t run;		/* from 1 */
	uint32_t reserved;
	uint64_t unseen[TALLY_UNSEENS];
	uint64_t signal[TALLY_SIGNALS];
};

#define TALLY_COMMAND 2048
#define TALLY_NAME 64

/* Why what was run instead of it was not simulated (store/programs/not-simulated.def). */
enum tally_native {
	NATIVE_NONE,
#define X(name, sentence) NATIVE_##name,
#include "store/programs/not-simulated.def"
#undef X
	NATIVES
};

struct tally {
	/* the library's */
	char magic[8];
	char version[32];	/* of assay */
	uint32_t tally_bytes, geometry_bytes, signals, mode;
	uint32_t draws;		/* of random replacement, beside the first */
	struct geometry geometry;
	struct tally_board board;	/* ram all 0: a program */
	/* the plugin's */
	uint32_t state;		/* enum tally_state */
	uint32_t isa;		/* enum isa, of the program */
	char refused[160];	/* why nothing was simulated; or "" */
	uint32_t pid;
	uint32_t native;	/* enum tally_native, if it runs on in another
				 * program */
	uint32_t before;	/* slot + 1 of the program in whose place it
				 * came; 0: none */
	uint32_t began;		/* to run its code: QEMU may not be able to */
	uint64_t order;		/* of its begin, among all */
	char name[TALLY_NAME];	/* of the program's file */
	uint32_t changes;	/* odd: what was counted is being written, or
				 * was when it was killed */
	uint32_t threads;	/* all that ever ran */
	uint32_t children;	/* processes that were started; not simulated */
	uint32_t named;		/* somebody writes, or has written ... */
	char started[TALLY_COMMAND];	/* ... the first other program and its
					 * arguments, for a shell */
	uint32_t can_simulate;	/* that one can be, by itself */
	uint32_t lost_threads;	/* more than can be simulated */
	uint32_t behind;	/* threads that ran since all was fed */
	uint64_t unseen[TALLY_UNSEENS];
	/* counted without the model, instruction by instruction */
	uint64_t loads, stores, instructions;
	uint64_t signal[TALLY_SIGNALS];
	uint64_t draw[TALLY_DRAWS][TALLY_SIGNALS];	/* the same, of each */
	uint64_t settled;	/* instructions that the sites have got */
	uint32_t objects, sites, text;	/* used */
	uint32_t lost_sites;
	uint32_t runs, regions, lost_regions;	/* of a board */
};

/* A mapping of tally_bytes(). */
struct tally_map {
	struct tally *tally;
	struct tally_object *object;
	struct tally_site *site;
	struct tally_region *region;
	char *text;
	size_t bytes;
};

static inline size_t tally_bytes(void)
{
	return sizeof(struct tally) +
	       TALLY_OBJECTS * sizeof(struct tally_object) +
	       TALLY_SITES * sizeof(struct tally_site) +
	       TALLY_REGIONS * sizeof(struct tally_region) + TALLY_TEXT;
}

static inline void tally_place(struct tally_map *map, void *memory)
{
	map->tally = memory;
	map->object = (struct tally_object *)(map->tally + 1);
	map->site = (struct tally_site *)(map->object + TALLY_OBJECTS);
	map->region = (struct tally_region *)(map->site + TALLY_SITES);
	map->text = (char *)(map->region + TALLY_REGIONS);
	map->bytes = tally_bytes();
}

/* Was it one file, if it had one name? */
static inline bool tally_same_file(const struct tally_object *a,
				   const struct tally_object *b)
{
	return a->device == b->device && a->inode == b->inode &&
	       a->changed_ns == b->changed_ns;
}

/* Writes down the file that has that name now; false: none has. */
static inline bool tally_look_at(struct tally_object *out, const char *path)
{
	struct stat st;

	if (stat(path, &st) < 0)
		return false;
	out->device = st.st_dev;
	out->inode = st.st_ino;
	out->changed_ns = (uint64_t)st.st_mtim.tv_sec * 1000000000 +
			  (uint64_t)st.st_mtim.tv_nsec;
	return true;
}

void tally_free(struct tally_map *map);

/*
 * Is everything within bounds that the plugin, or the program that it was
 * inside of, may have written? Returns 0 or -ASSAY_EPARSE.
 */
int tally_check(const struct tally_map *map, struct assay_error *err);

/* The name of an object of a checked tally. */
const char *tally_path(const struct tally_map *map, uint32_t object);

#endif
