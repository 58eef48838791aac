/* SPDX-License-Identifier: MIT */
/*
 * Records into steps: counts what retired, splits accesses at lines, asks the
 * predictor and the TLBs. Steps are handed on when there are enough of them,
 * or one by one if the caches act on the TLBs.
 */
#ifndef SIM_ENGINE_RECORDS_H
#define SIM_ENGINE_RECORDS_H

#include "sim/engine/batch.h"
#include "sim/engine/mixed.h"

ENGINE void steps_drain(struct sim *s)
{
	struct steps *steps = &s->steps;

	if (!steps->count)
		return;
	hierarchy_run(s, steps);
	steps->count = 0;
	for (int kind = 0; kind < STEP_KINDS; kind++)
		steps->of[kind] = 0;
}

ENGINE_INLINE void steps_add(struct sim *s, uint32_t key, uint64_t line,
			     uint32_t pc)
{
	struct steps *steps = &s->steps;
	const uint32_t at = steps->count;

	if (s->draining) {
		hierarchy_step(s, key, line, pc);
		return;
	}
	steps->key[at] = key;
	if (s->trains[1]) {
		steps->line[at] = line;
		steps->pc[at] = pc;
	}
	steps->count++;
	steps->of[key & LEVEL_FLAGS]++;
	if (steps->count == STEPS || s->coupled)
		steps_drain(s);
}

ENGINE uint32_t pc_of(const struct sim *s, uint64_t record)
{
	return (uint32_t)(s->pc_base + 4 * access_site(record));
}

/* One line, translated. */
ENGINE void line_step(struct sim *s, uint64_t line, enum step_kind kind,
		      uint32_t pc)
{
	const unsigned shift = PAGE_BITS - s->line_shift;
	const struct page_slot *slot = pages_slot(&s->pages, line >> shift);
	const uint32_t within = (uint32_t)(line & ((1u << shift) - 1));
	const uint32_t key = (slot->frame << shift | within) << 3;

	if (kind == STEP_FETCH && code_alone(s)) {
		if (code_hits(s, key))
			return;
		if (s->code_ahead) {
			code_enters(s, key);
			steps_add(s, key | STEP_CODE, line, pc);
			return;
		}
		steps_drain(s);
		steps_add(s, key | kind, line, pc);
		steps_drain(s);
		return;
	}
	steps_add(s, key | kind, line, pc);
}

ENGINE void translate(struct sim *s, uint64_t line, enum step_kind kind)
{
	const unsigned shift = PAGE_BITS - s->line_shift;
	const struct page_slot *slot = pages_slot(&s->pages, line >> shift);

	if (kind == STEP_FETCH && s->has_itlb)
		tlb_code(s, slot->virt);
	if (kind != STEP_FETCH && s->has_dtlb)
		tlb_data(s, slot->virt, kind);
}

/* All lines of an access; one translation per page. Returns their number. */
ENGINE uint64_t span(struct sim *s, uint64_t record, enum step_kind kind)
{
	const unsigned shift = PAGE_BITS - s->line_shift + s->tlb_shift;
	const uint64_t address = access_operand(record);
	uint64_t last = address + (UINT64_C(1) << access_log2_bytes(record)) -
			1;
	uint64_t page = UINT64_MAX, line = address >> s->line_shift;
	uint64_t lines;

	if (last > ACCESS_OPERAND_MASK)
		last = ACCESS_OPERAND_MASK;
	last >>= s->line_shift;
	lines = last - line + 1;
	for (; line <= last; line++) {
		if (line >> shift != page)
			translate(s, line, kind);
		page = line >> shift;
		line_step(s, line, kind, pc_of(s, record));
	}
	return lines;
}

/* A line's hit is counted later, and taken back here. */
ENGINE void touch(struct sim *s, uint64_t record)
{
	const unsigned flags = access_log2_bytes(record);
	const uint64_t address = access_operand(record);
	const bool code = flags & ACCESS_CODE;

	if (!(flags & ACCESS_LINE)) {
		tlb_touch(s, address, code, flags & ACCESS_STORED);
		return;
	}
	s->total[code ? SIGNAL_l1i_fetch : SIGNAL_l1d_load]--;
	s->total[SIGNAL_served_l1] -= !code;
	line_step(s, address >> s->line_shift, code ? STEP_FETCH : STEP_LOAD,
		  0);
}

ENGINE void wrong_path(struct sim *s, uint32_t walks)
{
	if (walks)
		tlb_wrong_path(s, walks);
}

/* For steady passes. */
ENGINE_INLINE void keep_branch(struct sim *s, uint64_t record)
{
	struct branches *b = &s->branches;

	if (b->count < BRANCHES)
		b->record[b->count] = record;
	b->count += b->count <= BRANCHES;
}

