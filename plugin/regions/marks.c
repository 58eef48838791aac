/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Marks of regions: a system call that no kernel has (include/assay/mark.h).
 * A region is open in the thread that began it. In a region that is begun
 * again, only the outermost pair of marks counts.
 */
#define _GNU_SOURCE	/* process_vm_writev */
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "assay/mark.h"
#include "plugin/callbacks/guest.h"
#include "plugin/regions/regions.h"

/* The program asks whether it is simulated. */
static void answer(uint64_t address)
{
	uint32_t yes = 1;
	const struct iovec from = { &yes, sizeof(yes) };
	const struct iovec to = { guest_host(address), sizeof(yes) };

	/* where that fails, the program sees that it is not simulated */
	if (process_vm_writev(getpid(), &from, 1, &to, 1, 0) < 0)
		return;
}

static void lose(uint32_t *count)
{
	__atomic_fetch_add(count, 1, __ATOMIC_RELAXED);
}

/* The region's number; UINT32_MAX: there is no room. */
static uint32_t number_of(const char *name)
{
	struct tally *t = session.map.tally;
	const uint32_t room = TALLY_REGIONS / (1 + t->draws) <
			      TALLY_REGION_NAMES ?
			      TALLY_REGIONS / (1 + t->draws) :
			      TALLY_REGION_NAMES;
	uint32_t id;

	pthread_mutex_lock(&session.lock);
	for (id = 0; id < t->regions; id++)
		if (strcmp(session.map.region[id * (1 + t->draws)].name,
			   name) == 0)
			break;
	if (id == room) {
		id = UINT32_MAX;
		t->lost_regions++;
	} else if (id == t->regions) {
		strcpy(session.map.region[id * (1 + t->draws)].name, name);
		__atomic_store_n(&t->regions, id + 1, __ATOMIC_RELEASE);
	}
	pthread_mutex_unlock(&session.lock);
	return id;
}

static void put(struct lane *lane, enum word kind, uint32_t id)
{
	lane_put(lane, (uint64_t)kind << WORD_KIND | id);
}

/* Where the region is in the list of those that are open; or behind. */
static uint32_t place_of(const struct within *w, uint32_t id)
{
	uint32_t i = 0;

	while (i < w->regions && w->region[i].id != id)
		i++;
	return i;
}

static void begin(struct lane *lane, uint32_t id)
{
	struct within *w = &lane->within;
	const uint32_t i = place_of(w, id);

	if (i < w->regions) {
		w->region[i].depth++;
	} else if (i < REGIONS_OPEN) {
		w->region[w->regions++] = (struct open_region){ id, 1 };
		put(lane, WORD_BEGIN, id);
	} else {
		lose(&session.map.tally->lost_regions);
	}
}

/* The consumer counts an end without a begin. */
static void end(struct lane *lane, uint32_t id)
{
	struct within *w = &lane->within;
	const uint32_t i = place_of(w, id);

	if (i < w->regions && --w->region[i].depth)
		return;
	if (i < w->regions) {
		w->regions--;
		memmove(&w->region[i], &w->region[i + 1],
			(w->regions - i) * sizeof(w->region[i]));
	}
	put(lane, WORD_END, id);
}

/* The name that the program gave; without one, that of the region that was
 * begun last. */
static uint32_t region_of(const struct within *w, uint64_t operation,
			  uint64_t address)
{
	char name[TALLY_REGION_NAME];

	if (!address && operation == ASSAY_MARK_END && w->regions)
		return w->region[w->regions - 1].id;
	if (!address || !guest_text(name, sizeof(name), address) || !*name) {
		lose(&session.map.tally->lost_marks);
		return UINT32_MAX;
	}
	return number_of(name);
}

bool regions_call(unsigned vcpu, int64_t number, const uint64_t *arguments)
{
	struct lane *lane = lane_of(vcpu);
	uint32_t id;

	if (number != ASSAY_MARK_CALL)
		return false;
	if (!lane || session.map.tally->mode == TALLY_COUNT)
		return true;
	if (arguments[0] == ASSAY_MARK_ASK) {
		answer(arguments[1]);
		return true;
	}
	id = region_of(&lane->within, arguments[0], arguments[1]);
	if (id != UINT32_MAX && arguments[0] == ASSAY_MARK_BEGIN)
		begin(lane, id);
	else if (id != UINT32_MAX && arguments[0] == ASSAY_MARK_END)
		end(lane, id);
	return true;
}

void regions_copy_names(struct tally_map *to, const struct tally_map *from)
{
	const uint32_t draws = from->tally->draws;

	for (uint32_t i = 0; i < from->tally->regions; i++)
		memcpy(to->region[i * (1 + draws)].name,
		       from->region[i * (1 + draws)].name, TALLY_REGION_NAME);
	to->tally->regions = from->tally->regions;
}

void regions_go_on(struct lane *lane)
{
	const struct within *w = &lane->within;

	if (w->open)
		lane_put(lane, (uint64_t)WORD_ENTER << WORD_KIND);
	for (uint32_t i = 0; i < w->regions; i++)
		put(lane, WORD_BEGIN, w->region[i].id);
}
