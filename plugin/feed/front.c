/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The filter in the shadows of the program's threads: what they write are
 * records that are fed as they are, and blocks only for the predictor.
 */
#include "plugin/feed/front.h"

bool front_possible(const struct filter *f)
{
	return f->line_shift == LINE_SHIFT &&
	       session.store_bit == STORE_BIT &&
	       session.size_bit == SIZE_BIT && session.size_mask == SIZE_MASK;
}

/* ---- accesses ----------------------------------------------------------- */

/* In two lines of a page. */
static bool are_quick(struct filter *f, uint64_t from, uint64_t last,
		      bool store)
{
	struct filter_found *place = filter_place(&f->data, last, LINE_SHIFT);
	const uint64_t shown = filter_shown(place, last);

	if (last >> LINE_SHIFT != (from >> LINE_SHIFT) + 1 ||
	    last >> PAGE_SHIFT != from >> PAGE_SHIFT ||
	    shown & LINE_OTHER(!store) ||
	    !is_quick(f, from, !store))
		return false;
	filter_touch(f, &f->data_pages, place, shown);
	return true;
}

void front_put(struct lane *lane, uint64_t record)
{
	const uint64_t from = access_operand(record);
	const uint64_t bytes = UINT64_C(1) << access_log2_bytes(record);
	const bool store = access_kind(record) == ACCESS_STORE;

	if (are_quick(&lane->filter, from, from + bytes - 1, store)) {
		lane->sums.split[store]++;
		count_hit(lane, store);
		return;
	}
	if (filter_data(&lane->filter, from, from + bytes - 1, store,
			&lane->at)) {
		count_hit(lane, store);
		return;
	}
	*lane->at++ = record;
	move_on(lane);
}

void front_put_parts(struct lane *lane)
{
	const struct parts parts = lane->part;
	const struct step_info *step = lane->part_of;
	const unsigned log2 = parts_log2(&parts);

	lane->part.bytes = 0;
	if (!parts.store || !step->streaming) {
		front_put(lane, access_pack(parts.store ? ACCESS_STORE :
							  ACCESS_LOAD,
					    log2, 0, parts.from));
		return;
	}
	filter_streamed(&lane->filter, parts.from,
			parts.from + (UINT64_C(1) << log2) - 1, &lane->at);
	*lane->at++ = access_pack(ACCESS_STORE_NT, log2, 0, parts.from);
	move_on(lane);
}

/* Rule 7 of session.h. */
void front_take_part(struct lane *lane, const struct step_info *step,
		     qemu_plugin_meminfo_t info, uint64_t address)
{
	const uint64_t bytes = UINT64_C(1) << (info >> SIZE_BIT & SIZE_MASK);
	const uint64_t from = address & ACCESS_OPERAND_MASK;
	const bool store = info >> STORE_BIT & 1;
	struct parts *part = &lane->part;

	if (part->bytes && lane->part_of == step && part->store == store &&
	    from == part->from + part->bytes &&
	    part->bytes + bytes <= step->widest) {
		part->bytes += bytes;
	} else {
		if (part->bytes)
			front_put_parts(lane);
		lane->part_of = step;
		*part = (struct parts){ .from = from, .bytes = bytes,
					.store = store };
	}
	if (part->bytes >= step->widest)
		front_put_parts(lane);
}

/* ---- blocks ------------------------------------------------------------- */

void front_fetch(struct lane *lane, const struct block *b)
{
	for (uint64_t line = b->first_line; line <= b->last_line; line++) {
		if (line == lane->fetched)
			continue;
		lane->fetched = line;
		if (is_quick_code(&lane->filter, line) ||
		    filter_code(&lane->filter, line, &lane->at)) {
			lane->sums.fetches++;
			continue;
		}
		*lane->at++ = access_pack(ACCESS_FETCH, 0, 0,
					  line << LINE_SHIFT);
		move_on(lane);
	}
}

void front_note_jump(struct lane *lane, uint64_t branch, uint64_t to,
		     unsigned flags)
{
	struct buffer *b = lane->buffer;

	b->jump_pc[b->jumps] = branch;
	b->jump[b->jumps] = access_pack(ACCESS_JUMP, flags, 0,
					to & ACCESS_OPERAND_MASK);
	if (++b->jumps == TRANSFERS)
		lane_flush(lane);
}

/* Of a block that goes on where the one before ended, or starts anywhere. */
void front_count_rarer(struct lane *lane, const struct block *b)
{
	for (int i = 0; i < TALLY_UNSEENS; i++)
		lane->sums.unseen[i] += b->unseen[i];
	if (lane->flow == FLOW_REPEAT && b->instructions == 1 &&
	    lane->after == b->after) {	/* block_runs_again */
		lane->sums.instructions--;
		lane->sums.fetches -= block_fetched_again(b);
	}
}
