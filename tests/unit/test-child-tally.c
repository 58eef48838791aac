/* SPDX-License-Identifier: MIT */
/* Tallies of several processes: slots, and what they add up to. */
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "program/tally-merge.h"

enum { SLOTS = 5, NO_PROCESS = 0x7ffffffe };

struct fixture {
	struct child_tally_file file;
	struct merged_tally merged;
};

/* As the plugin begins. */
static void begin(struct tally *t, const struct tally *first, uint32_t pid)
{
	if (t != first)
		memcpy(t, first, offsetof(struct tally, state));
	t->state = TALLY_RUNNING;
	t->began = 1;
	t->mode = TALLY_ATTRIBUTE;
	t->pid = pid;
	strcpy(t->name, "program");
}

static int set_up(void **state)
{
	static struct fixture f;

	assert_int_equal(child_tally_create(&f.file, SLOTS, NULL), 0);
	assert_int_equal(merged_tally_init(&f.merged, NULL), 0);
	begin(f.file.first.tally, f.file.first.tally, (uint32_t)getpid());
	f.file.first.tally->state = TALLY_COMPLETE;
	*state = &f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	child_tally_free(&f->file);
	merged_tally_fini(&f->merged);
	return 0;
}

static uint32_t take(struct fixture *f, struct tally_map *map)
{
	const uint32_t slot = child_slot_claim(f->file.tallies);

	assert_true(slot > 0 && slot < SLOTS);
	assert_int_equal(child_tally_map(&f->file, slot, map, NULL), 0);
	begin(map->tally, f->file.first.tally, NO_PROCESS);
	map->tally->order = slot;
	return slot;
}

static void add_object(struct tally_map *map, const char *path, uint64_t from,
		       uint64_t offset)
{
	struct tally *t = map->tally;

	map->object[t->objects++] = (struct tally_object){
		.from = from, .to = from + 0x100000, .offset = offset,
		.path = t->text };
	strcpy(map->text + t->text, path);
	t->text += (uint32_t)strlen(path) + 1;
}

static void add_loads(struct tally_map *map, uint64_t pc, uint32_t object,
		      uint64_t loads)
{
	struct tally_site *s = &map->site[map->tally->sites++];

	*s = (struct tally_site){ .pc = pc, .object = object };
	s->count[TALLY_loads] = loads;
	map->tally->loads += loads;
}

static uint64_t loads_at(const struct merged_tally *w, const char *path, uint64_t pc)
{
	uint64_t sum = 0;

	for (uint32_t i = 0; i < w->sum.tally->sites; i++) {
		const struct tally_site *s = &w->sum.site[i];

		if (s->pc == pc && s->object &&
		    !strcmp(tally_path(&w->sum, s->object - 1), path))
			sum += s->count[TALLY_loads];
	}
	return sum;
}

/* A slot is nobody else's, and empty when it comes back. */
static void test_slots(void **state)
{
	struct fixture *f = *state;
	struct tally_map map[SLOTS];
	uint32_t slot[SLOTS];

	for (int i = 1; i < SLOTS; i++) {
		slot[i] = take(f, &map[i]);
		for (int k = 1; k < i; k++)
			assert_int_not_equal(slot[k], slot[i]);
	}
	assert_int_equal(child_slot_claim(f->file.tallies), CHILD_TALLY_SLOTS);
	add_loads(&map[2], 0x1234, 0, 5);
	map[2].tally->state = TALLY_COMPLETE;
	assert_int_equal(merged_tally_collect(&f->merged, &f->file, NULL), 0);
	assert_int_equal(f->merged.programs, 0);
	child_slot_set(f->file.tallies, slot[2], CHILD_SLOT_DONE);
	assert_int_equal(merged_tally_collect(&f->merged, &f->file, NULL), 0);
	assert_int_equal(f->merged.programs, 1);
	assert_int_equal(f->merged.sum.tally->loads, 5);
	assert_int_equal(child_slot_claim(f->file.tallies), slot[2]);
	assert_int_equal(map[2].tally->loads, 0);
	assert_int_equal(map[2].site[0].pc, 0);
	for (int i = 1; i < SLOTS; i++)
		tally_free(&map[i]);
}

