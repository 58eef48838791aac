/* SPDX-License-Identifier: MIT */
/*
 * This machine, whatever it is: pinning, arenas and their real pages, the
 * clock, and a doctor that says something of everything. Recorded machines
 * are in test-machines.c.
 */
#define _GNU_SOURCE
#include "check.h"

#include <sched.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "env/env.h"
#include "base/sysfile.h"

__attribute__((no_sanitize("address", "undefined"), noinline))
static void touch(volatile unsigned char *base, size_t bytes)
{
	for (size_t i = 0; i < bytes; i += 4096)
		base[i] = 1;
}

static void pinning_is_undone(void **ctx)
{
	struct env_affinity old = { .changed = false };
	struct assay_error err = { 0 };
	cpu_set_t before, after;
	int cpu;

	(void)ctx;
	sched_getaffinity(0, sizeof(before), &before);
	for (cpu = CPU_SETSIZE - 1; !CPU_ISSET(cpu, &before); cpu--)
		;
	env_unpin(&old);	/* nothing changed: nothing happens */
	assert_int_equal(env_pin(cpu, &old, &err), 0);
	assert_int_equal(sched_getcpu(), cpu);
	sched_getaffinity(0, sizeof(after), &after);
	assert_int_equal(CPU_COUNT(&after), 1);
	env_unpin(&old);
	sched_getaffinity(0, sizeof(after), &after);
	assert_true(CPU_EQUAL(&before, &after));
}

static void pinning_can_fail(void **ctx)
{
	struct env_affinity old = { .changed = false };
	struct assay_error err = { 0 };

	(void)ctx;
	assert_int_equal(env_pin(-1, &old, &err), -ASSAY_ERANGE);
	assert_int_equal(env_pin(100000, &old, &err), -ASSAY_ERANGE);
	assert_int_equal(env_pin(CPU_SETSIZE - 1, &old, &err), -ASSAY_ERANGE);
	assert_non_null(strstr(err.text, "1023"));
	assert_false(old.changed);
}

static void small_pages(void **ctx)
{
	struct arena arena;
	char pages[64];

	(void)ctx;
	assert_int_equal(env_arena_map(&arena, 3 << 20, ARENA_4K, NULL), 0);
	assert_int_equal(arena.bytes, 3 << 20);
	assert_int_equal((uintptr_t)arena.base % (2 << 20), 0);
	env_arena_pages(&arena, pages, sizeof(pages), NULL);
	assert_string_equal(pages, "untouched");
	touch(arena.base, arena.bytes);
	env_arena_pages(&arena, pages, sizeof(pages), NULL);
	assert_string_equal(pages, "4K");
	env_arena_unmap(&arena);
	assert_null(arena.base);
}

static void transparent_huge_pages(void **ctx)
{
	struct assay_error err = { 0 };
	struct arena arena;
	char pages[64];

	(void)ctx;
	if (env_arena_map(&arena, 4 << 20, ARENA_THP, &err)) {
		assert_int_equal(err.code, -ASSAY_EUNAVAIL);
		assert_non_null(strstr(err.text, "as root:"));
		skip_since("%s", err.text);
	}
	assert_int_equal((uintptr_t)arena.base % (2 << 20), 0);
	touch(arena.base, arena.bytes);
	env_arena_pages(&arena, pages, sizeof(pages), NULL);
	/* Fragmented memory may give fewer; then it must say so. */
	if (strcmp(pages, "thp"))
		assert_non_null(strstr(pages, "4K"));
	env_arena_unmap(&arena);
}

/* Half of it is refused huge pages behind assay's back. */
static void a_half_kept_promise_is_seen(void **ctx)
{
	const size_t half = 2 << 20;
	struct assay_error err = { 0 };
	struct arena arena;
	char pages[64];

	(void)ctx;
	if (env_arena_map(&arena, 2 * half, ARENA_THP, &err))
		skip_since("%s", err.text);
	madvise(arena.base + half, half, MADV_NOHUGEPAGE);
	touch(arena.base, arena.bytes);
	env_arena_pages(&arena, pages, sizeof(pages), NULL);
	if (strncmp(pages, "4K", 2))
		assert_string_equal(pages, "thp 50 %, rest 4K");
	env_arena_unmap(&arena);
}

