/* SPDX-License-Identifier: MIT */
/*
 * The functions of the loops, by lanes: one for each way to treat a list, so
 * that each has its registers and no branch on how.
 */
#ifndef SIM_LEAN_INSTANCES_H
#define SIM_LEAN_INSTANCES_H

#define LEAN_BLOCKS(name, lanes, how, manner) \
LEAN_TARGET __attribute__((noinline)) static void name( \
	const struct sets *s, unsigned at, const uint32_t *in, \
	const uint32_t *end, struct written *w) \
{ \
	blocks(lanes, s, how, manner, in, end, w); \
}

LEAN_TARGET __attribute__((noinline)) static size_t recent(
	blocks_fn *fn, const struct level *l, unsigned how, const uint32_t *in,
	size_t n, struct written *w)
{
	return take_recent(fn, l, how, in, n, w);
}

#define LEAN_FIRST(lanes) \
LEAN_BLOCKS(blocks_##lanes, lanes, at & ~1u, IN_TURN) \
LEAN_BLOCKS(look_##lanes, lanes, at & ~1u, LOOKING) \
LEAN_BLOCKS(blindly_##lanes, lanes, at & ~1u, BLINDLY) \
LEAN_BLOCKS(anew_##lanes, lanes, at & ~1u, ANEW) \
LEAN_BLOCKS(clean_blocks_##lanes, lanes, ((void)at, LEAN_CLEAN), IN_TURN) \
LEAN_BLOCKS(clean_look_##lanes, lanes, ((void)at, LEAN_CLEAN), LOOKING) \
LEAN_BLOCKS(clean_blindly_##lanes, lanes, ((void)at, LEAN_CLEAN), BLINDLY) \
LEAN_BLOCKS(clean_anew_##lanes, lanes, ((void)at, LEAN_CLEAN), ANEW) \
static blocks_fn *const every_blocks_##lanes[2][MANNERS] = { \
	{ blocks_##lanes, look_##lanes, blindly_##lanes, anew_##lanes }, \
	{ clean_blocks_##lanes, clean_look_##lanes, clean_blindly_##lanes, \
	  clean_anew_##lanes } \
}; \
LEAN_TARGET static struct lean_list first_##lanes(const struct level *l, \
	unsigned how, const uint32_t *in, uint32_t n, uint32_t *out) \
{ \
	return first_level(lanes, every_blocks_##lanes, recent, l, how, in, n, \
			   out); \
}

#define LEAN_LOTS(name, lanes, how, manner) \
LEAN_TARGET __attribute__((noinline)) static void name( \
	const struct sets *s, unsigned at, const uint32_t *in, uint32_t n, \
	struct written *w) \
{ \
	lots(lanes, s, how, manner, in, n, w); \
}

#define LEAN_LOWER(lanes) \
LEAN_LOTS(lots_##lanes, lanes, at & ~1u, IN_TURN) \
LEAN_LOTS(blind_lots_##lanes, lanes, at & ~1u, BLINDLY) \
LEAN_LOTS(anew_lots_##lanes, lanes, at & ~1u, ANEW) \
LEAN_LOTS(clean_lots_##lanes, lanes, at | LEAN_CLEAN, IN_TURN) \
LEAN_LOTS(clean_blind_lots_##lanes, lanes, at | LEAN_CLEAN, BLINDLY) \
LEAN_LOTS(clean_anew_lots_##lanes, lanes, at | LEAN_CLEAN, ANEW) \
static lots_fn *const every_lots_##lanes[2][MANNERS] = { \
	{ lots_##lanes, lots_##lanes, blind_lots_##lanes, \
	  anew_lots_##lanes }, \
	{ clean_lots_##lanes, clean_lots_##lanes, clean_blind_lots_##lanes, \
	  clean_anew_lots_##lanes } \
}; \
LEAN_TARGET static struct lean_list lower_##lanes(const struct level *l, \
	unsigned how, const uint32_t *in, uint32_t n, uint32_t *out) \
{ \
	return lower_level(lanes, every_lots_##lanes, l, how, in, n, out); \
}

#define LEAN_LEVELS \
	LEAN_FIRST(4) LEAN_FIRST(8) LEAN_FIRST(16) \
	LEAN_LOWER(4) LEAN_LOWER(8) LEAN_LOWER(16) \
	LEAN_TRAIN(4) LEAN_TRAIN(8) LEAN_TRAIN(16)

#define LEAN_OPS(title, decoder) { \
	.name = title, \
	.decode = decoder, \
	.first = { first_4, first_8, first_16 }, \
	.lower = { lower_4, lower_8, lower_16 }, \
	.train = { train_4, train_8, train_16 }, \
	.same = same_words, \
	.find = find_word, \
	.kinds = count_kinds, \
	.prefetches = count_prefetches, \
}

#endif
