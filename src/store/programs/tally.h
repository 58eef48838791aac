/* SPDX-License-Identifier: MIT */
/*
 * A tally: memory that the library shares with the QEMU plugin, with the model
 * to be simulated and the counts of one program. Library and plugin come from
 * one build; the plugin refuses a tally of another one. The counts are kept up
 * to date while the program runs, so that they can be read if the program is
 * killed. The layout is
 *
 *   struct tally, struct tally_object[], struct tally_site[],
 *   struct tally_region[], struct tally_why[],
 *   struct tally_datum[], text
 *
 * Objects are the files that code was mapped from. Sites are instructions.
 * Site 0 has the counts of instructions for which there is no room, so that the
 * sites add up to the signals.
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
#define TALLY_WHYS (1u << 16)
#define TALLY_DATA_PIECES (1u << 16)
#define TALLY_PARTS 9		/* room for sim/sim.h's enum sim_part */
#define TALLY_STRIDES 4

enum tally_mode {
	TALLY_COUNT,		/* loads, stores, instructions; no model */
	TALLY_SIMULATE,
	TALLY_ATTRIBUTE,	/* simulate, with counts per instruction */
	TALLY_WHY,		/* and the reasons of misses */
	TALLY_DATA		/* simulate, with counts per piece of data */
};

enum tally_state { TALLY_UNTOUCHED, TALLY_RUNNING, TALLY_COMPLETE };

/* The counts of a site. */
enum tally_column {
#define X(name, sentence) TALLY_##name,
#include "store/programs/tally.def"
#undef X
	TALLY_COLUMNS
};

/*
 * Accesses that QEMU does not show to plugins, by kind of instruction; and
 * stores at which QEMU left a block of code before its end.
 */
enum tally_unseen {
	TALLY_FLUSH, TALLY_PREFETCH, TALLY_ZERO_LINE, TALLY_VECTOR,
	TALLY_LEFT,
	TALLY_UNSEENS
};

struct tally_object {
	uint64_t from, to;	/* addresses of the program */
	uint64_t offset;	/* of from, in the file */
	/* the file of that name when the mapping was first seen; 0: none */
	uint64_t device, inode;
	uint64_t changed_ns;	/* its modification time then */
	uint32_t path;		/* offset of its name in the text */
	uint32_t reserved;
};

struct tally_site {
	uint64_t pc;
	uint32_t object;	/* index + 1; 0: none is known */
	uint32_t why;		/* WHY: its reasons; 0: none; TALLY_WHYS: they
				 * find no room */
	uint64_t count[TALLY_COLUMNS];
};

/*
 * Why an instruction misses. `full`: misses of a fully associative cache with
 * LRU that sees the same lookups; `first` of them are of lines that were never
 * looked up before. `covered` lookups hit what a prefetcher had brought.
 * Prefetchers brought `prefetched` lines because of this instruction; `unused`
 * of them left without a use.
 */
struct tally_why_part {
	uint64_t misses, first, full, covered, prefetched, unused;
};

/* `over` of the count at most are other strides. */
struct tally_stride {
	int64_t bytes;
	uint64_t count, over;
};

/* What its misses of L1D, or of the data TLB, have in common. */
struct tally_pattern {
	uint64_t lines;		/* different ones (pages) */
	uint64_t lines_lost;	/* misses of which that is not known */
	uint64_t strides;	/* misses but for its first access */
	struct tally_stride stride[TALLY_STRIDES];
};

enum tally_patterns { TALLY_OF_L1D, TALLY_OF_DTLB, TALLY_PATTERNS };

struct tally_why {
	struct tally_why_part part[TALLY_PARTS];
	struct tally_pattern pattern[TALLY_PATTERNS];
	/* of lines of L1D that it brought and that left again: bytes, and how
	 * many of them were accessed in between */
	uint64_t brought, used;
	/* runs of as many L1D misses as L1D has sets; the sum of the numbers of
	 * sets in each run */
	uint64_t runs, run_sets;
};

/* What a piece of data is: data-kinds.def. */
enum tally_data_kind {
#define X(name, sentence) TALLY_DATA_##name,
#include "store/programs/data-kinds.def"
#undef X
	TALLY_DATA_KINDS
};

/* pc: of the call that allocated it; of a variable its place in the file. */
struct tally_datum {
	uint64_t pc;
	uint32_t object;	/* index + 1; 0: none is known */
	uint32_t kind;		/* enum tally_data_kind */
	uint32_t name;		/* of a variable: offset in the text */
	uint32_t reserved;
	uint64_t bytes;		/* allocated there, or of the variable */
	uint64_t count[TALLY_COLUMNS];
};

/*
 * A board without an operating system, in QEMU's system emulation: its memory,
 * the code that is counted, and the addresses of the words to which the image
 * stores at the ends of regions. Ranges are from [0] to [1].
 */
struct tally_board {
	uint64_t ram[2];
	uint64_t code[2][2];
	uint64_t run;		/* stored to when a run begins */
	uint64_t begin, end;	/* stored to when a region begins, ends */
};

#define TALLY_REGION_NAME 64
#define TALLY_REGION_NAMES 1024u

/*
 * The counts of a region: of a board, what the counted code did in one pass
 * through the region; of a program, sums over all passes through the region of
 * that name, and behind them a struct tally_region for each further draw, with
 * signals only.
 */
struct tally_region {
	uint32_t run;		/* of a board, from 1 */
	uint32_t unpaired;	/* ends without a begin */
	uint64_t entered, left;
	char name[TALLY_REGION_NAME];	/* of a program */
	uint64_t unseen[TALLY_UNSEENS];
	uint64_t signal[TALLY_SIGNALS];
};