ENGINE void other(struct sim *s, uint64_t record)
{
	switch (access_kind(record)) {
	case ACCESS_STORE_NT:
		s->core[SIGNAL_stores]++;
		s->core[SIGNAL_split_lines] += span(s, record, STEP_STORE_NT) -
					       1;
		break;
	case ACCESS_FLUSH:
		s->core[SIGNAL_flushes]++;
		span(s, record & ~(UINT64_C(15) << 56), STEP_FLUSH);
		break;
	case ACCESS_PREFETCH:
		s->core[SIGNAL_software_prefetches]++;
		span(s, record & ~(UINT64_C(15) << 56), STEP_PREFETCH);
		break;
	case ACCESS_FETCH:
		span(s, record, STEP_FETCH);
		break;
	case ACCESS_BRANCH:
	case ACCESS_CALL:
	case ACCESS_RETURN:
	case ACCESS_JUMP:
		keep_branch(s, record);
		wrong_path(s, sim_flow(s, s->pc_base + 4 * access_site(record),
				  record));
		break;
	case ACCESS_WRONG_PATH:
		wrong_path(s, (uint32_t)access_operand(record));
		break;
	case ACCESS_TOUCH:
		touch(s, record);
		break;
	case ACCESS_RETIRE:
		s->core[SIGNAL_instructions] += access_operand(record);
		break;
	case ACCESS_PC:
		keep_branch(s, record);
		s->pc_base = access_operand(record);
		break;
	default:
		break;
	}
}

/*
 * A load or store of one line; false: it is more than that. Counts what must
 * be counted per access elsewhere.
 */
ENGINE_INLINE bool quick(struct sim *s, uint64_t record)
{
	const unsigned shift = PAGE_BITS - s->line_shift;
	const uint64_t address = access_operand(record);
	const uint32_t store = (uint32_t)(record >> 60);
	const uint32_t bytes = 1u << access_log2_bytes(record);
	const uint64_t line = address >> s->line_shift;
	const struct page_slot *slot;
	uint32_t within;

	if ((address + bytes - 1) >> s->line_shift != line)
		return false;
	slot = pages_slot(&s->pages, address >> PAGE_BITS);
	if (s->has_dtlb &&
	    ((slot->virt >> s->tlb_shift << 3 | (store & s->split_dtlb)) !=
		     s->last_virt ||
	     !s->same_page_free))
		tlb_lookup(s, slot->virt, store);
	within = (uint32_t)line & ((1u << shift) - 1);
	steps_add(s, (slot->frame << shift | within) << 3 | store, line,
		  s->trains[1] ? pc_of(s, record) : 0);
	return true;
}

ENGINE void feed_one(struct sim *s, uint64_t record)
{
	const bool store = record >> 60 & 1;

	s->core[SIGNAL_loads + store]++;
	s->core[SIGNAL_split_lines] +=
		span(s, record, store ? STEP_STORE : STEP_LOAD) - 1;
}

ENGINE void feed_each(struct sim *s, const uint64_t *record, size_t records)
{
	uint64_t quickly = 0, stores = 0;

	for (size_t i = 0; i < records; i++) {
		if (record[i] >> 61) {
			other(s, record[i]);
		} else if (quick(s, record[i])) {
			quickly++;
			stores += record[i] >> 60;
		} else {
			feed_one(s, record[i]);
		}
	}
	s->core[SIGNAL_loads] += quickly - stores;
	s->core[SIGNAL_stores] += stores;
	if (s->has_dtlb) {
		s->core[SIGNAL_dtlb_load] += quickly - stores;
		s->core[SIGNAL_dtlb_store] += stores;
	}
}

/* How many are looked at one by one before the next attempt at many. */
#define STRETCH 8
#define LONGEST_STRETCH 128
/* So many at least are quicker taken together. */
#define WORTH 12

/* As many as go in batches of all that mixed batches take. */
ENGINE size_t feed_mixture(struct sim *s, const uint64_t *record,
			   size_t records)
{
	size_t i = 0, taken;
	bool plain = false;

	while (i < records && !plain) {
		taken = feed_mixed(s, record + i, records - i, &plain);
		i += taken;
		if (!taken)
			feed_each(s, record + i++, 1);
	}
	return i;
}

ENGINE void feed_batches(struct sim *s, const uint64_t *record, size_t records)
{
	size_t stretch = STRETCH, taken, most;

	while (records) {
		taken = feed_batch(s, record, records);
		if (taken < WORTH)
			taken += feed_mixture(s, record + taken,
					      records - taken);
		record += taken;
		records -= taken;
		if (taken >= WORTH) {
			stretch = STRETCH;
			continue;
		}
		most = records < stretch ? records : stretch;
		feed_each(s, record, most);
		record += most;
		records -= most;
		if (stretch < LONGEST_STRETCH)
			stretch *= 2;
	}
}

ENGINE void feed(struct sim *s, const uint64_t *record, size_t records)
{
	if (s->batches && records >= WORTH)
		feed_batches(s, record, records);
	else
		feed_each(s, record, records);
	steps_drain(s);
}

#endif
