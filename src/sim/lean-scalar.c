/* SPDX-License-Identifier: MIT */
/* The loops of lean.h without vectors. */
#define LEAN_TARGET
#include "sim/lean.h"

static inline uint32_t find(const int lanes, const uint32_t *set, uint32_t key)
{
	uint32_t found = 0;

	for (int i = 0; i < lanes; i++)
		found |= (uint32_t)((set[i] & ~LEVEL_FLAGS) == key) << i;
	return found;
}

static inline void push(const int lanes, uint32_t *set, uint32_t way,
			uint32_t entry)
{
	(void)lanes;
	for (; way; way--)
		set[way] = set[way - 1];
	set[0] = entry;
}

static inline void push_out(const int lanes, uint32_t *set, uint32_t last,
			    uint32_t entry)
{
	push(lanes, set, last, entry);
}

static inline uint32_t find_at(const int lanes, const uint32_t *set,
			       const uint32_t *key)
{
	return find(lanes, set, *key);
}

static inline uint32_t equal(const int lanes, const uint32_t *set,
			     const uint32_t *key)
{
	uint32_t found = 0;

	for (int i = 0; i < lanes; i++)
		found |= (uint32_t)(set[i] == *key) << i;
	return found;
}

static inline bool enter(const int lanes, bool clean, uint32_t *set,
			 const uint32_t *key)
{
	(void)clean;
	if (find(lanes, set, *key))
		return false;
	push(lanes, set, (uint32_t)lanes - 1, *key);
	return true;
}

static inline void push_at(const int lanes, uint32_t *set, uint32_t found,
			   uint32_t entry)
{
	push(lanes, set, (uint32_t)__builtin_ctz(found), entry);
}

static inline void turn_at(const int lanes, uint32_t *set, uint32_t found)
{
	const uint32_t way = (uint32_t)__builtin_ctz(found);

	push(lanes, set, way, set[way]);
}

static inline bool turn_to(const int lanes, uint32_t *entry, size_t index,
			   const uint32_t *key)
{
	uint32_t *set = entry + index / 8 * (size_t)lanes;
	const uint32_t found = equal(lanes, set, key);

	if (found)
		turn_at(lanes, set, found);
	return found;
}

static inline uint32_t take(const int lanes, uint32_t *entry, size_t index,
			    const uint32_t *key)
{
	uint32_t *set = entry + index / 8 * (size_t)lanes;
	const uint32_t found = equal(lanes, set, key);

	push_at(lanes, set, found | 1u << (lanes - 1), *key);
	return found;
}

static inline uint32_t receive(const int lanes, uint32_t *set,
			       const uint32_t *line)
{
	const uint32_t key = *line & ~LEVEL_FLAGS, dirty = *line & LEVEL_DIRTY;
	const uint32_t found = find(lanes, set, key);
	const uint32_t lane = found | 1u << (lanes - 1);
	const uint32_t old = set[__builtin_ctz(lane)];

	push_at(lanes, set, lane, (found ? old : key) | dirty);
	return found;
}

static inline bool flagged(const int lanes, const uint32_t *set)
{
	uint32_t all = 0;

	for (int i = 0; i < lanes; i++)
		all |= set[i];
	return all & LEVEL_FLAGS;
}

static inline bool odd(const uint32_t *key)
{
	uint32_t all = 0;

	for (int i = 0; i < 8; i++)
		all |= key[i];
	return all & LEVEL_FLAGS & ~LEVEL_DIRTY;
}

static inline bool loads_only(const uint32_t *key)
{
	uint32_t all = 0;

	for (int i = 0; i < 8; i++)
		all |= key[i];
	return !(all & LEVEL_FLAGS);
}

static inline bool loads_only_32(const uint32_t *key)
{
	for (int i = 0; i < 32; i += 8)
		if (!loads_only(key + i))
			return false;
	return true;
}

static inline unsigned fresh(const int lanes, const struct sets *s,
			     const uint32_t *key)
{
	unsigned bits = 0;

	for (int i = 0; i < 8; i++) {
		const uint32_t set = key[i] & s->within;
		const uint32_t newest = s->entry[(set >> 3) * (uint32_t)lanes];

		bits |= (unsigned)!((newest ^ key[i]) &
				    ~(newest & LEVEL_DIRTY)) << i;
	}
	return bits;
}

#define THIN_STEP 8