#define TALLY_FUNCTION 512

/* Functions of the name in tally.from that are not one function. */
#define TALLY_MEANINGS 4
struct tally_meaning {
	char name[TALLY_FUNCTION];	/* FILE:FUNCTION or FUNCTION */
	uint32_t path;		/* of its object: offset in the text */
	uint32_t chosen_late;	/* an ifunc */
};

#define TALLY_COMMAND 2048
#define TALLY_NAME 64

/* Why an executed program is not simulated: not-simulated.def. */
enum tally_exec {
	EXEC_NONE,
#define X(name, sentence) EXEC_##name,
#include "store/programs/not-simulated.def"
#undef X
	EXEC_REASONS
};

struct tally {
	/* written by the library */
	char magic[8];
	char version[32];	/* of assay */
	uint32_t tally_bytes, geometry_bytes, signals, mode;
	uint32_t draws;		/* of random replacement, beside the first */
	struct geometry geometry;
	struct tally_board board;	/* ram all 0: a program */
	/* Events count from the entry of this function to its return; "": from
	 * the begin of the program. See store/programs/function.h. */
	char from[TALLY_FUNCTION];
	char region[TALLY_REGION_NAME];	/* the same of a region; "": none */
	/* written by the plugin */
	uint32_t state;		/* enum tally_state */
	uint32_t isa;		/* enum isa, of the program */
	char refused[160];	/* why nothing was simulated; or "" */
	uint32_t pid;
	uint32_t not_simulated;	/* enum tally_exec: why the program is not
				 * simulated that replaced this one (execve) */
	uint32_t replaced;	/* slot + 1 of the program that this one
				 * replaced (execve); 0: none */
	uint32_t began;		/* the program's code ran: QEMU could load it */
	uint64_t order;		/* rank of its beginning among all programs */
	char name[TALLY_NAME];	/* of the program's file */
	uint32_t changes;	/* odd: the counts are being written, or were
				 * when the program was killed */
	uint32_t threads;	/* all threads that ever ran */
	uint32_t children;	/* started processes that are not simulated */
	uint32_t named;		/* `started` is written, or being written */
	char started[TALLY_COMMAND];	/* the first other program and its
					 * arguments, quoted for a shell */
	uint32_t can_simulate;	/* that program could be simulated, by itself */
	uint32_t lost_threads;	/* threads beyond those that are simulated */
	uint32_t behind;	/* threads that ran since all their accesses
				 * were simulated */
	uint64_t unseen[TALLY_UNSEENS];
	/* counted instruction by instruction, without the model */
	uint64_t loads, stores, instructions;
	uint64_t signal[TALLY_SIGNALS];
	uint64_t draw[TALLY_DRAWS][TALLY_SIGNALS];	/* the signals of each
							 * further draw */
	uint64_t settled;	/* instructions that are counted in sites */
	uint32_t objects, sites, text;	/* used entries, bytes */
	uint32_t lost_sites;
	uint32_t data;		/* used entries; the first ones: by kind */
	uint32_t allocators;	/* functions that allocate memory, found */
	uint32_t whys;		/* used entries; the first is for what does not
				 * count */
	uint32_t runs;		/* of a board */
	uint32_t regions, lost_regions;
	uint32_t lost_marks;	/* of regions whose name cannot be read */
	uint64_t entered;	/* how often `from` or `region` was, from
				 * outside */
	/* functions of the name in `from`: */
	uint32_t meanings;	/* that were found; also beyond TALLY_MEANINGS */
	struct tally_meaning meaning[TALLY_MEANINGS];
};

/* A mapping of tally_bytes(). */
struct tally_map {
	struct tally *tally;
	struct tally_object *object;
	struct tally_site *site;
	struct tally_region *region;
	struct tally_why *why;
	struct tally_datum *datum;
	char *text;
	size_t bytes;
};

static inline size_t tally_bytes(void)
{
	return sizeof(struct tally) +
	       TALLY_OBJECTS * sizeof(struct tally_object) +
	       TALLY_SITES * sizeof(struct tally_site) +
	       TALLY_REGIONS * sizeof(struct tally_region) +
	       TALLY_WHYS * sizeof(struct tally_why) +
	       TALLY_DATA_PIECES * sizeof(struct tally_datum) + TALLY_TEXT;
}

static inline void tally_place(struct tally_map *map, void *memory)
{
	map->tally = memory;
	map->object = (struct tally_object *)(map->tally + 1);
	map->site = (struct tally_site *)(map->object + TALLY_OBJECTS);
	map->region = (struct tally_region *)(map->site + TALLY_SITES);
	map->why = (struct tally_why *)(map->region + TALLY_REGIONS);
	map->datum = (struct tally_datum *)(map->why + TALLY_WHYS);
	map->text = (char *)(map->datum + TALLY_DATA_PIECES);
	map->bytes = tally_bytes();
}

/* Were both mapped from one file: same device, inode and modification time? */
static inline bool tally_same_file(const struct tally_object *a,
				   const struct tally_object *b)
{
	return a->device == b->device && a->inode == b->inode &&
	       a->changed_ns == b->changed_ns;
}

/* Sets device, inode and time of the file of that name; false: no such file. */
static inline bool tally_identify(struct tally_object *out, const char *path)
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
 * Checks the bounds of all that the plugin, or the program in the same process,
 * may have written. Returns 0 or -ASSAY_EPARSE.
 */
int tally_check(const struct tally_map *map, struct assay_error *err);

/* The name of an object of a checked tally. */
const char *tally_path(const struct tally_map *map, uint32_t object);

#endif
