/* SPDX-License-Identifier: MIT */
/* The least busy CPU, by what a made-up /proc says of its tasks. */
#define _GNU_SOURCE
#include "check.h"

#include <sched.h>
#include <sys/stat.h>

#include "env/idle.h"
#include "remove-tree.h"

static void put(const char *root, int task, const char *text)
{
	char path[256];
	FILE *file;

	snprintf(path, sizeof(path), "%s/proc/%d", root, task);
	mkdir(path, 0755);
	strcat(path, "/stat");
	file = fopen(path, "w");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static int build(void **state)
{
	char *root = strdup("/tmp/assay-test-XXXXXX"), path[256];

	assert_non_null(root);
	assert_non_null(mkdtemp(root));
	snprintf(path, sizeof(path), "%s/proc", root);
	mkdir(path, 0755);
	put(root, 4999999, "not what the kernel writes");
	*state = root;
	return 0;
}

static int clear(void **state)
{
	remove_tree(*state);
	free(*state);
	return 0;
}

static void the_least_busy(void **state)
{
	const struct idle_cpu four[] = {
		{ 0, 1, 0, 0 }, { 1, 0, 1, 0 }, { 2, 0, 0, 0 }, { 3, 0, 0, 0 },
	};
	const struct idle_cpu hybrid[] = {
		{ 0, 0, 0, 446 }, { 1, 0, 0, 1024 }, { 2, 0, 0, 446 },
		{ 3, 2, 0, 1024 },
	};

	(void)state;
	assert_int_equal(idle_choose(four, 4, 0), 3);
	assert_int_equal(idle_choose(four, 4, 2), 2);
	assert_int_equal(idle_choose(four, 2, 0), 1);
	assert_int_equal(idle_choose(four, 1, 7), 0);
	assert_int_equal(idle_choose(four, 0, 0), -1);
	assert_int_equal(idle_choose(hybrid, 4, 0), 1);
}

/* Names of programs may hold blanks and brackets. */
static void tasks_are_counted(void **state)
{
	static const char tail[] = " 1 1 1 0 -1 4194304 1 0 0 0 5 5 0 0 20 0 "
		"%d 0 100 1000 10 1 1 1 1 1 1 0 0 0 0 0 0 0 17 %d 0 0 0 0 0";
	char stat[512], end[256];
	const int cpu = sched_getcpu();
	cpu_set_t old, one;

	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	assert_int_equal(sched_getaffinity(0, sizeof(old), &old), 0);
	sched_setaffinity(0, sizeof(one), &one);
	assert_int_equal(env_idle_cpu(*state), cpu);
	sched_setaffinity(0, sizeof(old), &old);
	if (CPU_COUNT(&old) < 2)
		return;
	for (int c = 0; c < CPU_SETSIZE; c++) {	/* all busy but one */
		snprintf(end, sizeof(end), tail, 1, c);
		snprintf(stat, sizeof(stat), "%d (a) R (b c) %c%s\n",
			 5000000 + c, c == cpu ? 'S' : 'R', end);
		if (CPU_ISSET(c, &old))
			put(*state, 5000000 + c, stat);
	}
	assert_int_equal(env_idle_cpu(*state), cpu);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_least_busy),
		cmocka_unit_test_setup_teardown(tasks_are_counted, build,
						clear),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
