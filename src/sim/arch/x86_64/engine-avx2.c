/* SPDX-License-Identifier: MIT */
/* The engine with AVX2. */
#define LEAN_TARGET __attribute__((target("avx2,bmi,bmi2,popcnt")))
#define ENGINE static LEAN_TARGET
#define ENGINE_INLINE static inline __attribute__((always_inline)) LEAN_TARGET
#include "sim/arch/x86_64/lanes.h"
#include "sim/arch/x86_64/units.h"

ENGINE_INLINE int ways_find(uint32_t stride, const uint32_t *lane,
			    uint32_t key)
{
	const uint32_t number = key & ~LEVEL_FLAGS;
	uint32_t found;

	if (stride == 4) {
		found = find_4(lane, number);
		return found ? __builtin_ctz(found) : -1;
	}
	if (stride == 16) {
		found = find_2x8(lane, number);
		return found ? __builtin_ctz(found) : -1;
	}
	for (uint32_t w = 0; w < stride; w += 8) {
		found = find_8(lane + w, number);
		if (found)
			return (int)w + __builtin_ctz(found);
	}
	return -1;
}

/* Eight lanes at a time, from the last ones that move. */
ENGINE_INLINE void ways_rotate(uint32_t stride, uint32_t *lane, uint32_t way,
			       uint32_t entry)
{
	if (stride == 4) {
		push_4(lane, way, entry);
		return;
	}
	if (stride == 16) {
		push_2x8(lane, way, entry);
		return;
	}
	while (way >= 8) {
		const uint32_t part = way & ~7u;

		push_8(lane + part, way - part, lane[part - 1]);
		way = part - 1;
	}
	push_8(lane, way, entry);
}

ENGINE_INLINE bool ways_newest_8(const struct level *l, const uint32_t *key)
{
	const __m256i keys = _mm256_loadu_si256((const __m256i *)key);
	const __m256i set = _mm256_and_si256(_mm256_srli_epi32(keys, 3),
		_mm256_set1_epi32((int)(l->sets - 1)));
	const __m256i newest = _mm256_i32gather_epi32((const int *)l->entry,
		_mm256_mullo_epi32(set, _mm256_set1_epi32((int)l->stride)),
		4);
	const __m256i differ = _mm256_xor_si256(keys, newest);

	return _mm256_testz_si256(differ, differ);
}

#include "sim/engine-records.h"

const struct engine engine_avx2 = ENGINE_OPS("avx2", &lean_avx2);
const struct engine engine_avx512 = ENGINE_OPS("avx512", &lean_avx512);