/* One place in a file is one site, wherever the file was mapped. */
static void test_places(void **state)
{
	struct fixture *f = *state;
	struct tally_map *first = &f->file.first, other;

	take(f, &other);
	other.tally->state = TALLY_COMPLETE;
	add_object(first, "/lib/c", 0x10000, 0x1000);
	add_object(first, "[anonymous]", 0x900000, 0);
	add_object(&other, "[anonymous]", 0x900000, 0);
	add_object(&other, "/lib/c", 0x77000, 0x2000);
	add_object(&other, "/lib/d", 0x10000, 0x1000);
	add_object(&other, "/lib/d", 0x10000, 0x1000);
	other.object[3].inode = 7;	/* another file of that name */
	add_loads(first, 0x11010, 1, 1);
	add_loads(first, 0x900040, 2, 10);
	add_loads(&other, 0x77010, 2, 100);
	add_loads(&other, 0x900040, 1, 1000);
	add_loads(&other, 0x11010, 3, 10000);
	add_loads(&other, 0x11010, 4, 20000);
	add_loads(&other, 0x11010, 0, 100000);
	assert_int_equal(merged_tally_close(&f->merged, &f->file, NULL), 0);
	assert_int_equal(f->merged.sum.tally->sites, 5);
	assert_int_equal(loads_at(&f->merged, "/lib/c", 0x2010), 101);
	assert_int_equal(loads_at(&f->merged, "[anonymous]", 0x900040), 1010);
	assert_int_equal(loads_at(&f->merged, "/lib/d", 0x2010), 30000);
	assert_int_equal(f->merged.sum.tally->loads, 131111);
	tally_free(&other);
}

/* More sites than there was room for at first. */
static void test_many_places(void **state)
{
	enum { MANY = 20000 };
	struct fixture *f = *state;
	struct tally_map other;
	uint64_t sum = 0;

	take(f, &other);
	add_object(&f->file.first, "/a", 0x100000, 0);
	add_object(&other, "/a", 0x300000, 0);
	for (uint64_t i = 0; i < MANY; i++) {
		add_loads(&f->file.first, 0x100000 + i, 1, 1);
		add_loads(&other, 0x300000 + i, 1, i + 1);
	}
	assert_int_equal(merged_tally_close(&f->merged, &f->file, NULL), 0);
	assert_int_equal(f->merged.sum.tally->sites, MANY);
	for (uint64_t i = 0; i < MANY; i++) {
		const struct tally_site *s = &f->merged.sum.site[i];

		assert_int_equal(s->count[TALLY_loads], s->pc + 2);
		sum += s->count[TALLY_loads];
	}
	assert_int_equal(sum, f->merged.sum.tally->loads);
	tally_free(&other);
}

/* What ended, what was killed, what still runs, what never began. */
static void test_ends(void **state)
{
	struct fixture *f = *state;
	struct tally_map killed, running, failed, refused;

	take(f, &killed);
	killed.tally->behind = 3;
	take(f, &running);
	running.tally->pid = (uint32_t)getpid();
	running.tally->behind = 1;
	running.tally->replaced = 1;
	take(f, &failed);
	failed.tally->state = TALLY_UNTOUCHED;
	failed.tally->began = 0;
	take(f, &refused);
	refused.tally->began = 0;
	assert_int_equal(merged_tally_close(&f->merged, &f->file, NULL), 0);
	assert_int_equal(f->file.tallies->closed, 1);
	assert_int_equal(f->merged.programs, 5);
	assert_int_equal(f->merged.killed, 1);
	assert_int_equal(f->merged.running, 1);
	assert_int_equal(f->merged.never_began, 2);
	assert_int_equal(f->merged.sum.tally->behind, 3);
	assert_int_equal(f->merged.program[0].end, PROGRAM_ENDED);
	assert_int_equal(f->merged.program[1].end, PROGRAM_KILLED);
	assert_int_equal(f->merged.program[2].end, PROGRAM_RUNS);
	assert_int_equal(f->merged.program[3].end, PROGRAM_NEVER_BEGAN);
	assert_int_equal(f->merged.program[4].end, PROGRAM_NEVER_BEGAN);
	assert_true(f->merged.program[2].took_over);
	tally_free(&killed);
	tally_free(&running);
	tally_free(&failed);
	tally_free(&refused);
}