/* A mapping of 4 MiB between two that are somebody else's. */
static const char *pages_by(const char *lines, enum arena_pages asked)
{
	static char pages[64];
	const struct arena arena = {
		.base = (unsigned char *)(uintptr_t)0x40000000,
		.bytes = 4 << 20, .pages = asked,
	};
	char root[] = "/tmp/assay-smaps-XXXXXX", path[64];
	FILE *file;

	assert_non_null(mkdtemp(root));
	snprintf(path, sizeof(path), "%s/proc", root);
	assert_int_equal(mkdir(path, 0700), 0);
	snprintf(path, sizeof(path), "%s/proc/self", root);
	assert_int_equal(mkdir(path, 0700), 0);
	snprintf(path, sizeof(path), "%s/proc/self/smaps", root);
	file = fopen(path, "w");
	assert_non_null(file);
	fprintf(file, "3ff00000-40000000 rw-p 00000000 00:00 0 \n"
		"Rss: 1024 kB\nKernelPageSize: 4 kB\n"
		"40000000-40400000 rw-p 00000000 00:0f 1 /anon_hugepage\n"
		"%s40400000-40600000 rw-p 00000000 00:00 0 \n"
		"Rss: 2048 kB\nKernelPageSize: 4 kB\n", lines);
	fclose(file);
	*pages = '\0';
	assert_int_equal(env_arena_pages_in(root, &arena, pages,
					    sizeof(pages), NULL), 0);
	unlink(path);
	*strrchr(path, '/') = '\0';
	rmdir(path);
	*strrchr(path, '/') = '\0';
	rmdir(path);
	rmdir(root);
	return pages;
}

/* Explicit huge pages are in no Rss; what was asked for is not believed. */
static void pages_are_what_smaps_says(void **ctx)
{
	(void)ctx;
	assert_string_equal(pages_by("KernelPageSize: 2048 kB\nRss: 0 kB\n"
				     "Private_Hugetlb: 4096 kB\n",
				     ARENA_HUGE_2M), "huge");
	assert_string_equal(pages_by("KernelPageSize: 4 kB\nRss: 4096 kB\n"
				     "AnonHugePages: 0 kB\n", ARENA_HUGE_2M),
			    "4K (no huge page was given)");
	assert_string_equal(pages_by("KernelPageSize: 4 kB\nRss: 4096 kB\n"
				     "AnonHugePages: 2048 kB\n", ARENA_THP),
			    "thp 50 %, rest 4K");
	assert_string_equal(pages_by("KernelPageSize: 4 kB\nRss: 4096 kB\n"
				     "AnonHugePages: 4096 kB\n", ARENA_THP),
			    "thp");
	assert_string_equal(pages_by("KernelPageSize: 4 kB\nRss: 4096 kB\n",
				     ARENA_4K), "4K");
	assert_string_equal(pages_by("KernelPageSize: 64 kB\n"
				     "Rss: 4096 kB\n", ARENA_4K), "64K");
}

static void reserved_huge_pages(void **ctx)
{
	struct assay_error err = { 0 };
	struct arena arena = { .bytes = 77 };
	int64_t left = 0;
	char pages[64];
	int rc;

	(void)ctx;
	sysfile_number(&left, "/", "/sys/kernel/mm/hugepages/"
		       "hugepages-2048kB/free_hugepages");
	rc = env_arena_map(&arena, 2 << 20, ARENA_HUGE_2M, &err);
	if (rc) {
		assert_int_equal(left, 0);
		assert_int_equal(rc, -ASSAY_EUNAVAIL);
		assert_non_null(strstr(err.text, "vm.nr_hugepages=1"));
		assert_int_equal(arena.bytes, 77);	/* untouched */
		skip_since("no huge page is reserved (vm.nr_hugepages)");
	}
	touch(arena.base, arena.bytes);
	env_arena_pages(&arena, pages, sizeof(pages), NULL);
	assert_string_equal(pages, "huge");
	env_arena_unmap(&arena);
}