static inline unsigned others(const int lanes, const struct sets *s,
			      const uint32_t *key)
{
	unsigned bits = 0;

	(void)lanes;
	for (int i = 0; i < 8; i++) {
		const uint32_t one = key[i - 1], two = key[i - 2];

		bits |= (unsigned)!(key[i] == one ||
				    (key[i] == two &&
				     (key[i] ^ one) & s->within)) << i;
	}
	return bits;
}

static inline size_t copy_others(const struct sets *s, const uint32_t *key,
				 uint32_t *out)
{
	const unsigned which = others(0, s, key);
	size_t kept = 0;

	for (int i = 0; i < THIN_STEP; i++) {
		out[kept] = key[i];
		kept += which >> i & 1;
	}
	return kept;
}

static inline uint32_t near(const int lanes, const uint32_t *set,
			    const uint32_t *key)
{
	return find(lanes, set, *key);
}

static inline uint32_t beyond(const int lanes, const uint32_t *set,
			      const uint32_t *key)
{
	(void)lanes;
	(void)set;
	(void)key;
	return 0;
}

static inline void turn_near(const int lanes, uint32_t *set, uint32_t found)
{
	turn_at(lanes, set, found);
}

static inline void split(const uint32_t *entry, uint32_t *key, uint32_t *dirty)
{
	for (int i = 0; i < 8; i++) {
		key[i] = entry[i] & ~LEVEL_FLAGS;
		dirty[i] = entry[i] & entry[i] >> 1 & 1;
	}
}

static inline size_t interleave(const uint32_t *key, const uint32_t *old,
				uint32_t *out)
{
	size_t n = 0;

	for (int i = 0; i < 8; i++) {
		out[n++] = key[i];
		out[n] = old[i] | LEAN_WRITEBACK;
		n += old[i] & LEVEL_DIRTY;
	}
	return n;
}

static inline unsigned absent(const uint32_t *found)
{
	unsigned bits = 0;

	for (int i = 0; i < 8; i++)
		bits |= (unsigned)!found[i] << i;
	return bits;
}

static inline size_t keep(const uint32_t *found, const uint32_t *key,
			  uint32_t *out)
{
	size_t n = 0;

	for (int i = 0; i < 8; i++) {
		out[n] = key[i];
		n += !found[i];
	}
	return n;
}

static inline size_t send(const uint32_t *found, const uint32_t *entry,
			  const uint32_t *old, uint32_t *out, uint32_t *lost)
{
	size_t n = 0;

	for (int i = 0; i < 8; i++) {
		const uint32_t missed = !found[i];
		const uint32_t back = entry[i] & entry[i] >> 1 & missed;

		out[n] = entry[i];
		n += missed & ~back;
		out[n] = old[i] | LEAN_WRITEBACK;
		n += old[i] & missed;
		*lost += back;
	}
	return n;
}

static inline void settle(const uint32_t *entry, uint32_t *line)
{
	for (int i = 0; i < 8; i++)
		line[i] = (entry[i] & ~LEVEL_FLAGS) |
			  (entry[i] & entry[i] >> 1 & LEVEL_DIRTY);
}

static inline void codes(const uint32_t *entry, uint32_t n, uint32_t *low,
			 uint32_t *high, uint32_t *both)
{
	*low = *high = *both = 0;
	for (uint32_t i = 0; i < n; i++) {
		*low += entry[i] & 1;
		*high += entry[i] >> 1 & 1;
		*both += entry[i] & entry[i] >> 1 & 1;
	}
}

/* The search for a way can end early, and the move has its length. */
#define BLIND_LANES 0
#define BLIND_TRAIN_LANES 0
#define TURN_LANES 0
#define TURN_FAR_LANES 0

#include "sim/lean-loops.h"

static size_t decode(const uint64_t *record, size_t n, unsigned line_shift,
		     uint64_t limit, uint32_t *key, uint64_t *stores)
{
	const uint64_t within = (UINT64_C(1) << line_shift) - 1;
	size_t i;

	for (i = 0; i < n; i++) {
		const uint64_t r = record[i], address = access_operand(r);
		const uint64_t end = (address & within) +
				     (UINT64_C(1) << access_log2_bytes(r)) - 1;

		if (r >> 61 || address >= limit || end > within)
			break;
		key[i] = (uint32_t)(address >> line_shift) << 3 |
			 (uint32_t)(r >> 60);
		*stores += r >> 60;
	}
	return i;
}

LEAN_LEVELS

const struct lean_ops lean_scalar = LEAN_OPS("scalar", decode);