/* Its process lives, as another program; its threads were killed. */
static void test_replaced(void **state)
{
	struct fixture *f = *state;
	struct tally_map before;
	const uint32_t slot = take(f, &before);

	before.tally->pid = (uint32_t)getpid();
	before.tally->behind = 2;
	child_slot_set(f->file.tallies, slot, CHILD_SLOT_DONE);
	assert_int_equal(merged_tally_collect(&f->merged, &f->file, NULL), 0);
	assert_int_equal(f->merged.running, 0);
	assert_int_equal(f->merged.program[0].end, PROGRAM_ENDED);
	assert_int_equal(f->merged.sum.tally->behind, 2);
	tally_free(&before);
}

/* One that goes on natively has ended here, and why is counted. */
static void test_native(void **state)
{
	struct fixture *f = *state;
	struct tally_map other;

	take(f, &other);
	other.tally->not_simulated = EXEC_rights;
	other.tally->behind = 2;
	assert_int_equal(merged_tally_close(&f->merged, &f->file, NULL), 0);
	assert_int_equal(f->merged.not_simulated[EXEC_rights], 1);
	assert_int_equal(f->merged.sum.tally->behind, 2);
	assert_int_equal(f->merged.killed, 0);
	tally_free(&other);
}

/* Damage is told, and the others are added up all the same. */
static void test_damage(void **state)
{
	struct fixture *f = *state;
	struct tally_map other;
	struct assay_error err;

	f->file.first.tally->loads = 7;
	take(f, &other);
	add_loads(&other, 1, 9, 5);
	assert_int_equal(merged_tally_close(&f->merged, &f->file, NULL), 0);
	assert_int_equal(f->merged.damaged, 1);
	assert_int_equal(f->merged.sum.tally->loads, 7);
	f->file.first.tally->objects = TALLY_OBJECTS + 1;
	assert_int_equal(merged_tally_close(&f->merged, &f->file, &err),
			 -ASSAY_EPARSE);
	tally_free(&other);
}

static void add_region(struct tally_map *map, const char *name,
		       uint64_t entered, uint64_t count)
{
	const size_t at = map->tally->regions++ * (1 + map->tally->draws);
	struct tally_region *r = &map->region[at];

	strcpy(r->name, name);
	r->entered = entered;
	r->left = entered - 1;
	for (uint32_t d = 0; d <= map->tally->draws; d++)
		r[d].signal[0] = count + d;
}

/* Regions of one name are one, in whatever process, with all their draws. */
static void test_regions(void **state)
{
	struct fixture *f = *state;
	struct tally_map *first = &f->file.first, other;
	const struct tally_region *r;

	first->tally->draws = 2;
	take(f, &other);
	other.tally->state = TALLY_COMPLETE;
	add_region(&other, "b", 1, 100);
	add_region(&other, "a", 2, 10);
	add_region(first, "a", 3, 1);
	assert_int_equal(merged_tally_close(&f->merged, &f->file, NULL), 0);
	r = f->merged.sum.region;
	assert_int_equal(f->merged.sum.tally->regions, 2);
	assert_string_equal(r[0].name, "a");
	assert_int_equal(r[0].entered, 5);
	assert_int_equal(r[0].left, 3);
	assert_int_equal(r[0].signal[0], 11);
	assert_int_equal(r[1].signal[0], 13);
	assert_int_equal(r[2].signal[0], 15);
	assert_string_equal(r[3].name, "b");
	assert_int_equal(r[5].signal[0], 102);
	tally_free(&other);
}

/* Regions that a program damaged. */
static void test_damaged_regions(void **state)
{
	struct fixture *f = *state;
	struct tally_map other;
	struct assay_error err;

	take(f, &other);
	add_region(&other, "a", 1, 1);
	memset(other.region[0].name, 'x', sizeof(other.region[0].name));
	assert_int_equal(merged_tally_close(&f->merged, &f->file, NULL), 0);
	assert_int_equal(f->merged.damaged, 1);
	f->file.first.tally->regions = TALLY_REGIONS + 1;
	assert_int_equal(merged_tally_close(&f->merged, &f->file, &err),
			 -ASSAY_EPARSE);
	f->file.first.tally->regions = 0;
	f->file.first.tally->meanings = 1;
	f->file.first.tally->meaning[0].path = TALLY_TEXT;
	assert_int_equal(merged_tally_close(&f->merged, &f->file, &err),
			 -ASSAY_EPARSE);
	tally_free(&other);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_slots), TEST(test_places), TEST(test_many_places),
		TEST(test_ends), TEST(test_replaced), TEST(test_native),
		TEST(test_damage), TEST(test_regions),
		TEST(test_damaged_regions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
