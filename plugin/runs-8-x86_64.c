/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Eight runs at a time with AVX-512. */
#include <immintrin.h>
#include <stddef.h>

#include "block.h"
#include "runs.h"
#include "sim/arch/x86_64/masks.h"

#define TARGET __attribute__((target("avx512f,avx512vl,avx512bw,avx512dq," \
				     "popcnt,bmi")))
#define INLINE static inline __attribute__((always_inline)) TARGET

/* A struct run is its pc, and this. */
_Static_assert(sizeof(struct run) == 16 && offsetof(struct run, bytes) == 8 &&
	       offsetof(struct run, instructions) == 10 &&
	       offsetof(struct run, last) == 12 &&
	       offsetof(struct run, flow) == 13 &&
	       offsetof(struct run, branches) == 14 &&
	       offsetof(struct run, odd) == 15, "runs are as they are read");
#define INSTRUCTIONS_SHIFT 16
#define LAST_SHIFT 32
#define FLOW_SHIFT 40
#define BRANCHES (UINT64_C(1) << 48)
#define ODD (UINT64_C(1) << 56)

struct eight {
	__m512i pc, rest;
};

INLINE __m512i four(const uint32_t *ran)
{
	__m512i runs = _mm512_castsi128_si512(
		_mm_load_si128((const __m128i *)run_of(ran[0])));

	runs = _mm512_inserti64x2(runs, _mm_load_si128(
		(const __m128i *)run_of(ran[1])), 1);
	runs = _mm512_inserti64x2(runs, _mm_load_si128(
		(const __m128i *)run_of(ran[2])), 2);
	return _mm512_inserti64x2(runs, _mm_load_si128(
		(const __m128i *)run_of(ran[3])), 3);
}

INLINE struct eight eight(const uint32_t *ran)
{
	const __m512i even = _mm512_setr_epi64(0, 2, 4, 6, 8, 10, 12, 14);
	const __m512i odd = _mm512_setr_epi64(1, 3, 5, 7, 9, 11, 13, 15);
	const __m512i low = four(ran), high = four(ran + 4);

	return (struct eight){ _mm512_permutex2var_epi64(low, even, high),
			       _mm512_permutex2var_epi64(low, odd, high) };
}

/* A byte of the rest of each, or two. */
INLINE __m512i part(__m512i rest, int shift, int mask)
{
	return _mm512_and_si512(_mm512_srli_epi64(rest, (unsigned)shift),
				_mm512_set1_epi64(mask));
}

/* One is the same as the one before, or odd. */
INLINE bool is_rare(const uint32_t *ran, const struct eight *to)
{
	const __m256i now = _mm256_loadu_si256((const __m256i *)ran);
	const __m256i before = _mm256_loadu_si256((const __m256i *)(ran - 1));

	return MASK(_mm256_cmpeq_epi32_mask(now, before)) |
	       MASK(_mm512_test_epi64_mask(to->rest, _mm512_set1_epi64(ODD)));
}

INLINE uint32_t keep_places(uint32_t *out, __mmask8 kept, uint32_t i)
{
	const __m256i places = _mm256_add_epi32(
		_mm256_set1_epi32((int)i),
		_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));

	_mm256_storeu_si256((__m256i *)out,
			    _mm256_maskz_compress_epi32(kept, places));
	return (uint32_t)_mm_popcnt_u32(kept);
}

/* What runs ended with, that went on to others, of which i is the first. */
INLINE void add_ends(struct ends *e, const struct eight *from,
		     const struct eight *to, uint32_t i)
{
	const __m512i after = _mm512_add_epi64(from->pc,
					       part(from->rest, 0, 0xffff));
	const __m512i pc = _mm512_sub_epi64(after, part(from->rest, LAST_SHIFT,
							0xff));
	const __m512i not_taken = _mm512_slli_epi64(pc, 1);
	const __m512i outcome = _mm512_mask_add_epi64(
		not_taken, _mm512_cmpneq_epi64_mask(after, to->pc), not_taken,
		_mm512_set1_epi64(SIM_TAKEN));
	const __mmask8 branches = MASK(_mm512_test_epi64_mask(
		from->rest, _mm512_set1_epi64(BRANCHES)));
	const __m512i flow = part(from->rest, FLOW_SHIFT, 0xff);
	const __m512i call = _mm512_set1_epi64(FLOW_CALL);
	const __mmask8 called = MASK(_mm512_cmpeq_epi64_mask(flow, call));
	const __mmask8 calls = called | MASK(_mm512_cmpeq_epi64_mask(
		flow, _mm512_set1_epi64(FLOW_RETURN)));
	const __mmask8 jumps = MASK(_mm512_cmpeq_epi64_mask(
		flow, _mm512_set1_epi64(FLOW_JUMP)));
	const __m512i target = _mm512_mask_mov_epi64(to->pc, called, after);
	const __m512i record = _mm512_or_si512(
		_mm512_slli_epi64(_mm512_add_epi64(
			flow, _mm512_set1_epi64(TRANSFER_KIND)), 60),
		_mm512_and_si512(target, _mm512_set1_epi64(
			(int64_t)ACCESS_OPERAND_MASK)));

	_mm512_storeu_si512(e->outcome + e->outcomes,
			    _mm512_maskz_compress_epi64(branches, outcome));
	e->outcomes += keep_places(e->went + e->outcomes, branches, i);
	_mm512_storeu_si512(e->call + e->calls,
			    _mm512_maskz_compress_epi64(calls, record));
	e->calls += (uint32_t)_mm_popcnt_u32(calls);
	_mm512_storeu_si512(e->pc + e->jumps,
			    _mm512_maskz_compress_epi64(jumps, pc));
	_mm512_storeu_si512(e->jump + e->jumps,
			    _mm512_maskz_compress_epi64(jumps, record));
	e->jumps += (uint32_t)_mm_popcnt_u32(jumps);
}

TARGET uint32_t runs_eights(const uint32_t *ran, uint32_t i, uint32_t end,
			    struct ends *e, uint64_t *instructions)
{
	const __m512i last = _mm512_castsi128_si512(_mm_load_si128(
		(const __m128i *)run_of(ran[i - 1])));
	struct eight before = {
		_mm512_permutexvar_epi64(_mm512_setzero_si512(), last),
		_mm512_permutexvar_epi64(_mm512_set1_epi64(1), last)
	};
	__m512i sum = _mm512_setzero_si512();

	for (; i + 8 <= end; i += 8) {
		const struct eight to = eight(ran + i);
		const struct eight from = {
			_mm512_alignr_epi64(to.pc, before.pc, 7),
			_mm512_alignr_epi64(to.rest, before.rest, 7)
		};

		if (__builtin_expect(is_rare(ran + i, &to), false))
			break;
		sum = _mm512_add_epi64(sum, part(to.rest, INSTRUCTIONS_SHIFT,
						 0xffff));
		add_ends(e, &from, &to, i);
		before = to;
	}
	*instructions += (uint64_t)_mm512_reduce_add_epi64(sum);
	return i;
}

bool runs_in_eights(void)
{
	return __builtin_cpu_supports("avx512f") &&
	       __builtin_cpu_supports("avx512vl") &&
	       __builtin_cpu_supports("avx512bw") &&
	       __builtin_cpu_supports("avx512dq") &&
	       __builtin_cpu_supports("popcnt") &&
	       __builtin_cpu_supports("bmi");
}