static void odd_arenas(void **ctx)
{
	struct assay_error err = { 0 };
	struct arena arena;
	char pages[64];

	(void)ctx;
	assert_int_equal(env_arena_map(&arena, 0, ARENA_THP, &err), 0);
	assert_null(arena.base);
	assert_int_equal(env_arena_pages(&arena, pages, sizeof(pages), &err),
			 0);
	assert_string_equal(pages, "");
	env_arena_unmap(&arena);
	assert_int_equal(env_arena_map(&arena, 1, ARENA_4K, &err), 0);
	arena.base[0] = 1;
	env_arena_unmap(&arena);
	assert_int_equal(env_arena_map(&arena, SIZE_MAX, ARENA_4K, &err),
			 -ASSAY_ENOMEM);
	assert_int_equal(env_arena_map(&arena, SIZE_MAX / 8, ARENA_4K, &err),
			 -ASSAY_ENOMEM);
}

static void the_clock_goes_on(void **ctx)
{
	const uint64_t a = env_now_ns();
	uint64_t b = a;

	(void)ctx;
	assert_true(a > 0);
	while (b == a)
		b = env_now_ns();
	assert_true(b > a);
}

static void this_machine(void **ctx)
{
	struct assay_machine m;
	struct geometry g;

	(void)ctx;
	assert_int_equal(env_machine(&m, "/", NULL), 0);
	assert_true(m.host[0] && m.cpu[0] && m.isa[0] && m.kernel[0]);
	assert_int_equal(env_geometry(&g, "/", NULL), 0);
	if (g.l1d.present)
		assert_true(cache_bytes(&g.l1d) >= 1024 &&
			    cache_bytes(&g.l1d) <= 1 << 20);
}

static const char *const states[] = { "ok", "warn", "bad", "info" };
static const char *const parts[] = {
	"counters", "permission", "identity", "noise", "memory", "heat",
	"mitigations", "limits", "control", "libraries", "kernel log"
};

static unsigned word(const char *text, const char *const *words, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (!strcmp(text, words[i]))
			return i;
	fail_msg("unexpected word '%s'", text);
	return 0;
}

static int look(void *ctx, const struct assay_row *row)
{
	unsigned *seen = ctx;
	unsigned state;

	if (!strcmp(row->type, "answer"))
		return 0;
	assert_string_equal(row->type, "finding");
	assert_int_equal(row->fields, 6);
	assert_string_equal(row->field[0].name, "part");
	*seen |= 1u << word(row->field[0].text, parts, 11);
	state = word(row->field[2].text, states, 4);
	assert_true(row->field[1].text[0] && row->field[3].text[0]);
	if (state == 2)	/* what is bad has a cure */
		assert_true(row->field[5].text[0]);
	return 0;
}

static void the_doctor_visits_every_part(void **ctx)
{
	unsigned seen = 0;
	bool hardware;

	(void)ctx;
	assert_int_equal(env_doctor("/", &hardware, look, &seen, NULL), 0);
	assert_int_equal(seen & 1023, 1023);	/* the log may be hidden */
}

static int refuse(void *ctx, const struct assay_row *row)
{
	(void)row;
	++*(unsigned *)ctx;
	return 1;
}

static void the_doctor_can_be_stopped(void **ctx)
{
	unsigned calls = 0;
	bool hardware;

	(void)ctx;
	assert_int_equal(env_doctor("/", &hardware, refuse, &calls, NULL),
			 -ASSAY_ESTOP);
	assert_int_equal(calls, 1);
}

static void keys_of_text_files(void **ctx)
{
	char out[8];

	(void)ctx;
	assert_true(sysfile_key(out, sizeof(out), "a\t: 1\nmodel\t\t: 85\n",
				"model"));
	assert_string_equal(out, "85");
	assert_false(sysfile_key(out, sizeof(out), "model name: x", "model"));
	assert_true(sysfile_key(out, sizeof(out), "k: 123456789", "k"));
	assert_string_equal(out, "1234567");
	assert_true(sysfile_key(out, sizeof(out), "k:", "k"));
	assert_string_equal(out, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pinning_is_undone),
		cmocka_unit_test(pinning_can_fail),
		cmocka_unit_test(small_pages),
		cmocka_unit_test(transparent_huge_pages),
		cmocka_unit_test(a_half_kept_promise_is_seen),
		cmocka_unit_test(reserved_huge_pages),
		cmocka_unit_test(pages_are_what_smaps_says),
		cmocka_unit_test(odd_arenas),
		cmocka_unit_test(the_clock_goes_on),
		cmocka_unit_test(this_machine),
		cmocka_unit_test(the_doctor_visits_every_part),
		cmocka_unit_test(the_doctor_can_be_stopped),
		cmocka_unit_test(keys_of_text_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
