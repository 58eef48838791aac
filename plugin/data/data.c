/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The consumer's side: which piece of data an address is in. What an allocator
 * touches first, before it returns, belongs to who called it. */
#include <stdlib.h>
#include <string.h>

#include "plugin/callbacks/entry.h"
#include "plugin/callbacks/guest.h"
#include "plugin/data/data.h"
#include "plugin/filter/move.h"
#include "plugin/site.h"

/* Allocators align to 16 bytes. */
enum { PAGE = 12, GRAIN = 4, GRAINS = 1 << (PAGE - GRAIN), FEWEST = 1 << 12 };

/* A page of memory whose owner is known. */
struct page {
	uint64_t number;	/* + 1; 0: an empty bucket */
	uint32_t all;		/* the owner of the page, if not ... */
	uint32_t *grain;	/* ... one for each 16 bytes */
};

struct data {
	struct page *page;	/* a hash table */
	size_t pages, room;
	uint32_t bucket[2 * TALLY_DATA_PIECES];	/* of allocations, by pc */
	uint64_t outside[TALLY_COLUMNS];	/* of the counted part */
};

/* ---- pages --------------------------------------------------------------- */

static struct page *find(const struct data *d, uint64_t number)
{
	size_t at = (number * UINT64_C(0x9e3779b97f4a7c15) >> 20) &
		    (d->room - 1);

	while (d->page[at].number && d->page[at].number != number + 1)
		at = (at + 1) & (d->room - 1);
	return &d->page[at];
}

static void widen(struct data *d)
{
	struct data wider = { .room = 2 * d->room };

	wider.page = calloc(wider.room, sizeof(*wider.page));
	if (!wider.page)
		abort();
	for (size_t i = 0; i < d->room; i++)
		if (d->page[i].number)
			*find(&wider, d->page[i].number - 1) = d->page[i];
	free(d->page);
	d->page = wider.page;
	d->room = wider.room;
}

static struct page *page_of(struct data *d, uint64_t number)
{
	struct page *p = find(d, number);

	if (p->number)
		return p;
	if (2 * d->pages >= d->room) {
		widen(d);
		p = find(d, number);
	}
	d->pages++;
	p->number = number + 1;
	return p;
}

static void own_grains(struct page *p, uint32_t from, uint32_t end,
		       uint32_t owner)
{
	if (!p->grain) {
		p->grain = malloc(GRAINS * sizeof(*p->grain));
		if (!p->grain)
			abort();
		for (int i = 0; i < GRAINS; i++)
			p->grain[i] = p->all;
	}
	for (uint32_t i = from; i < end; i++)
		p->grain[i] = owner;
}

static void own(struct data *d, uint64_t from, uint64_t bytes, uint32_t owner)
{
	const uint64_t end = from + bytes;

	for (uint64_t at = from; at < end;) {
		struct page *p = page_of(d, at >> PAGE);
		const uint64_t base = at >> PAGE << PAGE;
		const uint64_t next = base + (1 << PAGE);
		const uint64_t last = end < next ? end : next;

		if (at == base && last == next) {
			free(p->grain);
			p->grain = NULL;
			p->all = owner;
		} else {
			own_grains(p, (uint32_t)(at - base) >> GRAIN,
				   (uint32_t)(last - base + 15) >> GRAIN,
				   owner);
		}
		at = next;
	}
}

/* ---- pieces -------------------------------------------------------------- */

/* 0: there is no room. */
static uint32_t add_piece(enum tally_data_kind kind, uint64_t pc)
{
	struct tally *t = session.map.tally;

	if (t->data == TALLY_DATA_PIECES)
		return 0;
	session.map.datum[t->data] = (struct tally_datum){
		.kind = kind, .pc = pc };
	return t->data++;
}

/* Of memory that was allocated by the call that returns to pc. */
static uint32_t allocation(struct data *d, uint64_t pc)
{
	uint32_t at = (uint32_t)(pc * UINT64_C(0x9e3779b97f4a7c15) >> 40) %
		      (2 * TALLY_DATA_PIECES), piece;

	for (; d->bucket[at]; at = (at + 1) % (2 * TALLY_DATA_PIECES))
		if (session.map.datum[d->bucket[at]].pc == pc - 1)
			return d->bucket[at];
	piece = add_piece(TALLY_DATA_heap, pc - 1);
	if (!piece)
		return TALLY_DATA_other;
	session.map.datum[piece].object =
		site_object(pc - 1, (uint64_t)(uintptr_t)guest_host(pc - 1));
	d->bucket[at] = piece;
	return piece;
}

static uint32_t of_variable(struct variable *v)
{
	struct tally_datum *datum;

	if (!v->datum && v->name != UINT32_MAX) {
		v->datum = add_piece(TALLY_DATA_variable, v->from);
		datum = &session.map.datum[v->datum];
		if (v->datum) {
			datum->object = v->object;
			datum->name = v->name;
			datum->bytes = v->to - v->from;
		}
	}
	return v->datum ? v->datum : TALLY_DATA_other;
}

static uint32_t piece_at(struct data *d, uint64_t address)
{
	const struct page *p;
	struct variable *v;
	uint32_t piece = 0;

	pthread_mutex_lock(&session.lock);
	v = variables_at(address);
	if (v)
		piece = of_variable(v);
	pthread_mutex_unlock(&session.lock);
	if (piece)
		return piece;
	p = find(d, address >> PAGE);
	piece = !p->number ? 0 : !p->grain ? p->all :
		p->grain[address >> GRAIN & (GRAINS - 1)];
	if (!piece)
		piece = session.consumer.lane->allocating;
	return piece ? piece : TALLY_DATA_other;
}

/* ---- records ------------------------------------------------------------- */

bool data_record(uint64_t record)
{
	struct data_word *w = (void *)(uintptr_t)access_operand(record);
	struct lane *lane = session.consumer.lane;
	uint32_t owner = TALLY_DATA_stack;

	if ((unsigned)access_kind(record) != DATA_RECORD)
		return false;
	if (!session.map.tally->data)
		for (uint32_t i = 0; i < TALLY_DATA_heap; i++)
			add_piece(i, 0);
	if (w->pc) {
		owner = allocation(session.data, w->pc);
		session.map.datum[owner].bytes += w->bytes;
	}
	if (w->pc || !w->from)
		lane->allocating = w->from || !w->pc ? 0 : owner;
	own(session.data, w->from, w->bytes, owner);
	free(w);
	return true;
}

uint64_t *data_count(uint64_t record)
{
	const bool data = access_kind(record) <= ACCESS_STORE_NT;

	if (!session.counts)
		return session.data->outside;
	return session.map.datum[data ?
		piece_at(session.data, moved_back(access_operand(record))) :
		TALLY_DATA_code].count;
}

const char *data_build(void)
{
	struct data *d;

	if (!entry_watched)
		return "--by data needs an x86-64 machine: elsewhere it is not "
		       "known where QEMU keeps registers";
	d = calloc(1, sizeof(*d));
	if (d)
		d->page = calloc(FEWEST, sizeof(*d->page));
	if (!d || !d->page) {
		free(d);
		return "no memory for pieces of data";
	}
	d->room = FEWEST;
	session.data = d;
	return NULL;
}
